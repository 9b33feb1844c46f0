/** Handlers of msw that a simulator responds to, in a page or in Node. It uses no module of Node. */
import { HttpResponse, http, type RequestHandler } from 'msw';
import { DIALECT_NAMES } from '../../simulator/dialects/names.ts';
import { ConnectionResetError } from '../../simulator/fetch.ts';
import { createInProcess, type InProcessOptions, type InProcessSimulator } from '../../simulator/in-process.ts';
import { PROFILE_OBJECT } from '../profile/profile-location.ts';
import type { Profile, ProfileInput } from '../profile/schema.ts';
import { UsageError } from '../usage-error.ts';
import { startInDialect } from './start-in-dialect.ts';

/** Responses whose body can be cancelled although somebody clones them. It uses no module of Node. */

/** A stream whose `cancel` is settled at once. */
function detached(stream: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel(reason) {
      reader.cancel(reason).catch(() => undefined);
    },
  });
}

/**
 * Returns a response for msw 2, which clones each response for its listeners and reads no clone: by the Streams standard
 * `cancel` of one branch waits for the other, so that `await response.body.cancel()` would never end.
 */
export function cancellableResponse(response: Response): Response {
  const { body, status, statusText, headers } = response;
  if (!body) return response;
  const tee = (): ReturnType<typeof body.tee> => {
    const [own, clone] = ReadableStream.prototype.tee.call(body) as ReturnType<typeof body.tee>;
    return [detached(own), clone];
  };
  return new Response(Object.assign(body, { tee }), { status, statusText, headers });
}

/** What handlers pass requests to: a simulator or a replay. */
export interface HandledService {
  /** The base URL, including the base path. */
  readonly url: string;
  readonly fetch: (request: Request) => Promise<Response>;
  /** Further URLs that it responds to: those at which clients get tokens and sessions. */
  readonly loginUrls?: readonly string[];
  /** The base URL of a lane of a replay. */
  readonly urlOf?: (lane: string) => string;
}

/** Matches a URL without its query that is at or below a base URL. */
const below = (base: string): RegExp => new RegExp(`^${base.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?:/|$)`);

/** Whether an error is a failure of the network, as `fetch` reports it: it has a cause, or the simulator made it. */
const isNetworkError = (error: unknown): boolean =>
  error instanceof ConnectionResetError || (error instanceof TypeError && error.cause instanceof Error);

/**
 * Returns the handlers for a simulator or a replay: every request below its `url`, to the lanes of a replay and to the
 * `loginUrls` of a simulator gets its response, also one with an unknown path or the wrong method. A connection that it
 * resets is a network error.
 *
 * @example setupServer(...handlersFor(await createSimulator({ baseUrl: 'https://api.example', profile: 'acme.yaml' })))
 */
export function handlersFor({ url, fetch, loginUrls = [], urlOf }: HandledService): RequestHandler[] {
  const respond = async ({ request }: { readonly request: Request }): Promise<Response> => {
    try {
      return cancellableResponse(await fetch(request));
    } catch (error) {
      if (isNetworkError(error)) return HttpResponse.error();
      throw error;
    }
  };
  const bases = [url, ...(urlOf ? [`${new URL(url).origin}/~`] : []), ...loginUrls];
  return bases.map((base) => http.all(below(base), respond));
}

/** The options of the simulator behind the handlers. */
export interface HandlersOptions extends Omit<InProcessOptions, 'dialect'> {
  /** The name of a bundled dialect, or a profile. Default: `reference`. */
  readonly profile?: string | ProfileInput;
}

async function checkInput(profile: string | ProfileInput): Promise<Profile> {
  if (typeof profile === 'string')
    throw new UsageError(
      `${JSON.stringify(profile)} is not a bundled dialect (${DIALECT_NAMES.join(', ')}): for a profile file in Node, use handlersFor(await createSimulator({ baseUrl, profile }))`,
    );
  const { checkProfile } = await import('../profile/check-profile.ts');
  return checkProfile(profile, PROFILE_OBJECT, { env: globalThis.process?.env ?? {}, unset: 'refuse' });
}

/**
 * Creates a simulator and its handlers, e.g. for `setupWorker` in a page or `setupServer` in Node.
 *
 * @throws an Error when an option or the profile is not valid
 * @example
 * const { handlers, simulator } = await createHandlers({ baseUrl: 'https://api.example', profile: 'tabular' });
 * const worker = setupWorker(...handlers);
 */
export async function createHandlers({
  profile = 'reference',
  ...options
}: HandlersOptions = {}): Promise<{ readonly handlers: RequestHandler[]; readonly simulator: InProcessSimulator }> {
  const simulator = await startInDialect(profile, checkInput, (dialect) => createInProcess({ ...options, dialect }));
  return { handlers: handlersFor(simulator), simulator };
}
