/** Each failure: demand, expected, actual, the request as curl, the response, and what to do. */
import { counted, dateText } from '../../format-values.ts';
import type { ExchangeSummary, ReportedFinding, Result, Run } from '../../run/types.ts';
import { isExplained, sameCheckAs } from '../describe-run.ts';
import { MARK_NAMES, MARKS, markOf } from '../marks.ts';
import { exchangesOf, resultText } from '../result-text.ts';
import { type Html, html, linesOfText, operationMarkup, signOf } from './markup.ts';

const MOST_FINDINGS = 5;

/** The id of the element of a failure, equal in every report. */
export const failureId = ({ rule, operation, target }: Result): string =>
  ['failure', rule, operation, ...(target === undefined ? [] : [target])].join(':').replaceAll(' ', ':');

function findingMarkup({ expected, actual, exchange, row }: ReportedFinding): Html {
  const place = [exchange && `request ${exchange}`, row !== undefined && `row ${row}`].filter(Boolean).join(', ');
  return html`<dl class="finding"><div><dt>Expected</dt><dd>${expected}</dd></div><div class="actual"><dt>Actual</dt><dd>${actual}${place !== '' && html` <span class="muted">(${place})</span>`}</dd></div></dl>`;
}

function exchangeMarkup({ id, status, failure, ms, curl, begins }: ExchangeSummary): Html {
  const answer = failure ?? `status ${status ?? 'unknown'}`;
  return html`${curl && html`<div class="code"><p class="label">Repeat request ${id}</p><pre tabindex="0"><code>${linesOfText(curl)}</code></pre></div>`}
<div class="code"><p class="label">Response: ${answer}, ${ms} ms</p>${begins && html`<pre tabindex="0"><code>${linesOfText(begins)}</code></pre>`}</div>`;
}

/** What is known of the check besides this run. */
function badges(result: Result, { comparison, history }: Run): Html[] {
  const isThis = sameCheckAs(result);
  const past = history?.checks.find(isThis);
  const since = past?.firstFailedOn;
  return [
    html`<span class="badge ${markOf(result)}">${MARKS[markOf(result)].word}</span>`,
    ...(comparison?.newFailures.some(isThis) ? [html`<span class="badge fail">new</span>`] : []),
    ...(result.pinned ? [html`<span class="badge">newer than the rule set</span>`] : []),
    ...(since ? [html`<span class="badge">fails since ${dateText(since)}</span>`] : []),
    ...(past?.flakySince
      ? [html`<span class="badge inconclusive">flaky since ${dateText(past.flakySince)}</span>`]
      : []),
    ...(result.retried ? [html`<span class="badge">a request was sent again after a transport fault</span>`] : []),
  ];
}

function failureMarkup(result: Result, run: Run): Html {
  const text = resultText(result);
  const { findings, waiver } = result;
  const [shown, more] = [findings.slice(0, MOST_FINDINGS), findings.slice(MOST_FINDINGS)];
  const mark = markOf(result);
  return html`<article class="card ${mark}" id="${failureId(result)}" tabindex="-1">
<h3>${signOf(mark)}<span class="rule">${result.rule}</span></h3>
<p class="operation">${operationMarkup(result.operation, result.target)}</p>
<p class="badges">${badges(result, run)}</p>
<p class="demand">${text.demands}</p>
<p class="muted">Section ${result.section}${text.says !== undefined && text.says !== text.demands && html`: ${text.says}`} <span class="basis">(${text.basis})</span></p>
${result.note && html`<p>${result.note}</p>`}
${shown.map(findingMarkup)}
${more.length > 0 && html`<details><summary>${counted(more.length, 'more finding')}</summary>${more.map(findingMarkup)}</details>`}
${exchangesOf(result, run).slice(0, 3).map(exchangeMarkup)}
${waiver && html`<p class="waiver">Waived in <code>${waiver.source}</code>${waiver.owner && html` by ${waiver.owner}`}${waiver.expires && html` until ${waiver.expires}`}: ${waiver.reason}</p>`}
<p class="todo"><strong>What to do.</strong> ${text.toDo} <code>${text.explain}</code> shows how the rule judges.</p>
</article>`;
}

/** All failures, defects and waived results, those that gate first. */
export function failuresSection(run: Run): Html | undefined {
  const failures = run.results
    .filter(({ verdict, waived }) => verdict === 'fail' || verdict === 'error' || waived)
    .sort((x, y) => MARK_NAMES.indexOf(markOf(x)) - MARK_NAMES.indexOf(markOf(y)));
  if (failures.length === 0) return undefined;
  const explained = failures.filter(isExplained);
  return html`<section id="failures" aria-labelledby="failures-title"><h2 id="failures-title">Failures</h2>
${failures.filter((each) => !isExplained(each)).map((each) => failureMarkup(each, run))}
${explained.length > 0 && html`<details><summary>${counted(explained.length, 'failure')} with a cause shown above</summary>${explained.map((each) => failureMarkup(each, run))}</details>`}
</section>`;
}
