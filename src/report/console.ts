/** The report for people in a terminal: plain text, with colours and the width of the terminal if wanted. */

import { mapTexts } from '../exchange/map-texts.ts';
import { printable } from '../exchange/printable.ts';
import { counted, dateText } from '../format-values.ts';
import type { Result, Run } from '../run/types.ts';
import { comparisonText } from './comparison-text.ts';
import { everyCheck, groupLines, openingLines, openingsTitle, reasonLines, unreadLines } from './console/checks.ts';
import { failureLines } from './console/failures.ts';
import {
  EMPTY_LINE,
  formatLines,
  headed,
  indented,
  type Line,
  labelled,
  type Paint,
  paintWith,
  signed,
} from './console/lines.ts';
import { waiversLines } from './console/waivers.ts';
import { countsOf, countsText, isExplained, retriesText, runDuration } from './describe-run.ts';
import { markOf } from './marks.ts';

/** The difference to the baseline. */
const comparisonLines = ({ comparison }: Run, isVerbose: boolean): Line[] =>
  comparison === undefined ? [] : comparisonText(comparison, { verbose: isVerbose }).map(indented);

/** What earlier runs show: observations that give no verdict, and checks whose verdict changes from run to run. */
function historyLines({ history }: Run, paint: Paint): Line[] {
  const flaky = (history?.checks ?? []).filter(({ flakySince }) => flakySince !== undefined);
  return [
    ...(history?.notes ?? []).map((text) => ({ head: '  ', text })),
    ...flaky.map(({ rule, operation, flakySince }) =>
      signed(paint, 'inconclusive', `${rule} on ${operation}: flaky since ${dateText(flakySince ?? '')}`),
    ),
  ];
}

/**
 * Outcome, counts, requests, target and exit code of a run in one line, with a final line feed.
 * @example reportToSummary(run) // 'mdwi: conformant (C, read): no failure, 31/31 proved; 14 requests in 2.1 s; https://host; exit code 0\n'
 */
export function reportToSummary(run: Run): string {
  const { proved, provable } = run.fractions;
  const open = provable[1] - provable[0];
  const extent = `${proved[0]}/${proved[1]} proved${open > 0 ? `, ${open} of ${provable[1]} not provable` : ''}`;
  const { requests, target } = run.manifest;
  return `${printable(
    `mdwi: ${run.outcomeInScope}: ${countsText(countsOf(run))}, ${extent}${changesText(run)}; ${requests} requests${retriesText(run)} in ${runDuration(run)}; ${target}; exit code ${run.exitCode}`,
  )}\n`;
}

/** What changed since the baseline, for one line; empty without one. */
function changesText({ comparison }: Pick<Run, 'comparison'>): string {
  if (!comparison) return '';
  const { baseline, newFailures, fixed, lostProofs } = comparison;
  return `; since ${baseline}: ${counted(newFailures.length, 'new failure')}, ${fixed.length} fixed, ${lostProofs.length} no longer decided`;
}

export interface ConsoleOptions {
  readonly colour?: boolean;
  /** Shows every check and all details; otherwise passes are counted, and equal results are shown once. */
  readonly verbose?: boolean;
  /** The width of the terminal, to which long lines wrap. */
  readonly columns?: number | undefined;
}

const outcomeText = ({ outcome, outcomeInScope, exitCode, reason }: Run, paint: Paint): string => {
  const mark = outcome === 'nonconformant' ? 'fail' : exitCode === 0 ? 'pass' : 'inconclusive';
  return `${paint(mark, outcomeInScope)}${reason ? ` – ${reason}` : ''}`;
};

