/** Turns a 2xx exchange that the profile declares to be a refusal into one with the status of that refusal. */
import type { Exchange } from '../exchange/types.ts';
import type { Refusal } from '../reading/refusal.ts';

/** Rules that allow “not found” allow it; no other status claims less about the request. */
const UNSTATED = 404;

/** A stored exchange may be read several times, and is one exchange. */
const known = new WeakMap<Exchange, Exchange>();

/** The exchange with the status that its refusal is like, by default 404; `response.refusal` has the status on the wire. */
export function asRefused(exchange: Exchange, { because, like }: Refusal): Exchange {
  const { response } = exchange;
  if (!response) return exchange;
  const refused = known.get(exchange) ?? {
    ...exchange,
    response: {
      ...response,
      status: like ?? UNSTATED,
      refusal: { wireStatus: response.status, because, isStated: like !== undefined },
    },
  };
  known.set(exchange, refused);
  return refused;
}
