/** The issues of a tracker that the failures of a run deserve. */
import { createHash } from 'node:crypto';
import { printable } from '../exchange/printable.ts';
import type { Result, Run } from '../run/types.ts';
import { isExplained, isGatingFailure } from './describe-run.ts';
import { codeSpan, markdownText } from './markdown-text.ts';
import { curlsOf, resultText } from './result-text.ts';

export interface Issue {
  /** A comment in the body that is the same for the same failure of the same target in every run. */
  readonly marker: string;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
}

/** The name of a target in the configuration, or its address. */
const targetOf = ({ target }: Result, { manifest }: Run): string => target ?? manifest.targetName ?? manifest.target;

function issueOf(result: Result, run: Run, fingerprint: string): Issue {
  const target = targetOf(result, run);
  const hash = createHash('sha256').update(`${target}\n${fingerprint}`).digest('hex').slice(0, 32);
  const marker = `<!-- mdwi-failure: ${hash} -->`;
  const findings = result.findings.filter((each) => each.fingerprint === undefined || each.fingerprint === fingerprint);
  const [finding] = findings;
  const { demands, toDo, explain } = resultText(result);
  const lines = [
    `${markdownText(demands)} (${markdownText(result.section)})`,
    '',
    `- target: ${codeSpan(target)}`,
    `- operation: ${codeSpan(result.operation)}`,
    ...(finding
      ? [`- expected: ${markdownText(finding.expected)}`, `- actual: ${markdownText(finding.actual)}`]
      : [`- ${markdownText(result.note ?? '')}`]),
    `- what is wrong: ${codeSpan(fingerprint)}`,
    ...curlsOf(result, run)
      .slice(0, 2)
      .map((curl) => `- request: ${codeSpan(curl)}`),
    `- rule: ${codeSpan(explain)}`,
    '',
    markdownText(toDo),
    '',
    marker,
  ];
  return {
    marker,
    title: printable(`mdwi: ${result.rule} on ${result.operation} (${target})`),
    body: lines.join('\n'),
  };
}

/**
 * One issue for each kind of failure of each gating check. Waived failures have none, and neither have failures that one
 * cause explains, such as an outage.
 */
export function issuesOf(run: Run): Issue[] {
  const failures = run.results.filter((each) => isGatingFailure(each) && !isExplained(each));
  const issues = failures.flatMap((result) => {
    const unnamed = `${result.rule}/${result.operation}`;
    const fingerprints = result.findings.map((each) => each.fingerprint ?? unnamed);
    return [...new Set(fingerprints.length > 0 ? fingerprints : [unnamed])].map((each) => issueOf(result, run, each));
  });
  return [...new Map(issues.map((issue) => [issue.marker, issue])).values()];
}
