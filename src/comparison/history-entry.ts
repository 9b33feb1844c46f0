/** One run in the history: what first failures, flaky checks, the trend and notes need, without exchanges and findings. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { DEFAULT_SAMPLING, OPERATIONS, type OperationKey } from '../contract/index.ts';
import { isGatingFailure } from '../report/describe-run.ts';
import { snapshotSchema } from '../report/run-schema.ts';
import type { RunHistory, RunSnapshot } from '../run/comparison-types.ts';
import { OUTCOMES } from '../run/outcome-names.ts';
import type { Run } from '../run/types.ts';
import { lookedUpIn } from './looked-up.ts';

const count = z.int().min(0);
const verdict = z.enum(['pass', 'fail', 'inconclusive']);

export const entrySchema = z.strictObject({
  history: z.literal(1),
  target: z.string(),
  startedAt: z.iso.datetime(),
  /** Equal for runs that select the same operations with the same safety class. */
  scope: z.string(),
  profileHash: z.string().optional(),
  outcome: z.enum(OUTCOMES),
  failed: count,
  proved: count,
  provable: count,
  /** By `RULE OPERATION-NAME`; checks without a verdict on the service are left out. */
  checks: z.record(z.string(), verdict),
  /** When the present failures began, so that it is known after older runs are removed. */
  firstFailedOn: z.record(z.string(), z.iso.datetime()),
  snapshot: snapshotSchema.optional(),
  /** The products that were looked up: `lookedUpIn`. */
  lookedUp: z.base64().max(100_000).optional(),
});

export type HistoryEntry = Omit<z.output<typeof entrySchema>, 'snapshot'> & { readonly snapshot?: RunSnapshot };
export type HistoryVerdict = z.output<typeof verdict>;

const namesByKey = new Map(OPERATIONS.map(({ key, name }) => [key as string, name as string]));
const keysByName = new Map(OPERATIONS.map(({ key, name }) => [name as string, key as OperationKey]));

/** The rule and the operation of a check of an entry; undefined if this version does not know the operation. */
export function checkNamed(check: string): { rule: string; operation: OperationKey } | undefined {
  const [rule = '', name = ''] = check.split(' ');
  const operation = keysByName.get(name);
  return operation && { rule, operation };
}

/** The target under which the history keeps a run. */
export const historyTarget = ({ manifest }: Run): string => manifest.targetName ?? manifest.target;

function scopeOf({ manifest, results, outcomeInScope }: Run): string {
  const operations = [...new Set(results.map(({ operation }) => operation))].sort();
  const isFiltered = /, filtered[;)]/.test(outcomeInScope);
  const { depth = DEFAULT_SAMPLING.depth } = manifest;
  // Entries of version 0.1.0 have no depth.
  const other = depth === DEFAULT_SAMPLING.depth ? [] : [depth];
  const selection = [manifest.safety, manifest.strict, isFiltered, operations, ...other];
  return createHash('sha256').update(JSON.stringify(selection)).digest('hex').slice(0, 16);
}

/** The entry of a run. Its `firstFailedOn` is empty until `withFirstFailures` fills it from earlier entries. */
export function historyEntry(run: Run): HistoryEntry {
  const checks = run.results.flatMap(({ rule, operation, verdict: found }) =>
    found === 'pass' || found === 'fail' || found === 'inconclusive'
      ? [[`${rule} ${namesByKey.get(operation)}`, found] as const]
      : [],
  );
  const { proved, provable } = run.fractions;
  const lookedUp = lookedUpIn(run);
  return {
    history: 1,
    target: historyTarget(run),
    startedAt: run.manifest.startedAt,
    scope: scopeOf(run),
    ...(run.manifest.profileHash !== undefined && { profileHash: run.manifest.profileHash }),
    outcome: run.outcome,
    failed: run.results.filter(isGatingFailure).length,
    proved: proved[0],
    provable: provable[0],
    checks: Object.fromEntries(checks),
    firstFailedOn: {},
    ...(run.snapshot && { snapshot: run.snapshot }),
    ...(lookedUp !== undefined && { lookedUp }),
  };
}

/** The numbers of a run for the trend. */
export const trendOf = ({
  startedAt,
  outcome,
  failed,
  proved,
  provable,
}: HistoryEntry): RunHistory['trend'][number] => ({
  startedAt,
  outcome,
  failed,
  proved,
  provable,
});
