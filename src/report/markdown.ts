/** A Markdown summary, for pull requests and job pages. */
import { type StatementId, statementOf } from '../contract/index.ts';
import type { Run } from '../run/types.ts';
import { codeSpan, markdownTable, markdownText } from './markdown-text.ts';

/** The Markdown document of a run. Rule ids need no escapes: they contain no markup. */
export function reportToMarkdown(run: Run): string {
  const { provable, proved, unproved } = run.fractions;
  const lines = [
    `# ${markdownText(run.outcomeInScope)}`,
    '',
    `Target ${codeSpan(run.manifest.target)}, profile ${codeSpan(run.manifest.profile)}, suite ${run.manifest.suite}, ${run.manifest.requests} requests.`,
    ...(run.reason ? ['', `**${markdownText(run.reason)}**`] : []),
    '',
    `Provable ${provable[0]} of ${provable[1]} checks; proved ${proved[0]} of ${proved[1]}; claimed but unproved ${unproved}.`,
  ];
  const failures = run.results.filter((each) => each.verdict === 'fail' || each.verdict === 'error');
  if (failures.length > 0) {
    const rows = failures.map((each) => {
      const finding = each.findings[0];
      const says = `${statementOf(each.statement as StatementId).says} (${each.section})`;
      return [
        `${each.rule}${each.gating ? '' : ' (advisory)'}`,
        codeSpan(each.operation),
        markdownText(says),
        markdownText(finding?.expected ?? ''),
        markdownText(finding?.actual ?? each.note ?? ''),
      ];
    });
    lines.push('', '## Failures', '', ...markdownTable(['rule', 'operation', 'demanded', 'expected', 'actual'], rows));
  }
  const inconclusive = run.results.filter((each) => each.verdict === 'inconclusive');
  if (inconclusive.length > 0) {
    const rows = inconclusive.map((each) => [each.rule, codeSpan(each.operation), markdownText(each.note ?? '')]);
    lines.push('', '## Inconclusive', '', ...markdownTable(['rule', 'operation', 'because'], rows));
  }
  if (run.openings.length > 0) {
    const rows = run.openings
      .slice(0, 20)
      .map((each) => [codeSpan(each.fill), `${markdownText(each.asks)} (${each.section})`, each.rules.join(', ')]);
    lines.push('', '## Openings to fill next', '', ...markdownTable(['fill', 'asks', 'would prove'], rows));
  }
  return `${lines.join('\n')}\n`;
}
