/** The comparison for people in a terminal: one line per operation and path, worst first. */

import { styleText } from 'node:util';
import { mapTexts } from '../../../exchange/map-texts.ts';
import { printable } from '../../../exchange/printable.ts';
import { counted } from '../../../format-values.ts';
import { CLASSES, type DriftClass, type DriftDifference, rankOf } from '../classes.ts';
import type { DriftReport } from './schema.ts';

const COLOURS: Record<DriftClass, Parameters<typeof styleText>[0]> = {
  'verdict changed': 'magenta',
  'breaking shape': 'red',
  'additive shape': 'yellow',
  data: 'cyan',
  volatile: 'gray',
};

/** `was → is`, or the only one of both. */
export const exampleOf = ({ was, is }: Pick<DriftDifference, 'was' | 'is'>): string => {
  if (was === undefined) return is ?? '';
  return is === undefined ? was : `${was} → ${is}`;
};

/** Maximum number of listed operations; more are only counted. */
const MAX_NAMED = 3;

/** The requests that were not compared, one line per reason. */
export const notComparedLines = ({ notCompared }: DriftReport): string[] =>
  [...Map.groupBy(notCompared, ({ because }) => because)].map(([because, requests]) => {
    const names = requests.map(({ operation }) => operation);
    const named = names.length > MAX_NAMED ? `${names.length} operations` : names.join(', ');
    return `${counted(
      requests.reduce((sum, { requests }) => sum + requests, 0),
      'request',
    )} ${because} (${named})`;
  });

/** The number of differences of each class, and of compared responses. */
export function summaryOf(report: DriftReport): string {
  const counts = CLASSES.map((each) => `${report.counts[each]} ${each}`).join(' · ');
  const totals = [
    `${counted(report.compared, 'response')} compared`,
    ...(report.ignored > 0 ? [`${report.ignored} ignored`] : []),
  ];
  return `${counts} (${totals.join(', ')})`;
}

/**
 * The console report. Texts of services are escaped.
 * @param show the least severe class whose lines are shown; others are only counted
 */
export function reportDriftToConsole(
  unescaped: DriftReport,
  { colour = false, show = 'data' }: { readonly colour?: boolean; readonly show?: DriftClass } = {},
): string {
  const report = mapTexts(unescaped, printable);
  const shown = report.differences.filter((each) => rankOf(each.class) <= rankOf(show));
  const rows = shown.map((each) => [each.class, each.operation, each.path, each.kind, each.count, exampleOf(each)]);
  const widths = [0, 1, 2, 3, 4].map((at) => Math.max(0, ...rows.map((row) => Math.min(row[at]?.length ?? 0, 60))));
  const lines = rows.map((row, at) => {
    const padded = row.map((cell, column) => (column < 5 ? cell.padEnd(widths[column] as number) : cell));
    const [first = '', ...rest] = padded;
    const coloured = colour
      ? styleText(COLOURS[shown[at]?.class as DriftClass], first, { validateStream: false })
      : first;
    return [coloured, ...rest].join('  ').trimEnd();
  });
  return [
    `${report.was.name} (${report.was.at}) → ${report.is.name} (${report.is.at})`,
    ...lines,
    ...(report.notCompared.length > 0 ? ['not compared', ...notComparedLines(report).map((line) => `  ${line}`)] : []),
    ...report.notes.map((note) => `note: ${note}`),
    summaryOf(report),
    '',
  ].join('\n');
}
