/** The formats of a selftest report, with one pure function each. */

import { jsonText } from '../../report/json-text.ts';
import type { Rule } from '../../rule/index.ts';
import { SELFTEST_GATES, type SelftestGate } from '../evaluate.ts';
import type { Selftest } from '../perform-selftest.ts';
import { selftestToHtml } from './html.ts';
import type { SelftestReport } from './names.ts';

const MAX_PER_GATE = 20;

/** The summary line, then the problems of each gate. */
function toConsole({ says, problems }: Selftest): string {
  const gates = [...Map.groupBy(problems, ({ gate }) => gate)].map(([gate, ofGate]) => {
    const lines = ofGate.slice(0, MAX_PER_GATE).map((each) => `  ${each.says}\n`);
    const more = ofGate.length > MAX_PER_GATE ? `  and ${ofGate.length - MAX_PER_GATE} more\n` : '';
    return `\nnot met: ${SELFTEST_GATES[gate as SelftestGate]} (${ofGate.length})\n${lines.join('')}${more}`;
  });
  return `${says}\n${gates.join('')}`;
}

/** The kill matrix: each rule with the faults that it caught. */
function toMatrix(tested: Selftest, rules: readonly Rule[]): string {
  const width = Math.max(...rules.map(({ id }) => id.length));
  const rows = rules.map(({ id }) => {
    const caught = tested.kills.filter(({ rules: by }) => by.includes(id)).map(({ fault }) => fault);
    return `${id.padEnd(width)}  ${String(caught.length).padStart(3)}  ${caught.join(' ')}\n`;
  });
  return `${rows.join('')}\n${toConsole(tested)}`;
}

const toJson = ({ scope, ok, says, problems, kills, results, interrupted }: Selftest, rules: readonly Rule[]): string =>
  jsonText({
    ...{ schema: 1, scope, ok, says, problems, rules: rules.map(({ id }) => id), kills, trials: results },
    ...(interrupted && { interrupted }),
  });

export const SELFTEST_FORMATS = {
  console: toConsole,
  matrix: toMatrix,
  json: toJson,
  html: selftestToHtml,
} as const satisfies Record<
  'console' | 'matrix' | SelftestReport,
  (tested: Selftest, rules: readonly Rule[]) => string
>;
