/** The waivers of a run, with what each covers. */
import { counted } from '../../format-values.ts';
import type { Run } from '../../run/types.ts';
import type { RunWaiver } from '../../run/waiver-types.ts';
import type { Mark } from '../marks.ts';
import { type Html, html } from './markup.ts';

const STATES = {
  covers: { mark: 'waived', word: 'covers' },
  expired: { mark: 'fail', word: 'expired' },
  unknown: { mark: 'fail', word: 'names nothing' },
  gone: { mark: 'fail', word: 'not needed' },
  'not-asked': { mark: 'untested', word: 'out of scope' },
} as const satisfies Record<RunWaiver['state'], { mark: Mark; word: string }>;

function expiry({ expires, daysLeft }: RunWaiver): string {
  if (expires === undefined) return 'never expires: add expires';
  if (daysLeft === undefined) return `until ${expires}`;
  return daysLeft < 0
    ? `expired ${counted(-daysLeft, 'day')} ago (${expires})`
    : `${counted(daysLeft, 'day')} left (${expires})`;
}

function waiverMarkup(waiver: RunWaiver): Html {
  const { mark, word } = STATES[waiver.state];
  return html`<li class="card ${mark}"><p><span class="badge ${mark}">${word}</span> <span class="rule">${waiver.rule}</span>${waiver.operation && html` <span class="operation">${waiver.operation}</span>`}</p>
<p>${waiver.reason}</p>
${waiver.message && html`<p class="todo">${waiver.message}</p>`}
<p class="muted"><code>${waiver.source}</code>, ${expiry(waiver)}${waiver.owner && html`, owner ${waiver.owner}`}${waiver.intermittent && ', intermittent'}</p>
${
  waiver.covers.length > 0 &&
  html`<ul class="covers">${waiver.covers.map(
    ({ rule, operation, fingerprints, actual }) =>
      html`<li><span class="rule">${rule}</span> <span class="operation">${operation}</span> ${fingerprints.map((each) => html`<code class="print">${each}</code> `)}${actual}</li>`,
  )}</ul>`
}</li>`;
}

/** The section of waivers, if the run has any. */
export const waiversSection = ({ waivers = [] }: Run): Html | false =>
  waivers.length > 0 &&
  html`<section id="waivers" aria-labelledby="waivers-title"><h2 id="waivers-title">Waivers</h2>
<ul class="cards">${waivers.map(waiverMarkup)}</ul></section>`;
