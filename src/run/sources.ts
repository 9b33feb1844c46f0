/**
 * Sources that send less than a run requests. What a source hides of a service is untested: neither a pass nor an
 * accusation.
 */
import { unsentExchange } from '../exchange/body.ts';
import { firstHeader } from '../exchange/headers.ts';
import {
  type BodyConsumer,
  type Exchange,
  type FailureKind,
  type Source,
  WIRE_ASPECTS,
  type WireAspect,
  type WireRequest,
} from '../exchange/types.ts';
import { failureOf } from '../exchange/wire/failures.ts';
import type { ReadingProblem } from '../reading/types.ts';

/** The part of the wire that a failure is about; an absent kind is about none. */
const ASPECTS: { readonly [K in FailureKind]?: WireAspect } = {
  reset: 'connection',
  protocol: 'framing',
  truncated: 'framing',
};

/** Whether a parsed URL is the URL as written. A parser encodes the apostrophe of a query, which changes no value. */
function isNormal(url: string): boolean {
  const written = (text: string): string => text.replaceAll("'", '%27');
  return written(new URL(url).href) === written(url);
}

/** Sends a request, unless the source hides its target: the exchange then has the failure `notShown`. */
export async function sendShown(source: Source, request: WireRequest, consume: BodyConsumer): Promise<Exchange> {
  if (!source.hides?.includes('rawTarget') || isNormal(request.url)) return source.send(request, consume);
  return unsentExchange(request, failureOf('notShown', request.method, request.url, WIRE_ASPECTS.rawTarget));
}

/** Why responses cannot be judged from this source; undefined if they can. */
export function whyNotShown(
  { hides = [] }: Source,
  exchanges: readonly Exchange[],
  problem: ReadingProblem | undefined,
): string | undefined {
  if (hides.length === 0) return undefined;
  for (const { request, failure } of exchanges) {
    if (failure?.kind === 'notShown') return failure.message;
    const aspect = failure && ASPECTS[failure.kind];
    if (aspect && hides.includes(aspect))
      return failureOf('notShown', request.method, request.url, `${WIRE_ASPECTS[aspect]}: ${failure.kind}`).message;
  }
  const last = exchanges.at(-1);
  const isCoded = firstHeader(last?.response?.headers ?? [], 'content-encoding') !== undefined;
  const isUnreadable = problem?.kind === 'encoding' || problem?.kind === 'charset' || problem?.kind === 'truncated';
  if (!last || !isCoded || !isUnreadable || !hides.includes('contentCoding')) return undefined;
  const detail = `${WIRE_ASPECTS.contentCoding}: ${problem.message}`;
  return failureOf('notShown', last.request.method, last.request.url, detail).message;
}

/**
 * A source that sends equal requests once and returns the stored exchange for later ones. A request that failed below
 * HTTP is sent again.
 *
 * @param exchanges the exchanges of one repetition so far
 */
export function answerOnce(source: Source, exchanges: Map<string, Exchange>): Source {
  return {
    ...(source.hides && { hides: source.hides }),
    async send(request, consume) {
      const body = request.body ? Buffer.from(request.body).toString('base64') : '';
      const key = JSON.stringify({ ...request, body });
      const earlier = exchanges.get(key);
      if (earlier?.response) {
        await consume?.(earlier.response, earlier.body.chunks());
        return earlier;
      }
      const exchange = await source.send(request, consume);
      if (exchange.response && !exchange.failure) exchanges.set(key, exchange);
      return exchange;
    },
    close: () => source.close(),
  };
}

/** A source that sends nothing, for a run that has stopped; `message` says why. */
export const unsentSource = (message: string): Source => ({
  send: async (request) => unsentExchange(request, { kind: 'stopped', message }),
  async close() {},
});
