/** Why an entry of a HAR file is skipped: one table, reported as counts after an import or a judgement. */
export const SKIP_REASONS = {
  malformed: 'without a valid method, an absolute URL or a valid status',
  scheme: 'not HTTP (data:, blob:, ws:, extensions of the browser)',
  socket: 'web sockets and tunnels',
  elsewhere: 'of other origins',
  unrelated: 'of the same origin, but no path of the interface',
  preflight: 'preflights of the browser',
  serviceWorker: 'served by a service worker',
  twice: 'exported twice',
  cached: 'served from a cache',
  notModified: '304: the client had the response in its cache',
  unanswered: 'without a response (aborted, blocked, refused)',
  noBody: 'the body of the response was not exported',
  cutBody: 'the body of the response is truncated in the export',
  damagedBody: 'the body of the response was damaged in the export',
  noRequestBody: 'the body of the request was not exported',
} as const satisfies Record<string, string>;

export type SkipReason = keyof typeof SKIP_REASONS;

/** Counts, the most frequent first, e.g. `12 of other origins, 3 preflights of the browser`. */
export function formatSkipped(counts: ReadonlyMap<SkipReason, number>): string {
  return [...counts]
    .sort(([, x], [, y]) => y - x)
    .map(([reason, count]) => `${count} ${SKIP_REASONS[reason]}`)
    .join(', ');
}
