/** Presents the verdicts of a run as vitest tests. */
import { describe, expect, test } from 'vitest';
import { GROUPS, type Group, operationOf } from '../contract/index.ts';
import { mapTexts } from '../exchange/map-texts.ts';
import { printable } from '../exchange/printable.ts';
import { isNewFailure } from '../run/new-failure.ts';
import type { Result, Run } from '../run/types.ts';
import { rulesMatching } from './rule-patterns.ts';
import type { ConformanceOptions } from './run-conformance.ts';

/** How the verdicts become tests. */
export interface Presentation {
  /** `check`, the default: a test per rule and operation. `group`: a test per group, which lists its failures. */
  readonly tests?: 'check' | 'group';
  /** Whether a test checks that the exit code of the run is 0; default true. */
  readonly testExitCode?: boolean;
}

/** A run to present, e.g. the parsed `run.json`, in place of a target; of its results, those of `rules`, ids or patterns with `*`. */
export interface FinishedRun {
  readonly run: Run;
  readonly rules?: readonly string[];
}

const described = ({ findings, note, verdict }: Result): string =>
  findings.map((each) => `expected ${each.expected}; actual ${each.actual}`).join('\n') || (note ?? verdict);

/** Whether the baseline has a failure, which does not set the exit code of the run. */
const isKnown = (result: Result, { comparison }: Run): boolean =>
  comparison?.failOnNew === true && result.verdict === 'fail' && !isNewFailure(result, comparison);

/** Why a result is neither a green nor a red test; undefined if it is one. */
function whySkipped(result: Result, run: Run): string | undefined {
  const { verdict, waived, waiver, gating } = result;
  if (verdict === 'pass' || verdict === 'error') return undefined;
  if (waived) return `waived: ${waiver?.reason ?? described(result)}`;
  if (isKnown(result, run)) return `known from ${run.comparison?.baseline}: ${described(result)}`;
  if (verdict === 'untested' || verdict === 'not-applicable') return `${verdict}: ${described(result)}`;
  return gating ? undefined : `advisory ${verdict}: ${described(result)}`;
}

/** What is wrong, the command that repeats the request, and where the rule is explained. */
function failureText(result: Result, { exchanges }: Run): string {
  const cited = new Set(result.findings.map(({ exchange }) => exchange));
  const commands = exchanges.flatMap(({ id, curl }) => (curl !== undefined && cited.has(id) ? [`${id}: ${curl}`] : []));
  return [described(result), ...commands, `section ${result.section}; mdwi explain ${result.rule}`].join('\n');
}

/** A check that is not decided is not a green test: it is skipped, with the reason in its name. */
function testCheck(result: Result, run: Run): void {
  const name = `${result.rule} · ${result.operation}`;
  const skipped = whySkipped(result, run);
  if (skipped !== undefined) test.skip(`${name} (${skipped})`, () => {});
  else test(name, () => expect(result.verdict, failureText(result, run)).toBe('pass'));
}

function testGroup(name: string, results: readonly Result[], run: Run): void {
  const decided = results.filter((each) => whySkipped(each, run) === undefined);
  if (decided.length === 0)
    test.skip(`${name} (nothing is decided; ${whySkipped(results[0] as Result, run)})`, () => {});
  else
    test(name, () => {
      const red = decided.filter(({ verdict }) => verdict !== 'pass');
      const text = red.map((each) => `${each.rule} · ${each.operation}: ${each.verdict}\n${failureText(each, run)}`);
      expect(red.length, text.join('\n\n')).toBe(0);
    });
}

/** A group that the profile does not implement is not an error of the service: the test is skipped, with the reason. */
function testOutcome(run: Run): void {
  const name = 'the run as a whole';
  if (run.results.every(({ verdict }) => verdict === 'not-applicable'))
    test.skip(`${name} (not-applicable: ${run.reason ?? run.outcomeInScope})`, () => {});
  else test(name, () => expect(run.exitCode, run.reason ?? run.outcomeInScope).toBe(0));
}

/**
 * Judges a target, as `run` does, and defines vitest tests for the verdicts: a pass is a green test; a failed or
 * inconclusive gating check a red one; an untested or waived check, one that is only advice, and with `failOnNew` a failure
 * of the baseline, is skipped with the reason in its name; a check that does not apply is no test. Await it where the file
 * collects its tests.
 *
 * @throws UsageError, ProfileError if the options, the profile or the recording cannot be used
 * @example await describeConformance({ app, profile: 'acme.yaml', groups: ['C'] });
 */
export async function describeConformance(options: (ConformanceOptions | FinishedRun) & Presentation): Promise<void> {
  const { tests = 'check', testExitCode = true } = options;
  const judged = 'run' in options ? options.run : await (await import('./run-conformance.ts')).runConformance(options);
  const run = mapTexts(judged, printable);
  const rules = options.rules && new Set(rulesMatching(options.rules, 'rules'));
  const results = run.results.filter(({ rule }) => rules?.has(rule) ?? true);
  const byGroup = Map.groupBy(results, ({ operation }) => operationOf(operation).group);
  for (const group of Object.keys(GROUPS) as Group[]) {
    const each = byGroup.get(group);
    const name = `${group}. ${GROUPS[group].title}`;
    if (!each) continue;
    // One line for a group that the profile does not implement.
    const isInScope = each.some(({ verdict }) => verdict !== 'not-applicable');
    if (tests === 'group' || !isInScope) testGroup(name, each, run);
    else
      describe(name, () => {
        for (const result of each) if (result.verdict !== 'not-applicable') testCheck(result, run);
      });
  }
  if (testExitCode) testOutcome(run);
}
