/** What a source hides of a service is untested: neither a pass nor an accusation. */
import { bodyFrom } from '../exchange/body.ts';
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
  return {
    request,
    body: bodyFrom(new Uint8Array(0)),
    redirects: [],
    failure: failureOf('notShown', request.method, request.url, WIRE_ASPECTS.rawTarget),
    timing: { startedAt: new Date().toISOString(), totalMs: 0 },
  };
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
