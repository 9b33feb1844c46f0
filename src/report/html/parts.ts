import type { Run, RunPart } from '../../run/types.ts';
import { type Html, html } from './markup.ts';

const rowMarkup = ({ file, target, outcomeInScope, exitCode, reason, manifest, fractions, missing }: RunPart): Html =>
  html`<tr><th scope="row">${target ?? file}<br><code class="muted">${file}</code></th><td>${outcomeInScope ?? 'missing'}</td><td>${exitCode}</td><td>${fractions && `${fractions.proved[0]} of ${fractions.provable[1]}`}</td><td>${manifest?.profile}</td><td class="address">${missing ?? reason}</td></tr>`;

/** One row per run; undefined for a report of one run. */
export const partsSection = ({ parts = [] }: Run): Html | undefined =>
  parts.length === 0
    ? undefined
    : html`<section id="parts" aria-labelledby="parts-title"><h2 id="parts-title">Runs</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Runs of this report"><table><thead><tr><th scope="col">target</th><th scope="col">outcome</th><th scope="col">exit code</th><th scope="col">proved</th><th scope="col">profile</th><th scope="col">because</th></tr></thead><tbody>${parts.map(rowMarkup)}</tbody></table></div>
</section>`;
