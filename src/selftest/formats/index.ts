/** The formats of a selftest report, with one pure function each. */

import { escapeXml } from '../../report/escape-xml.ts';
import { jsonText } from '../../report/json-text.ts';
import type { Rule } from '../../rule/index.ts';
import { SELFTEST_GATES, type SelftestGate } from '../evaluate.ts';
import type { Selftest } from '../perform-selftest.ts';
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

const STYLE = `
body { font: 14px/1.4 system-ui, sans-serif; margin: 2rem; color: #222; background: #fff }
table { border-collapse: collapse; font-size: 11px }
th, td { border: 1px solid #ddd; padding: 0; text-align: left; font-weight: normal }
tbody th { padding: 0 .5em; white-space: nowrap; position: sticky; left: 0; background: #fff }
thead th { writing-mode: vertical-rl; transform: rotate(180deg); padding: .5em 0; white-space: nowrap }
td { width: 1em; min-width: 1em }
td.own { background: #276 } td.other { background: #acd } tr.never th { color: #b00; font-weight: bold }
@media (prefers-color-scheme: dark) { body, tbody th { background: #181818; color: #ddd } th, td { border-color: #444 } }
`;

/** Columns are faults, rows are rules; a dark cell is a rule of the statement that the fault breaks. */
function selftestToHtml({ says, problems, kills }: Selftest, rules: readonly Rule[]): string {
  const items = problems.map(
    ({ gate, says: what }) => `<li><b>not met: ${escapeXml(SELFTEST_GATES[gate])}</b>: ${escapeXml(what)}</li>`,
  );
  const head = kills.map(
    ({ fault, statement }) => `<th scope="col" title="${escapeXml(statement)}">${escapeXml(fault)}</th>`,
  );
  const rows = rules.map(({ id, statement }) => {
    const cells = kills.map((kill) => {
      if (!kill.rules.includes(id)) return '<td></td>';
      const kind = kill.statement === statement ? 'own' : 'other';
      return `<td class="${kind}" title="${escapeXml(`${id} caught ${kill.fault}`)}"></td>`;
    });
    const never = kills.some((kill) => kill.rules.includes(id)) ? '' : ' class="never"';
    return `<tr${never}><th scope="row">${escapeXml(id)}</th>${cells.join('')}</tr>`;
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>mdwi selftest</title><style>${STYLE}</style></head>
<body><h1>mdwi selftest</h1><p>${escapeXml(says)}</p>
${items.length > 0 ? `<ul>${items.join('\n')}</ul>` : '<p>Every gate is met.</p>'}
<h2>Which rule caught which fault</h2>
<p>Dark: a rule of the statement that the fault breaks. Light: a rule of a related one.</p>
<table><thead><tr><td></td>${head.join('')}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table></body></html>
`;
}
