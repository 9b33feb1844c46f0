/** The table of formats of a drift report, and Markdown, for pull requests and job pages. */

import { jsonText } from '../../../report/json-text.ts';
import { codeSpan, markdownTable, markdownText } from '../../../report/markdown-text.ts';
import { exampleOf, notComparedLines, summaryOf } from './console.ts';
import type { DriftReport } from './schema.ts';

/** The Markdown document of a comparison. */
function reportDriftToMarkdown(report: DriftReport): string {
  const lines = [
    `# Drift: ${codeSpan(report.was.name)} → ${codeSpan(report.is.name)}`,
    '',
    `${markdownText(summaryOf(report))}.`,
    ...(report.reason === undefined ? [] : ['', `**${markdownText(report.reason)}**`]),
  ];
  if (report.differences.length > 0) {
    const rows = report.differences.map((each) => [
      each.class,
      codeSpan(each.operation),
      codeSpan(each.path),
      each.kind,
      each.count,
      codeSpan(exampleOf(each)),
    ]);
    lines.push('', ...markdownTable(['class', 'operation', 'path', 'kind', 'count', 'was → is'], rows));
  }
  if (report.notCompared.length > 0)
    lines.push('', '## Not compared', '', ...notComparedLines(report).map((line) => `- ${markdownText(line)}`));
  if (report.notes.length > 0) lines.push('', ...report.notes.map((note) => `- ${markdownText(note)}`));
  return `${lines.join('\n')}\n`;
}

/** One pure function per format, by the name of the format. */
export const DRIFT_FORMATS = {
  json: jsonText,
  markdown: reportDriftToMarkdown,
} as const satisfies Record<string, (report: DriftReport) => string>;

/** The name of a format in `mdwi drift --report FORMAT=FILE`. */
export type DriftFormat = keyof typeof DRIFT_FORMATS;
