/** Writes the verification of a recording for people: its size and content, one line per finding, and a verdict. */

import { mapTexts } from '../../exchange/map-texts.ts';
import { printable } from '../../exchange/printable.ts';
import { sizeText } from '../../format-values.ts';
import { type RecordingProblem, severityOf } from './finding.ts';
import type { Verification } from './verify.ts';

/** The maximum number of lines per kind of finding. */
const MAX_LINES = 20;

const LABELS = { secret: 'SECRET', broken: 'error', gate: 'error', warning: 'warning', note: 'note' } as const;

const lineOf = (finding: RecordingProblem): string => {
  const { file, entry, says, advice } = finding;
  const where = [file, entry].filter((each) => each !== undefined).join(' · ');
  return `  ${LABELS[severityOf(finding)].padEnd(8)}${where === '' ? '' : `${where}: `}${says}${advice === undefined ? '' : `; ${advice}`}`;
};

const countLabelled = (findings: readonly RecordingProblem[], ...labels: readonly string[]): number =>
  findings.filter((each) => labels.includes(LABELS[severityOf(each)])).length;

const plural = (number: number, noun: string): string =>
  `${number === 0 ? 'no' : number} ${noun}${number === 1 ? '' : 's'}`;

/** The report of one recording. File names and texts of the recording are escaped. */
export function reportVerifiedToConsole(unescaped: Verification): string {
  const verified = mapTexts(unescaped, printable);
  const { name, about, reloads, entries, operations, lanes, bytes, files, largest, findings, used } = verified;
  const [largestFile] = largest;
  const headings = [
    ...(about ? [`${about.source}, ${about.upstream}, profile ${about.profile}`] : []),
    ...(about && reloads !== undefined
      ? [`recorded ${about.recordedAt.slice(0, 10)}, ${plural(reloads, 'weekly reload')} since`]
      : []),
    `${entries === 1 ? '1 entry' : `${entries} entries`} in ${plural(lanes, 'lane')}, ${operations} of 41 operations${used === undefined ? '' : `; the suites use ${used} requests`}`,
    `${sizeText(bytes)} in ${files} files${largestFile ? `, the largest ${largestFile.file} (${sizeText(largestFile.bytes)})` : ''}`,
  ];
  const shown = new Map<string, number>();
  const lines = findings
    .toSorted((a, b) => rank(a) - rank(b))
    .flatMap((each) => {
      const shownOfKind = shown.get(each.kind) ?? 0;
      shown.set(each.kind, shownOfKind + 1);
      return shownOfKind < MAX_LINES ? [lineOf(each)] : [];
    });
  const omitted = [...shown]
    .filter(([, number]) => number > MAX_LINES)
    .map(([kind, number]) => `          … and ${number - MAX_LINES} more “${kind}”; --report json=FILE lists them all`);
  const [errors, warnings] = [countLabelled(findings, 'SECRET', 'error'), countLabelled(findings, 'warning')];
  const verdict = `  ${errors === 0 ? 'valid' : 'NOT valid'}: ${plural(errors, 'error')}, ${plural(warnings, 'warning')}`;
  return `${[name, ...headings.map((each) => `  ${each}`), ...lines, ...omitted, verdict].join('\n')}\n`;
}

const SEVERITIES = Object.keys(LABELS);
const rank = (finding: RecordingProblem): number => SEVERITIES.indexOf(severityOf(finding));
