/** All checks with their evidence, by rule, and the filter. */
import { counted } from '../../format-values.ts';
import { coverageOfEvidence } from '../../run/coverage.ts';
import type { Result, Run } from '../../run/types.ts';
import { MARK_NAMES, MARKS, markOf, worstOf } from '../marks.ts';
import { resultText } from '../result-text.ts';
import { failureId } from './failures.ts';
import { type Html, html, operationMarkup, signOf } from './markup.ts';

/** The filter works with the script of the page only, which shows it. */
function filterMarkup(results: readonly Result[]): Html {
  const marks = MARK_NAMES.filter((mark) => results.some((each) => markOf(each) === mark));
  return html`<form id="filter" class="filter" role="search" aria-label="Filter of checks" hidden>
<label for="filter-text">Filter</label>
<input id="filter-text" type="search" autocomplete="off" placeholder="rule, operation or text" aria-keyshortcuts="/">
<div class="choices">${marks.map(
    (mark) =>
      html`<label class="choice"><input type="checkbox" name="mark" value="${mark}" checked> ${MARKS[mark].word} <span class="muted">${results.filter((each) => markOf(each) === mark).length}</span></label>`,
  )}</div>
<p class="muted"><output id="filter-count" for="filter-text"></output> Keys: <kbd>/</kbd> filter, <kbd>Esc</kbd> clear, <kbd>j</kbd> <kbd>k</kbd> next and previous failure.</p>
</form>`;
}

function evidence({ evidence: { exchanges, rows, distinct, coverage } }: Result): string {
  return [
    exchanges > 0 && counted(exchanges, 'response'),
    rows > 0 && counted(rows, 'row'),
    distinct > 0 && counted(distinct, 'distinct value'),
    coverage && coverageOfEvidence({ coverage }),
  ]
    .filter(Boolean)
    .join(', ');
}

function checkMarkup(result: Result): Html {
  const mark = markOf(result);
  const basis = evidence(result);
  return html`<li data-mark="${mark}" data-operation="${result.operation}">${signOf(mark)}<span class="operation">${operationMarkup(result.operation, result.target)}</span>${basis !== '' && html` <span class="evidence">${basis}</span>`}${result.retried && html` <span class="badge">a request was sent again after a transport fault</span>`}${(result.verdict === 'fail' || result.verdict === 'error') && html` <a href="#${encodeURIComponent(failureId(result))}">details</a>`}${result.note && html`<p>${result.note}</p>`}</li>`;
}

function ruleMarkup(rule: string, results: readonly Result[]): Html {
  const worst = worstOf(results);
  const [first] = results as [Result];
  const count = MARK_NAMES.flatMap((mark) => {
    const number = results.filter((each) => markOf(each) === mark).length;
    return number > 0 ? [`${number} ${MARKS[mark].word}`] : [];
  }).join(', ');
  return html`<details class="check"><summary>${signOf(worst)}<span class="rule">${rule}</span> <span class="muted">${count}${results.every(({ gating }) => !gating) && ', advisory'}</span></summary>
<p class="demand">${resultText(first).demands} <span class="muted">(section ${first.section}, ${first.basis})</span></p>
<ul class="rows">${results.map(checkMarkup)}</ul></details>`;
}

/** The list of all checks. */
export function checksSection({ results }: Run): Html {
  const rules = Map.groupBy(results, ({ rule }) => rule);
  return html`<section id="checks" aria-labelledby="checks-title"><h2 id="checks-title" tabindex="-1">All checks and their evidence</h2>
${filterMarkup(results)}
<div id="check-list">${[...rules].map(([rule, own]) => ruleMarkup(rule, own))}</div>
<p id="filter-none" class="muted" hidden>No check matches the filter.</p>
</section>`;
}
