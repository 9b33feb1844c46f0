/** The checks of the console report: counts per group, reasons of undecided checks, and with `--verbose` every check. */

import { GROUPS, type Group, operationOf } from '../../contract/index.ts';
import { counted } from '../../format-values.ts';
import { coverageOfEvidence } from '../../run/coverage.ts';
import type { Result, Run } from '../../run/types.ts';
import { placeOf } from '../describe-run.ts';
import { MARK_NAMES, MARKS, markOf, worstOf } from '../marks.ts';
import { below, firstOf, type Line, type Paint, signed } from './lines.ts';
import { kindOfText, sharedReason } from './same-reason.ts';

const MOST_REASONS = 8;
const MOST_RULES = 4;
const MOST_OPENINGS = 8;
const NO_REASON = 'no reason is recorded';

/** The counts of results by mark, worst first. */
function countsByMark(results: readonly Result[], paint: Paint): string {
  const counts = Map.groupBy(results, markOf);
  return MARK_NAMES.flatMap((mark) => {
    const count = counts.get(mark)?.length;
    return count === undefined ? [] : [paint(mark, `${count} ${MARKS[mark].word}`)];
  }).join(', ');
}

const TITLE_WIDTH = Math.max(...Object.values(GROUPS).map(({ title }) => title.length));

/** One line per group of operations. */
export function groupLines({ results }: Run, paint: Paint): Line[] {
  const byGroup = Map.groupBy(results, ({ operation }) => operationOf(operation).group);
  return (Object.keys(GROUPS) as Group[]).flatMap((group) => {
    const own = byGroup.get(group);
    if (own === undefined) return [];
    const worst = worstOf(own);
    const title = GROUPS[group].title.padEnd(TITLE_WIDTH);
    return [{ head: `  ${paint(worst, MARKS[worst].sign)} ${group}  ${title}  `, text: countsByMark(own, paint) }];
  });
}

/** Every check, by rule. */
export function everyCheck({ results }: Run, paint: Paint): Line[] {
  return [...Map.groupBy(results, ({ rule }) => rule)].flatMap(([rule, own]) => {
    const worst = worstOf(own);
    const advisory = own.every(({ gating }) => !gating) ? ' (advisory)' : '';
    return [
      signed(paint, worst, `${paint(worst, rule)}  ${countsByMark(own, paint)}${advisory}`),
      ...own.map((result) => {
        const coverage = coverageOfEvidence(result.evidence);
        const note = `${coverage && ` (${coverage})`}${result.note ? `: ${result.note}` : ''}${result.retried ? ' (a request was sent again after a transport fault)' : ''}`;
        return signed(paint, markOf(result), `${placeOf(result)}${note}`, 4);
      }),
    ];
  });
}

/** The checks of a reason: `3 checks of 2 rules: a, b`, or the rule and the operation of a single one. */
function checksText(results: readonly Result[]): string {
  const [first] = results as [Result];
  if (results.length === 1) return `${first.rule} on ${placeOf(first)}`;
  const rules = [...new Set(results.map(({ rule }) => rule))];
  return rules.length === 1
    ? `${first.rule} on ${results.length} operations`
    : `${results.length} checks of ${rules.length} rules: ${firstOf(rules, MOST_RULES)}`;
}

/** The reason of some checks; of reasons that differ in numbers or values, the first. */
function reasonText(results: readonly Result[]): string {
  const notes = [...new Set(results.map(({ note }) => note ?? NO_REASON))];
  if (notes.length === 1) return notes[0] as string;
  const reasons = [...new Set(notes.map(sharedReason))];
  return reasons.length === 1 ? (reasons[0] as string) : `${reasons[0]} (and ${reasons.length - 1} like it)`;
}

/** Undecided checks by reason, the most frequent reason first. */
export function reasonLines(results: readonly Result[], paint: Paint, isVerbose: boolean): Line[] {
  const keyOf = ({ note = NO_REASON }: Result): string => kindOfText(sharedReason(note));
  const reasons = [...Map.groupBy(results, keyOf).values()].sort((x, y) => y.length - x.length);
  const shown = reasons.slice(0, isVerbose ? undefined : MOST_REASONS);
  const more = reasons.slice(shown.length);
  return [
    ...shown.flatMap((own): Line[] => [
      signed(paint, worstOf(own), reasonText(own)),
      below(paint('faint', checksText(own))),
    ]),
    ...(more.length > 0
      ? [
          below(
            `and ${counted(more.length, 'more reason')} of ${counted(more.flat().length, 'check')}; --verbose shows them`,
          ),
        ]
      : []),
  ];
}

/** The openings to fill first, the rules that each makes provable, and how to list or fill all. */
export function openingLines({ openings, manifest }: Run, paint: Paint, isVerbose: boolean): Line[] {
  if (openings.length === 0) return [];
  const shown = openings.slice(0, isVerbose ? undefined : MOST_OPENINGS);
  const isEmpty = manifest.profile.startsWith('empty (');
  return [
    ...shown.flatMap(({ fill, asks, section, rules }): Line[] => [
      { head: '  ○ ', text: fill },
      below(`${asks} (section ${section}) ${paint('faint', `→ ${firstOf(rules, MOST_RULES)}`)}`),
    ]),
    ...(shown.length < openings.length
      ? [below(`and ${openings.length - shown.length} more; mdwi profile openings FILE lists them`)]
      : []),
    ...(isEmpty ? [below('mdwi profile init writes a profile in which you fill them')] : []),
  ];
}

/** The heading of the openings: how many there are, and how many checks they block. */
export function openingsTitle({ openings, results }: Run): string {
  const blocked = results.filter((each) => each.verdict === 'untested' && each.openings?.length).length;
  return `Open in the profile (${counted(openings.length, 'opening')}, ${counted(blocked, 'untested check')}): fill these first`;
}

/** The keys of the profile without effect, by reason. */
export const unreadLines = ({ unread = [] }: Run): Line[] =>
  [...Map.groupBy(unread, ({ why }) => why)].map(([why, own]) => ({
    head: '  ○ ',
    text: `${own.map(({ key }) => key).join(', ')}: ${why}`,
  }));
