/** The requests of a run over time, by status, and the slowest ones. */
import { sizeText } from '../../format-values.ts';
import type { ExchangeSummary, Run } from '../../run/types.ts';
import { durationText } from '../describe-run.ts';
import { type Html, html, table } from './markup.ts';

const [WIDTH, HEIGHT, COLUMNS] = [600, 100, 60];
const SLOWEST = 10;

/** `2xx`, `4xx`, or `none` without a response. */
const classOf = ({ status }: ExchangeSummary): string =>
  status === undefined ? 'none' : `${Math.floor(status / 100)}xx`;
const CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx', 'none'];

const round = (value: number): number => Math.round(value * 10) / 10;

/** Columns of requests by the time they were sent; undefined if the traffic does not show the times. */
function chart(exchanges: readonly ExchangeSummary[]): Html | undefined {
  const timed = exchanges.flatMap((each) =>
    each.startedAt === undefined ? [] : [{ at: Date.parse(each.startedAt), status: classOf(each) }],
  );
  if (timed.length < 2) return undefined;
  const times = timed.map(({ at }) => at);
  const from = times.reduce((least, at) => Math.min(least, at));
  const span = Math.max(1, times.reduce((most, at) => Math.max(most, at)) - from);
  const bins = Map.groupBy(timed, ({ at }) => Math.min(COLUMNS - 1, Math.floor(((at - from) / span) * COLUMNS)));
  const most = Math.max(...[...bins.values()].map((bin) => bin.length));
  const width = WIDTH / COLUMNS;
  const bars = [...bins].flatMap(([at, bin]) => {
    let below = 0;
    return CLASSES.flatMap((status) => {
      const count = bin.filter((each) => each.status === status).length;
      if (count === 0) return [];
      below += count;
      return [
        html`<rect class="bar s${status}" x="${round(at * width)}" y="${round(HEIGHT - (below / most) * HEIGHT)}" width="${round(width * 0.85)}" height="${round((count / most) * HEIGHT)}"/>`,
      ];
    });
  });
  const shown = CLASSES.filter((status) => timed.some((each) => each.status === status));
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Requests over time: at most ${most} in ${durationText(span / COLUMNS)}">${bars}</svg>
<p class="axis"><span>0 s</span><span>at most ${most} requests in ${durationText(span / COLUMNS)}</span><span>${durationText(span)}</span></p>
<p class="legend">${shown.map((status) => html`<span class="key s${status}"></span> ${status === 'none' ? 'no response' : status} `)}</p>`;
}

function statusRow([status, own]: [string, ExchangeSummary[]]): Html {
  const sorted = own.map(({ ms }) => ms).sort((x, y) => x - y);
  const bytes = own.reduce((sum, each) => sum + each.bytes, 0);
  return html`<tr><th scope="row">${status}</th><td>${own.length}</td><td>${sizeText(bytes)}</td><td>${durationText(sorted[sorted.length >> 1] ?? 0)}</td><td>${durationText(sorted.at(-1) ?? 0)}</td></tr>`;
}

/** The section of requests. */
export function requestsSection({ exchanges, manifest: { target } }: Run): Html | undefined {
  if (exchanges.length === 0) return undefined;
  const statuses = [...Map.groupBy(exchanges, ({ status }) => String(status ?? 'no response'))].sort(([x], [y]) =>
    x.localeCompare(y),
  );
  const slowest = exchanges.toSorted((x, y) => y.ms - x.ms).slice(0, SLOWEST);
  return html`<section id="requests" aria-labelledby="requests-title"><h2 id="requests-title">Requests over time</h2>
<p class="muted">Rules also send requests that must fail, such as paths that cannot exist: a 4xx is often what is expected.</p>
${chart(exchanges) ?? html`<p>The traffic does not show when requests were sent.</p>`}
<h3>By status</h3>
${table('Responses by status', ['status', 'requests', 'bytes', 'median', 'slowest'], statuses.map(statusRow))}
<h3>Slowest</h3>
${table(
  'Slowest requests',
  ['request', 'time', 'status', 'address'],
  slowest.map(
    ({ id, ms, status, failure, method, url }) =>
      html`<tr><th scope="row">${id}</th><td>${durationText(ms)}</td><td>${status ?? failure}</td><td class="address">${method} ${url.startsWith(target) ? url.slice(target.length) : url}</td></tr>`,
  ),
)}
</section>`;
}
