/** Shows the verdicts of one folder of `suites/` as vitest tests, one test per rule and operation. */
import { describe, expect, inject, test } from 'vitest';
import { SUITES, type SuiteName, suitesOf } from '../../suites/index.ts';
import { GROUPS, type Group, operationOf } from '../contract/index.ts';
import { mapTexts } from '../exchange/map-texts.ts';
import { printable } from '../exchange/printable.ts';
import type { Result, Run } from '../run/types.ts';
import type { ReceivedCredential } from '../secrets/received.ts';

/** Environment variables that name the target in a checkout. */
export interface TargetVariables {
  readonly BASE_URL?: string;
  readonly PROFILE?: string;
  readonly SAFETY?: string;
  readonly RECORDING?: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** A finished run as JSON, set by `mdwi run --vitest`. */
    mdwiRun?: string;
    /** The target, set by vitest.config.ts of the checkout. */
    mdwiTarget?: TargetVariables;
  }
}

/** Judges the rules of one folder against the target of the environment. */
async function judgeSuite(suite: SuiteName): Promise<Run> {
  const { openTarget, withServiceNames } = await import('./open-target.ts');
  const { judgeTarget } = await import('./judge-target.ts');
  const { redactRun } = await import('./redact-run.ts');
  const { secretValuesOf } = await import('../secrets/declared-secrets.ts');
  const { BASE_URL, PROFILE, SAFETY, RECORDING } = inject('mdwiTarget') ?? {};
  const target = await openTarget(
    {
      ...{ 'base-url': BASE_URL, profile: PROFILE, safety: SAFETY, recordings: RECORDING },
      rule: SUITES[suite].map(({ id }) => id),
    },
    { base: 'BASE_URL', recording: 'RECORDING', ways: 'BASE_URL or RECORDING' },
  );
  const received: ReceivedCredential[] = [];
  try {
    const judged = await judgeTarget({ ...target, onCredential: (credential) => received.push(credential) });
    const named = target.serviceNames ? withServiceNames(judged, target.serviceNames) : judged;
    return redactRun(named, secretValuesOf(target.profile, [], received));
  } finally {
    await target.close?.();
  }
}

const describeResult = (result: Result): string =>
  result.findings.map((each) => `expected ${each.expected}; actual ${each.actual}`).join('\n') ||
  (result.note ?? result.verdict);

/** An undecided result is not a green test: it is skipped, with the reason in the name. */
function testResult(result: Result): void {
  const { verdict } = result;
  const undecided = verdict === 'untested' || verdict === 'not-applicable' || (!result.gating && verdict !== 'pass');
  const name = `${result.rule} · ${result.operation}`;
  if (undecided) test.skip(`${name} (${verdict}: ${describeResult(result)})`, () => {});
  else test(name, () => expect(verdict, describeResult(result)).toBe('pass'));
}

/** A group that the profile does not implement is not an error of the service: the test is skipped, with the reason. */
function testExitCode(run: Run): void {
  const name = 'the run as a whole';
  if (run.results.every(({ verdict }) => verdict === 'not-applicable'))
    test.skip(`${name} (not-applicable: ${run.reason ?? run.outcomeInScope})`, () => {});
  else test(name, () => expect(run.exitCode, run.reason ?? run.outcomeInScope).toBe(0));
}

/**
 * Defines the tests of one folder of `suites/`. In a checkout it judges the folder's rules in a run of its own, against
 * BASE_URL (with PROFILE and SAFETY), against the recording RECORDING, or against the built-in simulator. Under
 * `mdwi run --vitest` it shows the folder's part of the finished run, and the first folder checks the run's exit code.
 *
 * @throws UsageError if the target cannot be opened
 * @example await describeConformance('product-reference');
 */
export async function describeConformance(suite: SuiteName): Promise<void> {
  const finished = inject('mdwiRun');
  const run = mapTexts(finished === undefined ? await judgeSuite(suite) : (JSON.parse(finished) as Run), printable);
  const rules = new Set(SUITES[suite].map(({ id }) => id));
  const results = run.results.filter(({ rule }) => rules.has(rule));
  const byGroup = Map.groupBy(results, ({ operation }) => operationOf(operation).group);
  for (const group of Object.keys(GROUPS) as Group[]) {
    const each = byGroup.get(group);
    if (each) describe(`${group}. ${GROUPS[group].title}`, () => each.forEach(testResult));
  }
  if (finished === undefined || suite === suitesOf(run.results.map(({ rule }) => rule))[0]) testExitCode(run);
}
