/** A Markdown summary, for pull requests and job pages. */
import { type StatementId, statementOf } from '../contract/index.ts';
import type { Run } from '../run/types.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

/** The Markdown document of a run. */
export function reportToMarkdown(run: Run): string {
  const { provable, proved, unproved } = run.fractions;
  const lines = [
    `# ${run.outcomeInScope}`,
    '',
    `Target ${code(run.manifest.target)}, profile ${cell(run.manifest.profile)}, suite ${run.manifest.suite}, ${run.manifest.requests} requests.`,
    ...(run.reason ? ['', `**${cell(run.reason)}**`] : []),
    '',
    `Provable ${provable[0]} of ${provable[1]} checks; proved ${proved[0]} of ${proved[1]}; claimed but unproved ${unproved}.`,
  ];
  const failures = run.results.filter((each) => each.verdict === 'fail' || each.verdict === 'error');
  if (failures.length > 0) {
    lines.push('', '## Failures', '', '| rule | operation | demanded | expected | actual |', '|---|---|---|---|---|');
    for (const each of failures) {
      const finding = each.findings[0];
      const says = `${statementOf(each.statement as StatementId).says} (${each.section})`;
      lines.push(
        `| ${each.rule}${each.gating ? '' : ' (advisory)'} | ${code(each.operation)} | ${cell(says)} | ${cell(finding?.expected ?? '')} | ${cell(finding?.actual ?? each.note ?? '')} |`,
      );
    }
  }
  const doubtful = run.results.filter((each) => each.verdict === 'inconclusive');
  if (doubtful.length > 0) {
    lines.push('', '## Inconclusive', '', '| rule | operation | because |', '|---|---|---|');
    for (const each of doubtful) lines.push(`| ${each.rule} | ${code(each.operation)} | ${cell(each.note ?? '')} |`);
  }
  if (run.openings.length > 0) {
    lines.push('', '## Openings to fill next', '', '| fill | asks | would prove |', '|---|---|---|');
    for (const each of run.openings.slice(0, 20))
      lines.push(`| ${code(each.fill)} | ${cell(each.asks)} (${each.section}) | ${each.rules.join(', ')} |`);
  }
  return `${lines.join('\n')}\n`;
}
