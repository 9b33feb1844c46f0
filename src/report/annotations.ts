/** Annotations in the words of CI systems: workflow commands of GitHub, Code Quality of GitLab. */

import { createHash } from 'node:crypto';
import { type OperationKey, operationOf } from '../contract/index.ts';
import { printable } from '../exchange/printable.ts';
import { counted } from '../format-values.ts';
import type { Result, Run, RunCause } from '../run/types.ts';
import { isExplained, isGatingFailure, outcomeSentence, placeOf, problemsOf } from './describe-run.ts';
import { jsonText } from './json-text.ts';
import { exchangesOf, resultText } from './result-text.ts';

/** What a job page shows: results that need attention, and causes in place of the results that they explain. */
type Weight = 'failure' | 'defect' | 'doubt' | 'advice' | 'waived';

/** Failures first. */
const ORDER: readonly Weight[] = ['defect', 'failure', 'doubt', 'advice', 'waived'];

interface Annotation {
  readonly weight: Weight;
  /** The rule, or `mdwi` for a cause. */
  readonly name: string;
  readonly title: string;
  readonly operation: OperationKey;
  readonly lines: readonly string[];
  /** What makes it the same annotation in another run. */
  readonly identity: readonly string[];
}

function weightOf({ verdict, gating, waived }: Result): Weight | undefined {
  if (verdict === 'error') return 'defect';
  if (waived) return 'waived';
  if (verdict === 'fail') return gating ? 'failure' : 'advice';
  return verdict === 'inconclusive' && gating ? 'doubt' : undefined;
}

function linesOf(result: Result, run: Run): string[] {
  const { demands, toDo, explain } = resultText(result);
  const [finding] = result.findings;
  const more = result.findings.length > 1 ? ` (and ${result.findings.length - 1} more)` : '';
  const [exchange] = exchangesOf(result, run);
  return [
    ...(result.target === undefined ? [] : [`target: ${result.target}`]),
    demands,
    ...(finding ? [`expected: ${finding.expected}`, `actual: ${finding.actual}${more}`] : []),
    ...(result.note ? [result.note] : []),
    ...(result.waiver ? [`waived: ${result.waiver.reason}`] : []),
    ...(exchange?.curl ? [`repeat: ${exchange.curl}`] : []),
    toDo,
    `more: ${explain}`,
  ];
}

function ofResult(result: Result, run: Run): Annotation[] {
  const { rule, operation, findings } = result;
  const weight = weightOf(result);
  if (!weight) return [];
  const prints = [...new Set(findings.map(({ fingerprint }) => fingerprint ?? '').sort())];
  const identity = [rule, placeOf(result), ...prints];
  return [
    { weight, name: rule, title: `${rule} on ${placeOf(result)}`, operation, lines: linesOf(result, run), identity },
  ];
}

function ofCause({ sentence, operations, count }: RunCause, explained: readonly Result[]): Annotation[] {
  const [operation] = operations;
  if (!operation) return [];
  const weight = explained.some(isGatingFailure) ? 'failure' : 'doubt';
  const lines = [sentence, `explains ${counted(count, 'result')}`];
  return [{ weight, name: 'mdwi', title: 'mdwi: one cause', operation, lines, identity: ['cause', sentence] }];
}

const annotationsOf = (run: Run): Annotation[] =>
  [
    ...(run.cause ?? []).flatMap((cause, at) =>
      ofCause(
        cause,
        run.results.filter((result) => result.cause === at),
      ),
    ),
    ...run.results.filter((result) => !isExplained(result)).flatMap((result) => ofResult(result, run)),
  ].sort((a, b) => ORDER.indexOf(a.weight) - ORDER.indexOf(b.weight));

const COMMANDS = {
  defect: 'error',
  failure: 'error',
  doubt: 'warning',
  advice: 'notice',
  waived: 'notice',
} as const satisfies Record<Weight, string>;

/** GitHub shows ten annotations of a kind per step. */
const MOST_PER_COMMAND = 10;

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(printable(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** One workflow command. Neither text can end it or begin another one. */
const command = (name: string, title: string, lines: readonly string[]): string =>
  `::${name} title=${property(title)}::${data(lines.map(printable).join('\n'))}\n`;

/** Workflow commands of GitHub Actions, one per line: print them in a step with `--report github=-`. */
export function reportToGithub(run: Run): string {
  const all = [
    ...problemsOf(run).map(({ name, message }) => ({ kind: 'error', title: `not met: ${name}`, lines: [message] })),
    ...annotationsOf(run).map(({ weight, title, lines }) => ({ kind: COMMANDS[weight], title, lines })),
  ];
  const kinds = ['error', 'warning', 'notice'] as const;
  const commands = kinds.flatMap((name) => {
    const own = all.filter(({ kind }) => kind === name);
    // The outcome is a notice, too.
    const room = name === 'notice' ? MOST_PER_COMMAND - 1 : MOST_PER_COMMAND;
    const shown = own.length > room ? own.slice(0, room - 1) : own;
    const lines = shown.map((each) => command(name, each.title, each.lines));
    const rest = own.length - shown.length;
    return rest > 0 ? [...lines, command(name, 'mdwi', [`and ${rest} more, in the other reports`])] : lines;
  });
  return [command('notice', `mdwi: ${run.outcomeInScope}`, [outcomeSentence(run)]), ...commands].join('');
}

const SEVERITIES = {
  defect: 'blocker',
  failure: 'critical',
  doubt: 'major',
  advice: 'info',
  waived: 'info',
} as const satisfies Record<Weight, string>;

/** A Code Quality report of GitLab, for `artifacts:reports:codequality`. */
export function reportToGitlab(run: Run): string {
  return jsonText(
    annotationsOf(run).map(({ weight, name, operation, lines, identity }) => ({
      description: `${weight === 'failure' ? '' : `${weight}: `}${lines.map(printable).join('\n')}`,
      check_name: name,
      fingerprint: createHash('sha256').update(JSON.stringify(identity)).digest('hex'),
      severity: SEVERITIES[weight],
      // GitLab needs a path: the one of the document.
      location: { path: operationOf(operation).path.slice(1), lines: { begin: 1 } },
    })),
  );
}
