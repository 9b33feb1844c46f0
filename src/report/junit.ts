/** JUnit XML: one suite per group, one case per result. An inconclusive result is an error, an untested one is skipped. */
import { GROUPS, type Group, operationOf } from '../contract/index.ts';
import type { Result, Run } from '../run/types.ts';
import { escapeXml } from './escape-xml.ts';

function bodyOf(result: Result): string {
  const note = escapeXml(result.note ?? '');
  switch (result.verdict) {
    case 'pass':
      return '';
    case 'fail': {
      const text = result.findings
        .map((each) => `expected: ${escapeXml(each.expected)}\nactual: ${escapeXml(each.actual)}`)
        .join('\n\n');
      const tag = result.gating ? 'failure' : 'skipped';
      const message = escapeXml(
        `${result.gating ? '' : 'advisory: '}${result.findings[0]?.expected ?? ''}: ${result.findings[0]?.actual ?? ''}`,
      );
      return `<${tag} message="${message}">${text}</${tag}>`;
    }
    case 'inconclusive':
    case 'error': {
      if (!result.gating && result.verdict === 'inconclusive')
        return `<skipped message="advisory, inconclusive: ${note}"/>`;
      return `<error message="${escapeXml(result.verdict)}: ${note}"/>`;
    }
    case 'untested':
    case 'not-applicable':
      return `<skipped message="${escapeXml(result.verdict)}: ${note}"/>`;
  }
}

/** The JUnit document of a run. */
export function reportToJunit(run: Run): string {
  const groups = [...new Set(run.results.map((each) => operationOf(each.operation).group))];
  const suites = groups.map((group: Group) => {
    const cases = run.results
      .filter((each) => operationOf(each.operation).group === group)
      .map((each) => ({
        body: bodyOf(each),
        startTag: `<testcase classname="${escapeXml(each.operation)}" name="${escapeXml(each.rule)}"`,
      }));
    const count = (tag: string) => cases.filter((each) => each.body.startsWith(`<${tag}`)).length;
    const lines = cases.map(({ startTag, body }) =>
      body ? `    ${startTag}>${body}</testcase>` : `    ${startTag}/>`,
    );
    return `  <testsuite name="${GROUPS[group].slug}" tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}">\n${lines.join('\n')}\n  </testsuite>`;
  });
  // Readers that only count failures and errors must not treat an interrupted run as passed.
  if (run.manifest.interrupted)
    suites.push(
      `  <testsuite name="run" tests="1" failures="0" errors="1" skipped="0">\n    <testcase classname="mdwi" name="the run came to its end"><error message="${escapeXml(run.reason ?? '')}"/></testcase>\n  </testsuite>`,
    );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="mdwi ${escapeXml(run.outcomeInScope)}" time="${run.manifest.durationMs / 1000}">\n${suites.join('\n')}\n</testsuites>\n`;
}
