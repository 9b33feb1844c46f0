/** Pages of other origins: which of them may read what a local server says. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Any origin; it must be asked for. */
export const ANY_ORIGIN = '*';

/** Whether `--cors` can take it: `*`, `null` (pages of files), or an origin as browsers send it, `https://app.example:8443`. */
export function isOrigin(text: string): boolean {
  if (text === ANY_ORIGIN || text === 'null') return true;
  try {
    return !text.includes('*') && new URL(text).origin === text;
  } catch {
    return false;
  }
}

/** Whether a browser asks beforehand what it may send. */
const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** The origins of one server; none by default. */
export class Cors {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[] = []) {
    this.#origins = new Set(origins);
  }

  /** What stands in `access-control-allow-origin` of an answer; undefined: no page asks, or none that may read it. */
  #allowed({ headers: { origin } }: IncomingMessage): string | undefined {
    if (origin === undefined) return undefined;
    if (this.#origins.has(ANY_ORIGIN)) return ANY_ORIGIN;
    return this.#origins.has(origin) ? origin : undefined;
  }

  /**
   * Lines by which a page can read an answer, names and values in turn; where the service itself said something about
   * origins, that stays as it was.
   * @param said names of the answer’s headers, in lower case
   */
  linesFor(request: IncomingMessage, said: ReadonlySet<string>): readonly string[] {
    const origin = this.#allowed(request);
    if (origin === undefined || said.has('access-control-allow-origin')) return [];
    return [
      ...['access-control-allow-origin', origin],
      ...(said.has('access-control-expose-headers') ? [] : ['access-control-expose-headers', ANY_ORIGIN]),
      ...(origin === ANY_ORIGIN ? [] : ['vary', 'Origin']),
    ];
  }

  /** Answers the preflight of a page that may read answers; false: there is none to answer. */
  answersPreflight(request: IncomingMessage, response: ServerResponse): boolean {
    const origin = isPreflight(request) ? this.#allowed(request) : undefined;
    if (origin === undefined) return false;
    const { headers } = request;
    // Lists, for `*` would leave Authorization out (Fetch standard, 4.8).
    response.writeHead(204, {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': headers['access-control-request-method'] ?? ANY_ORIGIN,
      'access-control-allow-headers': headers['access-control-request-headers'] ?? ANY_ORIGIN,
      'access-control-max-age': '86400',
      ...(origin !== ANY_ORIGIN && { vary: 'Origin' }),
      ...(headers['access-control-request-private-network'] && { 'access-control-allow-private-network': 'true' }),
    });
    response.end();
    return true;
  }
}
