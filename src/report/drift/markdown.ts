/** A comparison as Markdown, for pull requests and job pages. */
import type { DriftReport } from '../../drift/report.ts';
import { exampleOf, notComparedLines, summaryOf } from './console.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
const code = (text: string): string => (text === '' ? '' : `\`${cell(text).replaceAll('`', "'")}\``);

/** The Markdown document of a comparison. */
export function reportDriftToMarkdown(report: DriftReport): string {
  const lines = [
    `# Drift: ${cell(report.was.name)} → ${cell(report.is.name)}`,
    '',
    `${cell(summaryOf(report))}.`,
    ...(report.reason === undefined ? [] : ['', `**${cell(report.reason)}**`]),
  ];
  if (report.differences.length > 0) {
    lines.push('', '| class | operation | path | kind | count | was → is |', '|---|---|---|---|---|---|');
    for (const each of report.differences)
      lines.push(
        `| ${each.class} | ${code(each.operation)} | ${code(each.path)} | ${each.kind} | ${each.count} | ${code(exampleOf(each))} |`,
      );
  }
  if (report.notCompared.length > 0)
    lines.push('', '## Not compared', '', ...notComparedLines(report).map((line) => `- ${cell(line)}`));
  if (report.notes.length > 0) lines.push('', ...report.notes.map((note) => `- ${cell(note)}`));
  return `${lines.join('\n')}\n`;
}