/** The facts of the run, and the outcome as the last line. */
function summaryLines(run: Run, paint: Paint): Line[] {
  const { manifest, fractions } = run;
  const { provable, proved, unproved } = fractions;
  return [
    EMPTY_LINE,
    labelled(2, 'target', manifest.targetName ? `${manifest.targetName}, ${manifest.target}` : manifest.target),
    labelled(2, 'profile', manifest.profile),
    ...(manifest.ruleSet ? [labelled(2, 'rules', `rule set ${manifest.ruleSet}; later rules advise`)] : []),
    ...(manifest.depth ? [labelled(2, 'depth', `${manifest.depth}, sample seed ${manifest.seed}`)] : []),
    labelled(2, 'requests', `${manifest.requests}${retriesText(run)} in ${runDuration(run)}`),
    labelled(
      2,
      'provable',
      `${provable[0]}/${provable[1]} checks · proved ${proved[0]}/${proved[1]} · claimed but unproved ${unproved}`,
    ),
    labelled(2, 'outcome', outcomeText(run, paint)),
  ];
}

const causeLines = ({ cause = [] }: Run, paint: Paint): Line[] =>
  cause.map(({ sentence, operations, count }) => ({
    head: `  ${paint('fail', '!')} `,
    text: `${sentence} ${paint('faint', `(explains ${counted(count, 'result')} on ${counted(operations.length, 'operation')})`)}`,
  }));

/**
 * The console report: what needs attention, the worst last, then the outcome. Texts of services are escaped.
 * @example reportToConsole(run, { colour: true, columns: 80 })
 */
export function reportToConsole(unescaped: Run, options: ConsoleOptions = {}): string {
  const { colour = false, verbose = false, columns } = options;
  const run = mapTexts(unescaped, printable);
  const { unread = [] } = run;
  const paint = paintWith(colour);
  const shown = verbose ? run.results : run.results.filter((each) => !isExplained(each));
  const marked = Map.groupBy(shown, markOf);
  const untested = (marked.get('untested') ?? []).filter(({ openings }) => !openings?.length);
  const inconclusive = marked.get('inconclusive') ?? [];
  const advice = marked.get('advice') ?? [];
  const waived = marked.get('waived') ?? [];
  const failures = [...(marked.get('error') ?? []), ...(marked.get('fail') ?? [])];
  const numbered = (title: string, results: readonly Result[]): string => {
    const marks = new Set(results.map(markOf));
    const all = run.results.filter((each) => marks.has(markOf(each))).length;
    return results.length === all
      ? `${title} (${all})`
      : `${title} (${results.length} of ${all}; the causes explain the others)`;
  };
  const lines = [
    ...(verbose ? [...everyCheck(run, paint), EMPTY_LINE] : []),
    ...groupLines(run, paint),
    ...headed(paint, openingsTitle(run), openingLines(run, paint, verbose)),
    ...headed(paint, `Without effect in the profile (${counted(unread.length, 'key')})`, unreadLines(run)),
    ...headed(paint, `Untested for other reasons (${untested.length})`, reasonLines(untested, paint, verbose)),
    ...headed(paint, numbered('Inconclusive', inconclusive), reasonLines(inconclusive, paint, verbose)),
    ...headed(paint, 'Earlier runs', historyLines(run, paint)),
    ...headed(
      paint,
      numbered('Failed as advice, which does not change the outcome', advice),
      failureLines(advice, paint, run, verbose),
    ),
    ...(verbose ? headed(paint, numbered('Waived', waived), failureLines(waived, paint, run, verbose)) : []),
    ...headed(paint, `Waivers (${run.waivers?.length})`, waiversLines(run, paint)),
    ...headed(paint, 'Changes', comparisonLines(run, verbose)),
    ...headed(paint, numbered('Failed', failures), failureLines(failures, paint, run, verbose)),
    ...headed(paint, `Causes (${run.cause?.length})`, causeLines(run, paint)),
    ...summaryLines(run, paint),
  ];
  return formatLines(lines, columns);
}

/**
 * The outcome, with the reason if it is not conformant, and what changed since the baseline, in one line.
 * @example reportOutcome(run) // 'nonconformant (C, read) – 2 gating checks failed\n'
 */
export function reportOutcome(unescaped: Run, colour = false): string {
  const run = mapTexts(unescaped, printable);
  return `${outcomeText(run, paintWith(colour))}${changesText(run)}\n`;
}
