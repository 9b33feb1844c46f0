/** The strength of a profile for people in a terminal. */
import { mapTexts } from '../exchange/map-texts.ts';
import { printable } from '../exchange/printable.ts';
import { counted } from '../format-values.ts';
import { MUTANT_VERDICTS } from './judge-mutants.ts';
import type { MutantCounts, MutantEntry, StrengthReport } from './report.ts';

/** So many kinds of mutants that are not caught are shown; more are only counted. */
const MAX_SHOWN = 20;
/** So many lines are shown. */
const BEST_LINES = 3;

/** A table: columns are aligned, numbers to the right. */
function table(rows: readonly (readonly (string | number)[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => String(row[at] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, at) => (at === 0 ? String(cell).padEnd(widths[at] ?? 0) : String(cell).padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

const rowsOf = (by: Readonly<Record<string, MutantCounts>>) =>
  Object.entries(by).map(([name, counts]) => [name, counts.mutants, ...MUTANT_VERDICTS.map((each) => counts[each])]);

/** The mutants of one verdict by operator and operation, the most first. */
function kindsOf(mutants: readonly MutantEntry[], verdict: MutantEntry['verdict']): string[] {
  const kinds = [
    ...Map.groupBy(
      mutants.filter((each) => each.verdict === verdict),
      ({ operator, operation, consistency, rhythm }) => JSON.stringify([operator, operation, consistency, rhythm]),
    ).values(),
  ].sort((x, y) => y.length - x.length);
  const lines = kinds.slice(0, MAX_SHOWN).flatMap((each) => {
    const [first] = each as [MutantEntry];
    const { says, operation, statement, section, consistency, rhythm, promise } = first;
    return [
      `  ${each.length}  ${says}  ${operation}`,
      `     breaks ${statement} (section ${section})${promise === undefined ? '' : ` by the promise ${promise}`}; ${consistency}, ${rhythm}; such as ${first.at}`,
      ...(verdict === 'unseen' ? [`     ${whyUnseen(each)}`] : []),
    ];
  });
  return kinds.length > MAX_SHOWN
    ? [...lines, `  and ${counted(kinds.length - MAX_SHOWN, 'kind')} more: --report json=FILE`]
    : lines;
}

/** The lines that catch something, the best three first. */
const linesOf = (lines: StrengthReport['lines']): string[] =>
  lines
    .filter(({ caught }) => caught > 0)
    .slice(0, BEST_LINES)
    .flatMap(({ key, value, caught, tried, isPromise, evidence }) => [
      `  ${key}: ${value}`,
      `     catches ${caught} of ${counted(tried, 'mutant')} that were tried; ${isPromise ? 'a promise that only you can make; seen' : 'seen'}: ${evidence}`,
    ]);

/** Why mutants of one kind are unseen, as far as lines were tried. */
function whyUnseen(mutants: readonly MutantEntry[]): string {
  const line = mutants.find(({ caughtWith }) => caughtWith !== undefined)?.caughtWith;
  return line === undefined
    ? 'no line that was tried catches it: there is no rule for it, or the depth draws too few'
    : `an opening: ${line} catches it`;
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines];

const reasons = (leftOut: StrengthReport['legal']): string[] =>
  [...Map.groupBy(leftOut, ({ operator, because }) => JSON.stringify([operator, because])).values()].map((each) => {
    const [first] = each as [(typeof leftOut)[number]];
    return `  ${each.reduce((sum, { count }) => sum + count, 0)}  ${first.operator}: ${first.because}`;
  });

/** The console report. Texts of services are escaped. */
export function strengthToConsole(unescaped: StrengthReport): string {
  const report = mapTexts(unescaped, printable);
  const { counts, score, mutants } = report;
  return [
    ...table([
      ['', 'mutants', ...MUTANT_VERDICTS],
      ...rowsOf(report.byGroup).map(([name, ...numbers]) => [`group ${name}`, ...numbers]),
      ...rowsOf(report.byStatement),
      ['all', counts.mutants, ...MUTANT_VERDICTS.map((each) => counts[each])],
    ]),
    ...section('Lines for the profile that would catch most, each tried', linesOf(report.lines)),
    ...section('Unseen', kindsOf(mutants, 'unseen')),
    ...section('Seen by an advisory check only', kindsOf(mutants, 'advisory')),
    ...section(
      'Undecided: a run would send requests that are not recorded, or a gating check is inconclusive',
      kindsOf(mutants, 'undecided'),
    ),
    ...section('Left out: a conforming service could have made this change', reasons(report.legal)),
    ...section('Not tried', reasons(report.notTried)),
    '',
    `  target    ${report.target}`,
    `  profile   ${report.profile}`,
    `  unchanged ${report.outcome}`,
    `  mutants   ${counts.mutants}, sample seed ${report.seed}`,
    `  score     ${score === undefined ? 'none: no mutant is decided' : `${score} % of ${counts.mutants - counts.undecided} decided mutants are caught`}`,
    '',
  ].join('\n');
}
