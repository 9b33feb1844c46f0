/** CORS: the pages of other origins that may read the responses of a local server. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Allows any origin; only on request of the user. */
export const ANY_ORIGIN = '*';

/** What an origin is, for the sentence of a refusal. */
export const ORIGIN_FORM =
  'an origin as browsers send it is needed, e.g. https://app.example or http://localhost:5173, or * for any origin';

/** Whether a text is a valid value of `--cors`: `*`, `null` (pages of files), or an origin as browsers send it, `https://app.example:8443`. */
export function isOrigin(text: string): boolean {
  if (text === ANY_ORIGIN || text === 'null') return true;
  try {
    return !text.includes('*') && new URL(text).origin === text;
  } catch {
    return false;
  }
}

/** Whether a request is a CORS preflight. */
const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** The allowed origins of one server; none by default. */
export class Cors {
  readonly #origins: ReadonlySet<string>;

  /** @throws an Error for what is no origin, which no page would ever have */
  constructor(origins: readonly string[] = []) {
    for (const origin of origins)
      if (!isOrigin(origin)) throw new Error(`cors ${JSON.stringify(origin)}: ${ORIGIN_FORM}`);
    this.#origins = new Set(origins);
  }

  /** The value of `access-control-allow-origin`; undefined: the request is not from a page, or its origin is not allowed. */
  #allowed({ headers: { origin } }: IncomingMessage): string | undefined {
    if (origin === undefined) return undefined;
    if (this.#origins.has(ANY_ORIGIN)) return ANY_ORIGIN;
    return this.#origins.has(origin) ? origin : undefined;
  }

  /**
   * The header lines that allow a page to read a response; names and values alternate. CORS headers of the service stay.
   * @param present names of the response’s headers, in lower case
   */
  linesFor(request: IncomingMessage, present: ReadonlySet<string>): readonly string[] {
    const origin = this.#allowed(request);
    if (origin === undefined || present.has('access-control-allow-origin')) return [];
    return [
      ...['access-control-allow-origin', origin],
      ...(present.has('access-control-expose-headers') ? [] : ['access-control-expose-headers', ANY_ORIGIN]),
      ...(origin === ANY_ORIGIN ? [] : ['vary', 'Origin']),
    ];
  }

  /** Sets the headers that allow a page to read a response of the server itself. */
  setHeaders(request: IncomingMessage, response: ServerResponse): void {
    const lines = this.linesFor(request, new Set());
    for (let at = 0; at < lines.length; at += 2) response.setHeader(lines[at] as string, lines[at + 1] as string);
  }

  /** Answers a preflight of an allowed origin; false: the request is no such preflight. */
  respondToPreflight(request: IncomingMessage, response: ServerResponse): boolean {
    const origin = isPreflight(request) ? this.#allowed(request) : undefined;
    if (origin === undefined) return false;
    const { headers } = request;
    // The requested names are listed because `*` does not include Authorization (Fetch standard, 4.8).
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
