/** The outcome of a run in one sentence, and the numbers behind it. */
import { counted } from '../format-values.ts';
import { isStaleWaiver } from '../run/apply-waivers.ts';
import { isNewFailure } from '../run/new-failure.ts';
import type { Result, Run } from '../run/types.ts';

/** Whether a failure counts against the service in this run. */
export const isGatingFailure = ({ verdict, gating, waived }: Result): boolean =>
  verdict === 'fail' && gating && !waived;

/** Whether a cause of the run explains a result; reports for people show the cause in its place. */
export const isExplained = ({ cause }: Result): boolean => cause !== undefined;

/** What is counted of the checks of a run. */
const COUNTED = {
  /** Failed checks that gate and are not waived. */
  failed: isGatingFailure,
  /** Failed checks that only advise. */
  advised: ({ verdict, gating, waived }) => verdict === 'fail' && !gating && !waived,
  /** Failures and inconclusive checks that waivers cover. */
  waived: ({ waived }) => waived,
  inconclusive: ({ verdict, waived }) => verdict === 'inconclusive' && !waived,
  untested: ({ verdict }) => verdict === 'untested',
  proved: ({ verdict }) => verdict === 'pass',
  /** Defects of mdwi. */
  errors: ({ verdict }) => verdict === 'error',
  /** All checks, without those that do not apply. */
  checks: ({ verdict }) => verdict !== 'not-applicable',
} as const satisfies Record<string, (result: Result) => boolean>;

type RunCounts = Record<keyof typeof COUNTED, number>;

/** The numbers of checks of a run. */
export const countsOf = ({ results }: Pick<Run, 'results'>): RunCounts =>
  Object.fromEntries(Object.entries(COUNTED).map(([name, holds]) => [name, results.filter(holds).length])) as RunCounts;

/** The outcome in one sentence. */
export function outcomeSentence(run: Run): string {
  const counts = countsOf(run);
  switch (run.outcome) {
    case 'conformant':
      return `The service conforms: ${counted(counts.proved, 'check')} passed, and no gating check is open.`;
    case 'conformant-with-waivers':
      return `The service conforms, except for ${counted(counts.waived, 'check')} that waivers cover.`;
    case 'partial':
      return `${counts.waived > 0 ? `Except for ${counted(counts.waived, 'check')} that waivers cover, no` : 'No'} gating check failed, but not all are decided: ${counts.proved} of ${counted(counts.checks, 'check')} passed.`;
    case 'nonconformant': {
      const failures = run.results.filter(isGatingFailure);
      const operations = new Set(failures.map(placeOf)).size;
      const { comparison } = run;
      const known = comparison && !failures.some((each) => isNewFailure(each, comparison));
      return `The service does not conform: ${counted(counts.failed, 'gating check')} failed on ${counted(operations, 'operation')}.${known ? ' None of these failures is new.' : ''}`;
    }
    case 'undetermined':
      return `${incompleteness(run).length > 0 ? 'The report is incomplete' : 'The run decides nothing'}: ${run.reason ?? 'no gating check is proved'}.`;
    case 'interrupted':
      return `The run is partial: ${run.reason ?? 'it was interrupted'}.`;
  }
}

/** The duration of a run or a request in words. */
export const durationText = (ms: number): string =>
  ms < 1000
    ? `${Math.round(ms)} ms`
    : ms < 60_000
      ? `${(ms / 1000).toFixed(1)} s`
      : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;

/** The duration of a run, with what was waited for: `40.0 s (waited 31.0 s for 34 refusals, paused 5.0 s)`. */
export function runDuration({ manifest: { durationMs, waits } }: Run): string {
  const { refusals = 0, refusedMs = 0, pausedMs = 0 } = waits ?? {};
  const parts = [
    ...(refusals > 0 ? [`waited ${durationText(refusedMs)} for ${counted(refusals, 'refusal')}`] : []),
    ...(pausedMs >= 1000 ? [`paused ${durationText(pausedMs)}`] : []),
  ];
  return `${durationText(durationMs)}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`;
}

/**
 * The requests that were sent again after a transport fault, as the rest of a sentence; empty if there are none.
 * @example `80${retriesText(run)} in 2.1 s` // '80, 2 of them sent again after a transport fault (behind 5 checks), in 2.1 s'
 */
export function retriesText({ exchanges, results }: Run): string {
  const again = exchanges.filter(({ retryOf }) => retryOf !== undefined).length;
  const behind = counted(results.filter(({ retried }) => retried).length, 'check');
  return again > 0 ? `, ${again} of them sent again after a transport fault (behind ${behind}),` : '';
}

/** The parts of a count that are not 0, such as `2 failed, 1 waived`. */
export function countsText({ failed, advised, waived, inconclusive, untested, errors }: RunCounts): string {
  const parts = [
    [failed, 'failed'],
    [errors, 'ended with a defect of mdwi'],
    [waived, 'waived'],
    [advised, 'failed as advice'],
    [inconclusive, 'inconclusive'],
    [untested, 'untested'],
  ] as const;
  const shown = parts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return shown.length > 0 ? shown.join(', ') : 'no failure';
}

/** What a run lacks: its end, or parts of a report of several runs. Readers that only count failures must not show it as passed. */
export function incompleteness({ manifest, reason = '', parts = [] }: Run): { name: string; message: string }[] {
  return [
    ...(manifest.interrupted ? [{ name: 'the run came to its end', message: reason }] : []),
    ...parts.flatMap(({ file, missing }) =>
      missing === undefined ? [] : [{ name: `the part ${file} is complete`, message: missing }],
    ),
  ];
}

/** What is wrong besides the checks: an incomplete run, and waivers that end it with 4. Readers of tests see a failed one. */
export const problemsOf = (run: Run): { name: string; message: string }[] => [
  ...incompleteness(run),
  ...(run.waivers ?? []).filter(isStaleWaiver).map(({ source, rule, state, message }) => ({
    name: `the waiver ${source} is needed and valid`,
    message: message ?? `${rule}: ${state}`,
  })),
];

/**
 * The operation of a check, with its target in a report of several runs.
 * @example placeOf({ operation: 'GET /x', target: 'staging' }) // '[staging] GET /x'
 */
export const placeOf = ({ target, operation }: Pick<Result, 'target' | 'operation'>): string =>
  target === undefined ? operation : `[${target}] ${operation}`;

type Check = Pick<Result, 'target' | 'rule' | 'operation'>;

/** A test for what is about the same check. */
export const sameCheckAs =
  ({ rule, operation, target }: Check) =>
  (other: Check): boolean =>
    other.rule === rule && other.operation === operation && other.target === target;
