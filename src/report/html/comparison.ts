/** What changed since another run, and the trend of stored runs. */
import { counted } from '../../format-values.ts';
import type { CheckChange, RunComparison, RunHistory } from '../../run/comparison-types.ts';
import type { Run } from '../../run/types.ts';
import type { Mark } from '../marks.ts';
import { type Html, html, operationMarkup, signOf, table } from './markup.ts';

function changesMarkup(title: string, mark: Mark, changes: readonly CheckChange[]): Html | undefined {
  if (changes.length === 0) return undefined;
  return html`<h3>${title} (${changes.length})</h3><ul class="rows">${changes.map(
    ({ rule, operation, target, was, is, why, advisory }) =>
      html`<li>${signOf(mark)}<span class="rule">${rule}</span> <span class="operation">${operationMarkup(operation, target)}</span>${advisory && html` <span class="badge">advisory</span>`}${(was ?? is) !== undefined && html` <span class="change">${was ?? 'unknown'} → ${is ?? 'unknown'}</span>`}${why !== undefined && html`<p>${why}</p>`}</li>`,
  )}</ul>`;
}

function comparisonMarkup(comparison: RunComparison): Html {
  const { baseline, newFailures, fixed, lostProofs, changedEvidence, notComparable } = comparison;
  const nothing = newFailures.length + fixed.length + lostProofs.length + changedEvidence.length === 0;
  return html`<p class="muted">Compared with <code>${baseline}</code>.${nothing && ' Nothing changed in what both runs judged.'}</p>
${changesMarkup('New failures', 'fail', newFailures)}
${changesMarkup('No longer decided', 'inconclusive', lostProofs)}
${changesMarkup('Fixed', 'pass', fixed)}
${changesMarkup('Changed evidence', 'untested', changedEvidence)}
${
  notComparable.length > 0 &&
  html`<details><summary>${counted(notComparable.length, 'check')} not comparable</summary><ul class="rows">${notComparable.map(
    ({ rule, operation, target, why }) =>
      html`<li><span class="rule">${rule}</span> <span class="operation">${operationMarkup(operation, target)}</span><p>${why}</p></li>`,
  )}</ul></details>`
}`;
}

const [WIDTH, HEIGHT] = [600, 80];

/** One column per run: failed checks from the top, passed ones from the bottom. */
function trendMarkup({ trend, notes }: RunHistory): Html {
  const most = Math.max(1, ...trend.map(({ provable }) => provable));
  const step = WIDTH / Math.max(trend.length, 12);
  const high = (count: number): number => Math.round((count / most) * HEIGHT * 10) / 10;
  const columns = trend.map(({ failed, proved, provable, startedAt, outcome }, at) => {
    const x = Math.round(at * step * 10) / 10;
    const width = Math.round(step * 8) / 10;
    const top = HEIGHT - high(provable);
    return html`<g><title>${startedAt.slice(0, 10)}: ${outcome}, ${proved} passed, ${failed} failed of ${provable}</title><rect class="bar untested" x="${x}" y="${top}" width="${width}" height="${high(provable)}"/><rect class="bar pass" x="${x}" y="${HEIGHT - high(proved)}" width="${width}" height="${high(proved)}"/><rect class="bar fail" x="${x}" y="${top}" width="${width}" height="${high(failed)}"/></g>`;
  });
  return html`<h3>Trend of ${counted(trend.length, 'run')}</h3>
<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Passed and failed checks of each run">${columns}</svg>
<p class="legend"><span class="key pass"></span> passed <span class="key fail"></span> failed <span class="key untested"></span> not decided</p>
<details><summary>The numbers</summary>${table(
    'Runs',
    ['run', 'outcome', 'failed', 'passed', 'provable'],
    trend.map(
      ({ startedAt, outcome, failed, proved, provable }) =>
        html`<tr><th scope="row">${startedAt.slice(0, 16).replace('T', ' ')}</th><td>${outcome}</td><td>${failed}</td><td>${proved}</td><td>${provable}</td></tr>`,
    ),
  )}</details>
${notes.length > 0 && html`<h3>Seen across runs</h3><ul class="plain">${notes.map((each) => html`<li>${each}</li>`)}</ul>`}`;
}

/** Comparison and trend, where the run or its parts have them. */
export const changesSection = ({ comparison, history, parts = [] }: Run): Html | undefined =>
  comparison || history || parts.some((each) => each.history)
    ? html`<section id="changes" aria-labelledby="changes-title"><h2 id="changes-title">What changed</h2>
${comparison && comparisonMarkup(comparison)}
${history && trendMarkup(history)}
${parts.flatMap(({ target, file, history: own }) => (own ? [html`<h3>${target ?? file}</h3>${trendMarkup(own)}`] : []))}
</section>`
    : undefined;
