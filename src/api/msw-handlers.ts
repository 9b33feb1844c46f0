/** Handlers of msw that a simulator responds to, in a page or in Node. It uses no module of Node. */
import { HttpResponse, http, type RequestHandler } from 'msw';
import { DIALECT_NAMES, isDialectName } from '../../simulator/dialects/names.ts';
import { ConnectionResetError } from '../../simulator/fetch.ts';
import { createInProcess, type InProcessOptions, type InProcessSimulator } from '../../simulator/in-process.ts';

/** What handlers pass requests to: a simulator or a replay. */
export interface HandledService {
  /** The base URL, including the base path. */
  readonly url: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Matches a URL without its query that is at or below a base URL. */
const below = (base: string): RegExp => new RegExp(`^${base.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?:/|$)`);

/**
 * Returns the handlers for a simulator or a replay: every request below its `url` gets its response, also one with an
 * unknown path or the wrong method. A connection that it resets is a network error.
 *
 * @example setupServer(...handlersFor(await createSimulator({ baseUrl: 'https://api.example', profile: 'acme.yaml' })))
 */
export const handlersFor = ({ url, fetch }: HandledService): RequestHandler[] => [
  http.all(below(url), async ({ request }) => {
    try {
      return await fetch(request);
    } catch (error) {
      if (error instanceof ConnectionResetError) return HttpResponse.error();
      throw error;
    }
  }),
];

/** The options of the simulator behind the handlers. */
export interface HandlersOptions extends Omit<InProcessOptions, 'dialect'> {
  /** The name of a bundled dialect. Default: `reference`. */
  readonly profile?: string;
}

/**
 * Creates a simulator and its handlers, e.g. for `setupWorker` in a page or `setupServer` in Node.
 *
 * @throws an Error when an option is not valid
 * @example
 * const { handlers, simulator } = await createHandlers({ baseUrl: 'https://api.example', profile: 'tabular' });
 * const worker = setupWorker(...handlers);
 */
export async function createHandlers({
  profile = 'reference',
  ...options
}: HandlersOptions = {}): Promise<{ readonly handlers: RequestHandler[]; readonly simulator: InProcessSimulator }> {
  if (!isDialectName(profile))
    throw new Error(
      `${JSON.stringify(profile)} is not a bundled dialect (${DIALECT_NAMES.join(', ')}): for a profile file in Node, use handlersFor(await createSimulator({ baseUrl, profile }))`,
    );
  const simulator = await createInProcess({ ...options, dialect: profile });
  return { handlers: handlersFor(simulator), simulator };
}
