/** Annotations in the words of CI systems: workflow commands of GitHub, Code Quality of GitLab. */
import { createHash } from 'node:crypto';
import { operationOf } from '../contract/index.ts';
import { printable } from '../exchange/printable.ts';
import type { Result, Run } from '../run/types.ts';
import { outcomeSentence } from './describe-run.ts';
import { jsonText } from './json-text.ts';
import { exchangesOf, resultText } from './result-text.ts';

/** What a job page shows of a result; other results are in the other reports only. */
type Weight = 'failure' | 'defect' | 'doubt' | 'advice' | 'waived';

function weightOf({ verdict, gating, waived }: Result): Weight | undefined {
  if (verdict === 'error') return 'defect';
  if (verdict === 'fail') return waived ? 'waived' : gating ? 'failure' : 'advice';
  return verdict === 'inconclusive' && gating ? 'doubt' : undefined;
}

/** Failures first. */
const ORDER: readonly Weight[] = ['defect', 'failure', 'doubt', 'advice', 'waived'];

const annotated = (run: Run): { weight: Weight; result: Result }[] =>
  run.results
    .flatMap((result) => {
      const weight = weightOf(result);
      return weight ? [{ weight, result }] : [];
    })
    .sort((a, b) => ORDER.indexOf(a.weight) - ORDER.indexOf(b.weight));

/** The lines of an annotation, each printable. */
function linesOf(result: Result, run: Run): string[] {
  const { demands, toDo, explain } = resultText(result);
  const [finding] = result.findings;
  const more = result.findings.length > 1 ? ` (and ${result.findings.length - 1} more)` : '';
  const [exchange] = exchangesOf(result, run);
  return [
    demands,
    ...(finding ? [`expected: ${finding.expected}`, `actual: ${finding.actual}${more}`] : []),
    ...(result.note ? [result.note] : []),
    ...(result.waiver ? [`waived: ${result.waiver.reason}`] : []),
    ...(exchange?.curl ? [`repeat: ${exchange.curl}`] : []),
    toDo,
    `more: ${explain}`,
  ].map(printable);
}

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
  `::${name} title=${property(title)}::${data(lines.join('\n'))}\n`;

/** Workflow commands of GitHub Actions, one per line: print them in a step with `--report github=-`. */
export function reportToGithub(run: Run): string {
  const all = annotated(run);
  const kinds = ['error', 'warning', 'notice'] as const;
  const commands = kinds.flatMap((name) => {
    const own = all.filter(({ weight }) => COMMANDS[weight] === name);
    // The outcome is a notice, too.
    const room = name === 'notice' ? MOST_PER_COMMAND - 1 : MOST_PER_COMMAND;
    const shown = own.length > room ? own.slice(0, room - 1) : own;
    const lines = shown.map(({ result }) =>
      command(name, `${result.rule} on ${result.operation}`, linesOf(result, run)),
    );
    const rest = own.length - shown.length;
    return rest > 0 ? [...lines, command(name, 'mdwi', [`and ${rest} more, in the other reports`])] : lines;
  });
  return [command('notice', `mdwi: ${run.outcomeInScope}`, [printable(outcomeSentence(run))]), ...commands].join('');
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
    annotated(run).map(({ weight, result }) => {
      const prints = result.findings.map(({ fingerprint }) => fingerprint ?? '');
      const identity = JSON.stringify([result.rule, result.operation, ...new Set(prints.sort())]);
      return {
        description: `${weight === 'failure' ? '' : `${weight}: `}${linesOf(result, run).join('\n')}`,
        check_name: result.rule,
        fingerprint: createHash('sha256').update(identity).digest('hex'),
        severity: SEVERITIES[weight],
        // GitLab needs a path: the one of the document.
        location: { path: operationOf(result.operation).path.slice(1), lines: { begin: 1 } },
      };
    }),
  );
}
