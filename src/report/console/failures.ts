/** The failures of the console report: one block per rule and kind of finding, however many operations show it. */

import { cutText } from '../../exchange/printable.ts';
import { counted, dateText } from '../../format-values.ts';
import type { ExchangeSummary, ReportedFinding, Result, Run } from '../../run/types.ts';
import { placeOf, sameCheckAs } from '../describe-run.ts';
import { markOf } from '../marks.ts';
import { resultText } from '../result-text.ts';
import { below, firstOf, type Line, labelled, type Paint, signed } from './lines.ts';
import { kindOfText } from './same-reason.ts';

/** This many rules are shown with all details; of the others the first finding. `--verbose` shows all. */
const MOST_RULES = 12;
const MOST_KINDS = 3;
/** Advice does not change the outcome, so that one kind is enough. */
const MOST_KINDS_OF_ADVICE = 1;
const MOST_OPERATIONS = 3;
const MOST_CHARACTERS = 160;

interface Shown {
  readonly result: Result;
  readonly finding: Pick<ReportedFinding, 'expected' | 'actual' | 'exchange'>;
}

/** The findings of a rule by kind. A result without a finding, such as a defect of mdwi, shows its note. */
function kindsOf(results: readonly Result[]): Shown[][] {
  const shown = results.flatMap((result) =>
    result.findings.length > 0
      ? result.findings.map((finding) => ({ result, finding }))
      : [{ result, finding: { expected: '', actual: result.note ?? '' } }],
  );
  return [...Map.groupBy(shown, ({ finding: { expected, actual } }) => kindOfText(`${expected}\n${actual}`)).values()];
}

const operationsOf = (results: readonly Result[]): string[] => [...new Set(results.map(placeOf))];

const whereOf = (operations: readonly string[]): string =>
  operations.length === 1 ? (operations[0] as string) : counted(operations.length, 'operation');

/** What is known of the checks besides this run, such as `new`. */
function notesOf(results: readonly Result[], { comparison, history }: Run): string {
  const notes = results.flatMap((result) => {
    const isThis = sameCheckAs(result);
    const past = history?.checks.find(isThis);
    return [
      ...(comparison?.newFailures.some(isThis) ? [`new since ${comparison.baseline}`] : []),
      ...(past?.firstFailedOn ? [`fails since ${dateText(past.firstFailedOn)}`] : []),
      ...(past?.flakySince ? [`flaky since ${dateText(past.flakySince)}`] : []),
      ...(result.pinned ? [`advice until the rule set moves to ${result.since ?? 'a later version'}`] : []),
      ...(result.retried ? ['a request was sent again after a transport fault'] : []),
    ];
  });
  const counts = [...Map.groupBy(notes, (each) => each)];
  return counts
    .map(([note, each]) => (each.length === results.length ? note : `${note} (${each.length} of ${results.length})`))
    .join(', ');
}

function headOf(results: readonly Result[], paint: Paint, run: Run): Line[] {
  const [first] = results as [Result];
  const mark = markOf(first);
  const operations = operationsOf(results);
  const notes = notesOf(results, run);
  const where = whereOf(operations);
  return [
    signed(paint, mark, `${paint(mark, first.rule)}  ${where}${notes === '' ? '' : paint('faint', `  (${notes})`)}`),
    ...(operations.length === 1 ? [] : [below(firstOf(operations, MOST_OPERATIONS))]),
  ];
}

/** The lines of one kind of findings. The exchange is shown if the kind before, if any, has another. */
function kindLines(kind: readonly Shown[], operations: readonly string[], run: Run, before?: readonly Shown[]): Line[] {
  const [{ finding }] = kind as [Shown, ...Shown[]];
  const own = operationsOf(kind.map((each) => each.result));
  const exchange = run.exchanges.find(({ id }) => id === finding.exchange);
  return [
    ...(operations.length > 1 && own.length < operations.length
      ? [labelled(4, 'on', firstOf(own, MOST_OPERATIONS))]
      : []),
    ...(finding.expected === '' ? [] : [labelled(4, 'expected', finding.expected)]),
    labelled(4, 'actual', `${finding.actual}${kind.length > 1 ? ` (and ${kind.length - 1} more like it)` : ''}`),
    ...(exchange && exchange.id !== before?.[0]?.finding.exchange ? exchangeLines(exchange) : []),
  ];
}

function exchangeLines({ curl, begins, status, failure }: ExchangeSummary): Line[] {
  const response = failure ?? `${status ?? ''} ${cutText(begins ?? '', MOST_CHARACTERS)}`.trim();
  return [
    ...(curl === undefined ? [] : [{ ...labelled(4, 'request', curl), isCommand: true as const }]),
    ...(response === '' ? [] : [labelled(4, 'response', response)]),
  ];
}

/** One block: the rule with its operations, the demand, the kinds of findings, and how to learn more. */
function block(results: readonly Result[], paint: Paint, run: Run, isVerbose: boolean): Line[] {
  const [first] = results as [Result];
  const operations = operationsOf(results);
  const kinds = kindsOf(results);
  const most = markOf(first) === 'advice' ? MOST_KINDS_OF_ADVICE : MOST_KINDS;
  const shown = kinds.slice(0, isVerbose ? undefined : most);
  const text = resultText(first);
  const others = kinds.slice(shown.length).flat().length;
  return [
    ...headOf(results, paint, run),
    labelled(4, 'demanded', `${text.says ?? text.demands} (section ${first.section}; ${text.basis})`),
    ...(first.note && first.findings.length > 0 ? [labelled(4, 'note', first.note)] : []),
    ...shown.flatMap((kind, at) => kindLines(kind, operations, run, shown[at - 1])),
    ...(others > 0 ? [labelled(4, 'and', `${counted(others, 'more finding')} of other kinds`)] : []),
    ...(first.verdict === 'error' ? [labelled(4, 'to do', text.toDo)] : []),
    { ...labelled(4, 'see', text.explain), isCommand: true },
  ];
}

/** One line for a rule that is not shown in detail. */
const shortened = (results: readonly Result[], paint: Paint): Line => {
  const [first] = results as [Result];
  const what = first.findings[0]?.actual ?? first.note ?? '';
  return signed(
    paint,
    markOf(first),
    `${paint(markOf(first), first.rule)}  ${whereOf(operationsOf(results))}: ${what}`,
  );
};

/**
 * The lines of failed results. Results of a rule are one block, and findings that differ only in rows and values are shown
 * once. Of many rules, the last ones are shown in detail.
 * @param isVerbose shows all details of each result
 */
export function failureLines(results: readonly Result[], paint: Paint, run: Run, isVerbose: boolean): Line[] {
  const groups = isVerbose
    ? results.map((each) => [each])
    : [...Map.groupBy(results, (each) => `${each.rule} ${markOf(each)}`).values()];
  const short = isVerbose ? [] : groups.slice(0, Math.max(0, groups.length - MOST_RULES));
  return [
    ...short.map((group) => shortened(group, paint)),
    ...groups.slice(short.length).flatMap((group) => block(group, paint, run, isVerbose)),
  ];
}
