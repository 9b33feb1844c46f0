/**
 * JUnit XML: one suite per group, one case per check. An inconclusive check is an error, an untested or waived one is
 * skipped; a check that does not apply is no case. Fits the schema of Jenkins, in which `skipped` has no attributes.
 */
import { GROUPS, type Group, operationOf } from '../contract/index.ts';
import { coverageOfEvidence } from '../run/coverage.ts';
import type { Result, Run } from '../run/types.ts';
import { placeOf, problemsOf } from './describe-run.ts';
import { escapeXml } from './escape-xml.ts';
import { exchangesOf, resultText } from './result-text.ts';

/** Lines as the text of an element. */
const content = (lines: readonly string[]): string => lines.map(escapeXml).join('\n');

const skipped = (...lines: string[]): string => `<skipped>${content(lines)}</skipped>`;

/** Findings, requests, and what `mdwi explain` says. */
function detail(result: Result, run: Run): string[] {
  const { demands, says, basis, how, toDo, explain } = resultText(result);
  return [
    ...result.findings.flatMap(({ expected, actual, row, exchange }) => [
      `expected: ${expected}`,
      `actual: ${actual}`,
      ...(exchange === undefined ? [] : [`where: exchange ${exchange}${row === undefined ? '' : `, row ${row}`}`]),
      '',
    ]),
    ...exchangesOf(result, run).flatMap(({ id, status, failure, curl, begins }) => [
      `exchange ${id}: ${status ?? failure ?? ''}`,
      ...(curl ? [`repeat: ${curl}`] : []),
      ...(begins ? [`response: ${begins}`] : []),
      '',
    ]),
    `demanded: ${demands}`,
    ...(says === undefined ? [] : [`document, section ${result.section}: ${says}`]),
    `basis: ${basis}`,
    ...(how === undefined ? [] : [`how it is judged: ${how}`]),
    `what to do: ${toDo}`,
    `more: ${explain}`,
  ];
}

function waivedText({ waiver }: Result): string {
  const { source = '', reason = '', expires } = waiver ?? {};
  return `waived (${source}${expires ? `, until ${expires}` : ''}): ${reason}`;
}

function bodyOf(result: Result, run: Run): string {
  const note = result.note ?? '';
  switch (result.verdict) {
    case 'pass':
    case 'not-applicable':
      return '';
    case 'fail': {
      const [first] = result.findings;
      const message = `${first?.expected ?? ''}: ${first?.actual ?? ''}`;
      if (result.waived) return skipped(waivedText(result), message, ...detail(result, run));
      if (!result.gating) return skipped(`advisory: ${message}`, ...detail(result, run));
      return `<failure type="${result.basis}" message="${escapeXml(message)}">${content(detail(result, run))}</failure>`;
    }
    case 'inconclusive':
    case 'error':
      if (result.waived) return skipped(waivedText(result), `inconclusive: ${note}`);
      if (!result.gating && result.verdict === 'inconclusive') return skipped(`advisory, inconclusive: ${note}`);
      return `<error type="${result.verdict}" message="${escapeXml(`${result.verdict}: ${note}`)}">${content([resultText(result).toDo])}</error>`;
    case 'untested':
      return skipped(`untested: ${note}`, resultText(result).toDo);
  }
}

/** How much was inspected, beside the verdict. */
function coverageElement({ evidence }: Result): string {
  const text = coverageOfEvidence(evidence);
  return text === '' ? '' : `<system-out>${escapeXml(text)}</system-out>`;
}

/** The JUnit document of a run. */
export function reportToJunit(run: Run): string {
  const judged = run.results.filter(({ verdict }) => verdict !== 'not-applicable');
  const groups = [...new Set(judged.map((each) => operationOf(each.operation).group))];
  const suites = groups.map((group: Group) => {
    const cases = judged
      .filter((each) => operationOf(each.operation).group === group)
      .map((each) => ({
        body: `${bodyOf(each, run)}${coverageElement(each)}`,
        open: `<testcase classname="${escapeXml(placeOf(each))}" name="${escapeXml(each.rule)}"`,
      }));
    const count = (tag: string) => cases.filter((each) => each.body.startsWith(`<${tag}`)).length;
    const lines = cases.map(({ open, body }) => (body ? `    ${open}>${body}</testcase>` : `    ${open}/>`));
    return `  <testsuite name="${GROUPS[group].slug}" tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}" timestamp="${escapeXml(run.manifest.startedAt)}">\n${lines.join('\n')}\n  </testsuite>`;
  });
  for (const { name, message } of problemsOf(run))
    suites.push(
      `  <testsuite name="run" tests="1" failures="0" errors="1" skipped="0">\n    <testcase classname="mdwi" name="${escapeXml(name)}"><error message="${escapeXml(message)}"/></testcase>\n  </testsuite>`,
    );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="mdwi ${escapeXml(run.outcomeInScope)}" time="${run.manifest.durationMs / 1000}">\n${suites.join('\n')}\n</testsuites>\n`;
}
