/** A Markdown summary, for pull requests and job pages. */
import { counted } from '../format-values.ts';
import type { CheckChange } from '../run/comparison-types.ts';
import { coverageOfEvidence } from '../run/coverage.ts';
import type { Result, Run } from '../run/types.ts';
import { isExplained, outcomeSentence, placeOf, retriesText } from './describe-run.ts';
import { codeSpan, markdownTable, markdownText, ruleText } from './markdown-text.ts';
import { curlsOf, resultText } from './result-text.ts';

/** A heading with its lines, or nothing if there are no lines. */
const section = (title: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? ['', `## ${title}`, '', ...lines] : [];

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  rows.length > 0 ? markdownTable(head, rows) : [];

const nameOf = ({ rule, gating, waived }: Result): string =>
  `${ruleText(rule)}${waived ? ' (waived)' : gating ? '' : ' (advisory)'}`;

function failureRow(result: Result): string[] {
  const [finding] = result.findings;
  const { demands } = resultText(result);
  return [
    nameOf(result),
    codeSpan(placeOf(result)),
    `${markdownText(demands)} (${markdownText(result.section)})`,
    markdownText(finding?.expected ?? ''),
    markdownText(finding?.actual ?? result.note ?? ''),
  ];
}

/** How to repeat the requests of a failure, and what to do about it. */
function toDoLines(result: Result, run: Run): string[] {
  return [
    `- ${ruleText(result.rule)} on ${codeSpan(placeOf(result))}: ${markdownText(resultText(result).toDo)}`,
    ...curlsOf(result, run)
      .slice(0, 2)
      .map((curl) => `  - ${codeSpan(curl)}`),
  ];
}

function changes(what: string, checks: readonly CheckChange[]): string[] {
  return checks.map((check) => {
    const { rule, was, is, why, advisory } = check;
    const change =
      was !== undefined || is !== undefined ? ` (${markdownText(was ?? '')} → ${markdownText(is ?? '')})` : '';
    const reason = why === undefined ? '' : `: ${markdownText(why)}`;
    return `- ${what}${advisory ? ' (advisory)' : ''}: ${ruleText(rule)} on ${codeSpan(placeOf(check))}${change}${reason}`;
  });
}

function comparisonLines({ comparison }: Run): string[] {
  if (!comparison) return [];
  const { baseline, newFailures, fixed, lostProofs, changedEvidence, notComparable } = comparison;
  return [
    `Compared with ${codeSpan(baseline)}; not comparable: ${counted(notComparable.length, 'check')}.`,
    '',
    ...changes('new failure', newFailures),
    ...changes('no longer decided', lostProofs),
    ...changes('fixed', fixed),
    ...changes('changed evidence', changedEvidence),
  ];
}

/** The Markdown document of a run. */
export function reportToMarkdown(run: Run): string {
  const { provable, proved, unproved } = run.fractions;
  const results = run.results.filter((each) => !isExplained(each));
  const failures = results.filter((each) => each.verdict === 'fail' || each.verdict === 'error');
  const inconclusive = results.filter((each) => each.verdict === 'inconclusive' && !each.waived);
  const lines = [
    `# ${markdownText(run.outcomeInScope)}`,
    '',
    markdownText(outcomeSentence(run)),
    '',
    `Target ${codeSpan(run.manifest.target)}, profile ${codeSpan(run.manifest.profile)}, suite ${ruleText(run.manifest.suite)}, ${run.manifest.requests} requests${retriesText(run).replace(/,$/, '')}.`,
    ...(run.reason ? ['', `**${markdownText(run.reason)}**`] : []),
    '',
    `Provable ${provable[0]} of ${provable[1]} checks; proved ${proved[0]} of ${proved[1]}; claimed but unproved ${unproved}.`,
    ...section(
      'Runs',
      table(
        ['file', 'target', 'outcome', 'exit code', 'because'],
        (run.parts ?? []).map(({ file, target = '', outcomeInScope = 'missing', exitCode, reason, missing }) => [
          codeSpan(file),
          codeSpan(target),
          markdownText(outcomeInScope),
          `${exitCode ?? ''}`,
          markdownText(missing ?? reason ?? ''),
        ]),
      ),
    ),
    ...section(
      'Causes',
      (run.cause ?? []).map(({ sentence, count }) => `- ${markdownText(sentence)} (${counted(count, 'result')})`),
    ),
    ...section('Failures', table(['rule', 'operation', 'demanded', 'expected', 'actual'], failures.map(failureRow))),
    ...section(
      'What to do',
      failures.flatMap((each) => toDoLines(each, run)),
    ),
    ...section('Since the baseline', comparisonLines(run)),
    ...section(
      'Inconclusive',
      table(
        ['rule', 'operation', 'because'],
        inconclusive.map((each) => [ruleText(each.rule), codeSpan(placeOf(each)), markdownText(each.note ?? '')]),
      ),
    ),
    ...section(
      'How much was inspected',
      table(
        ['rule', 'operation', 'inspected'],
        run.results
          .filter(({ evidence }) => evidence.coverage)
          .map((each) => [
            ruleText(each.rule),
            codeSpan(placeOf(each)),
            markdownText(coverageOfEvidence(each.evidence)),
          ]),
      ),
    ),
    ...section(
      'Waivers',
      table(
        ['waiver', 'rule', 'reason', 'until', 'state'],
        (run.waivers ?? []).map((each) => [
          codeSpan(each.source),
          codeSpan(each.rule),
          markdownText(each.reason),
          markdownText(each.expires ?? 'never: add expires'),
          markdownText(each.message ?? each.state),
        ]),
      ),
    ),
    ...section(
      'Openings to fill next',
      table(
        ['fill', 'asks', 'would prove'],
        run.openings
          .slice(0, 20)
          .map((each) => [
            codeSpan(each.fill),
            `${markdownText(each.asks)} (${markdownText(each.section)})`,
            each.rules.map(ruleText).join(', '),
          ]),
      ),
    ),
  ];
  return `${lines.join('\n')}\n`;
}
