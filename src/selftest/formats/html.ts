/** The selftest as one HTML file: its problems, and the kill matrix of rules by faults. */

import { escapeXml } from '../../report/escape-xml.ts';
import type { Rule } from '../../rule/index.ts';
import { SELFTEST_GATES } from '../evaluate.ts';
import type { Selftest } from '../perform-selftest.ts';

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
export function selftestToHtml({ says, problems, kills }: Selftest, rules: readonly Rule[]): string {
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
