/** What stayed unproved: inconclusive checks with the reason, openings that would prove more, and other reasons. */
import { counted } from '../../format-values.ts';
import type { Result, Run } from '../../run/types.ts';
import { isExplained } from '../describe-run.ts';
import { type Html, html, operationMarkup, signOf } from './markup.ts';

const MOST_RULES = 6;
const MOST_OPENINGS = 10;

const inconclusiveMarkup = (doubts: readonly Result[]): Html =>
  html`<h3>Inconclusive</h3><ul class="rows">${doubts.map(
    ({ rule, operation, target, note, gating }) =>
      html`<li>${signOf('inconclusive')}<span class="rule">${rule}</span> <span class="operation">${operationMarkup(operation, target)}</span>${!gating && html` <span class="badge">advisory</span>`}<p>${note}</p></li>`,
  )}</ul>`;

const openingMarkup = ({ fill, asks, section, rules }: Run['openings'][number]): Html =>
  html`<li><code class="fill">${fill}</code><p>${asks} <span class="muted">(section ${section})</span></p><p class="proves">Would prove ${counted(rules.length, 'rule')}: ${rules.slice(0, MOST_RULES).map((each) => html`<span class="rule">${each}</span> `)}${rules.length > MOST_RULES && `and ${rules.length - MOST_RULES} more`}</p></li>`;

function openingsMarkup(openings: Run['openings']): Html {
  const more = openings.slice(MOST_OPENINGS);
  return html`<h3>Fill these openings of the profile</h3><p class="muted">The document leaves them open. Each makes the checks of its rules provable; the first unlocks most.</p>
<ol class="rows openings">${openings.slice(0, MOST_OPENINGS).map(openingMarkup)}</ol>
${more.length > 0 && html`<details><summary>${counted(more.length, 'more opening')}</summary><ol class="rows openings">${more.map(openingMarkup)}</ol></details>`}`;
}

/** Untested checks that no opening explains, by their reason. */
function otherReasonsMarkup(untested: readonly Result[]): Html {
  const reasons = [...Map.groupBy(untested, ({ note }) => note ?? 'no reason is recorded')];
  return html`<h3>Untested for other reasons</h3><ul class="rows">${reasons.map(
    ([reason, own]) =>
      html`<li>${signOf('untested')}${reason} <span class="muted">(${counted(own.length, 'check')} of ${counted(new Set(own.map(({ rule }) => rule)).size, 'rule')})</span></li>`,
  )}</ul>`;
}

/** The section of what stayed unproved, if anything did. */
export function unprovedSection({ results, openings }: Run): Html | undefined {
  const unexplained = results.filter((each) => !isExplained(each));
  const doubts = unexplained.filter(({ verdict, waived }) => verdict === 'inconclusive' && !waived);
  const others = unexplained.filter((each) => each.verdict === 'untested' && !each.openings?.length);
  if (doubts.length + openings.length + others.length === 0) return undefined;
  return html`<section id="unproved" aria-labelledby="unproved-title"><h2 id="unproved-title">Not proved</h2>
${doubts.length > 0 && inconclusiveMarkup(doubts)}
${openings.length > 0 && openingsMarkup(openings)}
${others.length > 0 && otherReasonsMarkup(others)}
</section>`;
}
