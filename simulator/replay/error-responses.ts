/** Responses of the replay itself: misses, changed side files and internal errors. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SideFileError } from '../../src/recording/store/read-side-file.ts';
import type { Protection } from '../../src/secrets/hide-in-exchange.ts';
import type { Cors } from '../http/cors.ts';
import type { Miss } from './miss.ts';

const MAX_REPORTED_MISSES = 1_000;

export interface ErrorResponderOptions {
  readonly cors: Cors;
  /** Receives each message once. */
  readonly report: (message: string) => void;
  readonly onMiss?: ((miss: Miss) => void) | undefined;
  readonly protection: Protection;
}

/** Sends the responses that are not recorded ones, and reports each cause once. */
export class ErrorResponder {
  readonly #options: ErrorResponderOptions;
  readonly #reported = new Set<string>();
  /** How many requests got a miss. */
  missCount = 0;

  constructor(options: ErrorResponderOptions) {
    this.#options = options;
  }

  /** Sends a miss: status 502, the header `x-mdwi-miss` and an explanation as JSON. */
  miss(request: IncomingMessage, response: ServerResponse, miss: Miss): void {
    this.missCount++;
    const { cors, report, onMiss } = this.#options;
    onMiss?.(miss);
    if (!this.#reported.has(miss.asked) && this.#reported.size <= MAX_REPORTED_MISSES) {
      this.#reported.add(miss.asked);
      if (this.#reported.size <= MAX_REPORTED_MISSES) report(`${miss.says}; to record it: ${miss.record}`);
      else report(`${MAX_REPORTED_MISSES} requests were not recorded; further ones are not reported`);
    }
    const bytes = Buffer.from(`${JSON.stringify(miss, null, 2)}\n`);
    response.writeHead(502, [
      ...['content-type', 'application/json'],
      ...['content-length', `${bytes.length}`],
      ...['x-mdwi-miss', miss.miss.replaceAll(' ', '-')],
      ...cors.linesFor(request, new Set()),
    ]);
    response.end(bytes);
  }

  /** Sends a miss for a response whose body file changed since the recording. */
  changedSideFile(request: IncomingMessage, response: ServerResponse, { message }: SideFileError): void {
    if (!this.#reported.has(message)) this.#options.report(message);
    this.#reported.add(message);
    this.#send(request, response, 'side file changed', message);
  }

  /** Reports an internal error, and sends a miss where no head was sent yet: it is no response of the service. */
  internalError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const { report, protection } = this.#options;
    const cause = protection.text(String(error), { side: 'request' });
    const url = protection.url(request.url ?? '', { side: 'request' });
    report(`internal error in the replay at ${request.method} ${url}: ${cause}`);
    if (response.headersSent) return void response.destroy();
    this.#send(request, response, 'replay failed', `internal error in the replay: ${cause}`);
  }

  #send(request: IncomingMessage, response: ServerResponse, miss: string, says: string): void {
    response.writeHead(502, [
      ...['content-type', 'application/json', 'x-mdwi-miss', miss.replaceAll(' ', '-')],
      ...this.#options.cors.linesFor(request, new Set()),
    ]);
    response.end(`${JSON.stringify({ miss, says }, null, 2)}\n`);
  }
}
