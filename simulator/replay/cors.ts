/** Browser clients: whoever asks from a page may read what is replayed. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Whether a browser asks beforehand what it may send. Such questions are the replay’s own to answer. */
export const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;

/** Allows what is asked. A list, for `*` would leave Authorization out (Fetch standard, 4.8). */
export function answerPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': headers['access-control-request-method'] ?? '*',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
    'access-control-max-age': '86400',
    ...(headers['access-control-request-private-network'] && { 'access-control-allow-private-network': 'true' }),
  });
  response.end();
}

const ADDED = [
  ['access-control-allow-origin', '*'],
  ['access-control-expose-headers', '*'],
] as const;

/** Lines for a page to read an answer by, beside those recorded: what the service said itself stays as it was. */
export const pageLines = (recorded: ReadonlySet<string>): readonly string[] =>
  ADDED.filter(([name]) => !recorded.has(name)).flat();
