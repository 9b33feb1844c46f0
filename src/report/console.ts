/** The report for people in a terminal: plain text, with colours if the terminal shows them. */
import { styleText } from 'node:util';
import { type StatementId, statementOf } from '../contract/index.ts';
import { cutText } from '../exchange/cut-text.ts';
import { mapTexts } from '../exchange/map-texts.ts';
import { printable } from '../exchange/printable.ts';
import { BASES, type Verdict } from '../rule/index.ts';
import type { ExchangeSummary, Result, Run } from '../run/types.ts';
import { comparisonText } from './comparison-text.ts';

const MARKS = {
  pass: ['✓', 'green'],
  fail: ['✗', 'red'],
  inconclusive: ['?', 'yellow'],
  untested: ['·', 'gray'],
  'not-applicable': ['-', 'gray'],
  error: ['!', 'magenta'],
} as const satisfies Record<Verdict, readonly [string, string]>;

type Paint = (verdict: Verdict, text: string) => string;

const painter =
  (colour: boolean): Paint =>
  (verdict, text) =>
    colour ? styleText(MARKS[verdict][1], text, { validateStream: false }) : text;

/** The lines of a failed result: the demand with its basis, expected and actual, the request as curl, and the response. */
function detail(result: Result, exchanges: ReadonlyMap<string, ExchangeSummary>): string[] {
  const lines = [
    `      demanded  ${statementOf(result.statement as StatementId).says} (section ${result.section}; ${result.basis}: ${BASES[result.basis].means})`,
  ];
  for (const finding of result.findings.slice(0, 3)) {
    lines.push(`      expected  ${finding.expected}`, `      actual    ${finding.actual}`);
    const exchange = finding.exchange ? exchanges.get(finding.exchange) : undefined;
    if (exchange?.curl) lines.push(`      request   ${exchange.curl}`);
    if (exchange?.begins) lines.push(`      answered  ${exchange.status} ${cutText(exchange.begins, 160)}`);
  }
  if (result.findings.length > 3) lines.push(`      and ${result.findings.length - 3} more findings`);
  return lines;
}

/**
 * The console report. Texts of services are escaped. `verbose` lists every result; otherwise passes are only counted per rule.
 */
export function reportToConsole(unescaped: Run, { colour = false, verbose = false } = {}): string {
  const run = mapTexts(unescaped, printable);
  const paint = painter(colour);
  const exchanges = new Map(run.exchanges.map((each) => [each.id, each]));
  const lines: string[] = [];
  const byRule = new Map<string, Result[]>();
  for (const result of run.results) byRule.set(result.rule, [...(byRule.get(result.rule) ?? []), result]);
  for (const [rule, results] of byRule) {
    const counts = new Map<Verdict, number>();
    for (const { verdict } of results) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    const worst = (['fail', 'error', 'inconclusive', 'pass', 'untested', 'not-applicable'] as const).find((each) =>
      counts.has(each),
    ) as Verdict;
    const summary = [...counts]
      .map(([verdict, count]) => (results.length === 1 ? verdict : `${count} ${verdict}`))
      .join(', ');
    const advisory = results.every((each) => !each.gating) ? ' (advisory)' : '';
    lines.push(`  ${paint(worst, MARKS[worst][0])} ${rule}  ${paint(worst, summary)}${advisory}`);
    for (const result of results) {
      const isShown = result.verdict === 'fail' || result.verdict === 'error' || result.verdict === 'inconclusive';
      if (!isShown && !verbose) continue;
      lines.push(
        `    ${paint(result.verdict, `${MARKS[result.verdict][0]} ${result.operation}`)}${result.note ? `: ${result.note}` : ''}`,
      );
      if (result.verdict === 'fail') lines.push(...detail(result, exchanges));
    }
  }
  if (run.openings.length > 0) {
    lines.push('', `  ${run.openings.length} openings block checks; fill these first:`);
    for (const opening of run.openings.slice(0, verbose ? undefined : 8)) {
      lines.push(
        `    ${opening.fill}`,
        `      ${opening.asks} (section ${opening.section}) → ${opening.rules.slice(0, 4).join(', ')}${opening.rules.length > 4 ? `, ${opening.rules.length - 4} more` : ''}`,
      );
    }
  }
  if (run.comparison) lines.push('', ...comparisonText(run.comparison, { verbose }));
  const { provable, proved, unproved } = run.fractions;
  const verdict: Verdict = run.outcome === 'nonconformant' ? 'fail' : run.exitCode === 0 ? 'pass' : 'inconclusive';
  lines.push(
    '',
    `  target    ${run.manifest.target}`,
    `  profile   ${run.manifest.profile}`,
    `  requests  ${run.manifest.requests} in ${run.manifest.durationMs} ms`,
    `  provable  ${provable[0]}/${provable[1]} checks · proved ${proved[0]}/${proved[1]} · claimed but unproved ${unproved}`,
    `  outcome   ${paint(verdict, run.outcomeInScope)}${run.reason ? ` – ${run.reason}` : ''}`,
  );
  return `${lines.join('\n')}\n`;
}
