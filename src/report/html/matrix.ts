/** The matrix: groups with their operations, each with the numbers of its checks. */
import { GROUPS, type Group, OPERATIONS } from '../../contract/index.ts';
import type { Result, Run } from '../../run/types.ts';
import { MARKS, type Mark, markOf, worstOf } from '../marks.ts';
import { type Html, html, operationMarkup, signOf } from './markup.ts';

/** The numbers of an operation, worst first; passes of all. */
function countsMarkup(results: readonly Result[]): Html {
  const count = (mark: Mark): number => results.filter((each) => markOf(each) === mark).length;
  const applicable = results.length - count('not-applicable');
  const others = (['fail', 'error', 'waived', 'advice', 'inconclusive', 'untested'] as const).filter(
    (mark) => count(mark) > 0,
  );
  return html`${others.map((mark) => html`<span class="count ${mark}">${count(mark)} ${MARKS[mark].word}</span> `)}<span class="count">${count('pass')}/${applicable} passed</span>`;
}

function groupMarkup(group: Group, run: Run): Html | undefined {
  const operations = OPERATIONS.filter((each) => each.group === group).flatMap(({ key, path }) => {
    const results = run.results.filter(({ operation }) => operation === key);
    return results.length > 0 ? [{ key, path, results }] : [];
  });
  if (operations.length === 0) return undefined;
  const { title, prefix } = GROUPS[group];
  return html`<div class="group"><h3>${group}: ${title} <code class="muted">${prefix}</code></h3>
<ul class="tiles">${operations.map(({ key, path, results }) => {
    const worst = worstOf(results);
    const short = `${key.split(' ')[0]} ${path.startsWith(prefix) ? path.slice(prefix.length) : path}`;
    return html`<li class="tile ${worst}"><a href="#checks" data-filter="${key}" title="${key}">${signOf(worst)}<span class="name">${operationMarkup(short)}</span><span class="counts">${countsMarkup(results)}</span></a></li>`;
  })}</ul></div>`;
}

/** Groups × operations. */
export const matrixSection = (run: Run): Html =>
  html`<section id="matrix" aria-labelledby="matrix-title"><h2 id="matrix-title">Operations</h2>
${(Object.keys(GROUPS) as Group[]).flatMap((group) => groupMarkup(group, run) ?? [])}
</section>`;
