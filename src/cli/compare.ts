/** `mdwi compare`: what changed from one run to another. */
import { mapTexts } from '../exchange/map-texts.ts';
import { printable } from '../exchange/printable.ts';
import { comparisonText } from '../report/comparison-text.ts';
import type { Run } from '../run/types.ts';
import { UsageError } from '../usage-error.ts';
import { type Command, parse } from './parse-flags.ts';
import { reportingOf } from './report-options.ts';
import { COMPARE_FLAGS } from './usage/reports.ts';

const MANIFEST_ROWS = [
  ['target', 'target'],
  ['profile', 'profile'],
  ['safety', 'safety'],
  ['run', 'startedAt'],
] as const;

/** The comparison for people in a terminal. */
function textOf(unescaped: Run, unescapedBefore: Run, verbose: boolean): string {
  const [run, before] = [mapTexts(unescaped, printable), mapTexts(unescapedBefore, printable)];
  const rows = MANIFEST_ROWS.map(([label, key]) => {
    const [was, is] = [before.manifest[key], run.manifest[key]];
    return `  ${label.padEnd(9)} ${was === is ? is : `${was} → ${is}`}`;
  });
  const lines = [
    ...rows,
    '',
    ...(run.comparison ? comparisonText(run.comparison, { verbose }) : []),
    '',
    `  outcome   ${before.outcomeInScope} → ${run.outcomeInScope}${run.reason ? ` – ${run.reason}` : ''}`,
  ];
  return `${lines.join('\n')}\n`;
}

export const compare: Command = async (args) => {
  const { values, positionals } = parse(args, COMPARE_FLAGS, 2);
  const [baseline, file] = positionals;
  if (baseline === undefined || file === undefined)
    throw new UsageError('mdwi compare A.json B.json: two files are needed, the earlier run first');
  const { readRun } = await import('../comparison/read-run.ts');
  const [before, after] = [readRun(baseline), readRun(file)];
  const { compareWithBaseline } = await import('../comparison/fail-on-new.ts');
  const compared = compareWithBaseline(before, after, baseline, values['fail-on-new'] ?? false);
  const { report } = await reportingOf(values, 'compare');
  return report(compared, [], { textOf: (run) => textOf(run, before, values.verbose ?? false) });
};
