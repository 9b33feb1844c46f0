/** `mdwi waive`: writes waivers for the failures of a run, or deletes those that it shows to be stale. */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { writeNamedFile } from '../atomic-write.ts';
import { readRun } from '../comparison/read-run.ts';
import { defaultWaivers, findConfig, loadConfig } from '../config/load-config.ts';
import { cutText, printable } from '../exchange/printable.ts';
import { STATE_TEXTS } from '../report/console/waivers.ts';
import { isStaleWaiver } from '../run/apply-waivers.ts';
import { EXIT } from '../run/exit-codes.ts';
import type { Run } from '../run/types.ts';
import { UsageError } from '../usage-error.ts';
import { parseWaivers, readWaiverText } from '../waivers/read-waivers.ts';
import { type WaiverData, waiverSchema } from '../waivers/waiver-schema.ts';
import { addWaivers, removeWaivers, waiversFor } from '../waivers/write-waivers.ts';
import { type Command, parse } from './parse-flags.ts';
import { WAIVE_FLAGS } from './usage/reports.ts';

type FlagValues = ReturnType<typeof parse<typeof WAIVE_FLAGS>>['values'];

/** The file to write to, and whether a run reads it unasked: the given one, that of the configuration, or the configuration that lists waivers itself. */
async function destinationOf(values: FlagValues) {
  if (values.waivers !== undefined) return { file: values.waivers, isRead: false, isConfig: false };
  const path = values.config ?? findConfig();
  const config = path === undefined ? undefined : await loadConfig(path);
  const waivers = config?.data.waivers;
  if (!config || waivers === undefined) return { file: defaultWaivers(config), isRead: true, isConfig: false };
  if (typeof waivers === 'string')
    return { file: relative(process.cwd(), resolve(config.folder, waivers)), isRead: true, isConfig: false };
  if (!/\.ya?ml$/.test(config.source))
    throw new UsageError(`${config.source} lists waivers in code: name a YAML file with --waivers FILE`);
  return { file: config.source, isRead: true, isConfig: true };
}

function required(values: { readonly [name: string]: unknown }, name: string): string {
  const value = values[name];
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new UsageError(
    `mdwi waive --from run.json --reason TEXT --expires DATE [--owner NAME]: --${name} is missing or empty`,
  );
}

function expiryOf(text: string): string {
  if (!waiverSchema.shape.expires.safeParse(text).success)
    throw new UsageError(`--expires ${text}: a date such as 2027-01-31 is needed`);
  if (text < new Date().toISOString().slice(0, 10)) throw new UsageError(`--expires ${text}: this day is past`);
  return text;
}

const count = (number: number): string => `${number} ${number === 1 ? 'waiver' : 'waivers'}`;

/** A cause, such as 401 on every request, is no known failure: it must be removed. */
const nothingToWrite = (from: string, { cause = [] }: Run): string =>
  cause.length > 0
    ? `${from}: no waiver is written for what a cause explains: ${cause.map(({ sentence }) => sentence).join('; ')}`
    : `${from}: every gating check that failed or is inconclusive is waived, or there is none; nothing to write`;

/** The first thing that the run shows of a waived check. */
const shownOf = (run: Run, { rule, operation }: WaiverData): string[] => {
  const result = run.results.find((each) => each.rule === rule && each.operation === operation);
  const actual = result?.findings[0]?.actual ?? result?.note;
  return actual === undefined ? [] : [`    ${cutText(actual, 160)}`];
};

function printLines(lines: readonly string[]): typeof EXIT.ok {
  process.stdout.write(`${lines.map((each) => printable(each)).join('\n')}\n`);
  return EXIT.ok;
}

/** Deletes the waivers that a run shows to be stale. */
async function prune(from: string, values: FlagValues): Promise<typeof EXIT.ok> {
  const given = (['reason', 'expires', 'owner', 'intermittent'] as const).find((name) => values[name] !== undefined);
  if (given !== undefined) throw new UsageError(`--${given}: is of new waivers, and --prune only deletes stale ones`);
  const stale = (readRun(from).waivers ?? []).filter(isStaleWaiver);
  const { file } = await destinationOf(values);
  const { text, removed } = removeWaivers(readWaiverText(file), file, stale);
  if (removed.length > 0) await writeNamedFile(file, text);
  const others = stale.length - removed.length;
  return printLines([
    `${file}: ${count(removed.length)} deleted${others > 0 ? `, ${count(others)} not found: in another file, or changed since the run` : ''}`,
    ...removed.map(
      ({ source, rule, operation, state }) =>
        `  ${source} ${rule}${operation ? ` on ${operation}` : ''}: ${STATE_TEXTS[state]}`,
    ),
  ]);
}

export const waive: Command = async (args) => {
  const { values } = parse(args, WAIVE_FLAGS);
  const from = required(values, 'from');
  if (values.prune) return prune(from, values);
  const terms = {
    reason: required(values, 'reason'),
    expires: expiryOf(required(values, 'expires')),
    ...(values.owner !== undefined && { owner: required(values, 'owner') }),
    ...(values.intermittent && { intermittent: true }),
  };
  const run = readRun(from);
  const waivers = waiversFor(run, terms);
  const { file, isRead, isConfig } = await destinationOf(values);
  const present = existsSync(file) ? readWaiverText(file) : undefined;
  if (present !== undefined && !isConfig) parseWaivers(present, file);
  const { text, added } = addWaivers(present, file, waivers);
  if (added.length > 0) await writeNamedFile(file, text);
  const known = waivers.length - added.length;
  return printLines([
    waivers.length === 0
      ? nothingToWrite(from, run)
      : `${file}: ${count(added.length)} added${known > 0 ? `, ${count(known)} in it already` : ''}`,
    ...added.flatMap((each) => [
      `  ${each.rule} on ${each.operation}: ${each.fingerprints?.join(', ')}`,
      ...shownOf(run, each),
    ]),
    ...(added.length > 0 && !isRead
      ? [`use it with mdwi run --waivers ${file}, or with waivers: ${file} in mdwi.config.yaml`]
      : []),
  ]);
};
