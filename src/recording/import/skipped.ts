/** Why an entry of a foreign HAR file is not taken: one table, told as counts behind an import or a judgement. */
export const SKIP_REASONS = {
  malformed: 'no request that could be read (no method, or no absolute URL)',
  scheme: 'not HTTP (data:, blob:, ws:, extensions of the browser)',
  socket: 'web sockets and tunnels',
  elsewhere: 'of other origins',
  unrelated: 'of the same origin, but no path of the interface',
  preflight: 'preflights of the browser',
  serviceWorker: 'answered by a service worker',
  twice: 'exported twice',
  cached: 'answered from a cache',
  notModified: '304: the client had the answer already',
  unanswered: 'without an answer (aborted, blocked, refused)',
  noBody: 'the body of the answer was not exported',
  cutBody: 'the body of the answer was exported in part only',
  damagedBody: 'the body of the answer was damaged when it was exported',
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
