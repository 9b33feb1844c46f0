/** What stayed unproved: inconclusive checks with the reason, and the openings that would prove more. */
import type { Run } from '../../run/types.ts';
import { counted } from '../describe-run.ts';
import { type Html, html } from './markup.ts';
import { operationMarkup, signOf } from './verdict-marks.ts';

const MOST_RULES = 6;

/** Inconclusive checks and openings; untested checks with other reasons are in the list of all checks. */
export function unprovedSection({ results, openings }: Run): Html | undefined {
  const doubts = results.filter(({ verdict }) => verdict === 'inconclusive');
  if (doubts.length === 0 && openings.length === 0) return undefined;
  return html`<section id="unproved" aria-labelledby="unproved-title"><h2 id="unproved-title">Not proved</h2>
${
  doubts.length > 0 &&
  html`<h3>Inconclusive</h3><ul class="rows">${doubts.map(
    ({ rule, operation, note, gating }) =>
      html`<li>${signOf('inconclusive')}<span class="rule">${rule}</span> <span class="operation">${operationMarkup(operation)}</span>${!gating && html` <span class="badge">advisory</span>`}<p>${note}</p></li>`,
  )}</ul>`
}
${
  openings.length > 0 &&
  html`<h3>Fill these openings of the profile</h3><p class="muted">The document leaves them open. Each makes the checks beside it provable; the first unlocks most.</p>
<ol class="rows openings">${openings.map(
    ({ fill, asks, section, rules }) =>
      html`<li><code class="fill">${fill}</code><p>${asks} <span class="muted">(section ${section})</span></p><p class="proves">Would prove ${counted(rules.length, 'rule')}: ${rules.slice(0, MOST_RULES).map((each) => html`<span class="rule">${each}</span> `)}${rules.length > MOST_RULES && `and ${rules.length - MOST_RULES} more`}</p></li>`,
  )}</ol>`
}
</section>`;
}
