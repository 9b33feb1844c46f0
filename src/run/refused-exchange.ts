/** Turns a 2xx exchange that the profile declares to be a refusal into one with the status of that refusal. */
import type { Exchange } from '../exchange/types.ts';
import type { Refusal } from '../reading/types.ts';

/** The status if the profile states none: rules that accept “not found” accept it. */
const DEFAULT_STATUS = 404;

/** By original exchange, so that an exchange that is read several times stays one exchange. */
const refusedExchanges = new WeakMap<Exchange, Exchange>();

/** The exchange with the status that the profile states for its refusal, or else 404; `response.refusal` has the status on the wire. */
export function withRefusalStatus(exchange: Exchange, { because, like }: Refusal): Exchange {
  const { response } = exchange;
  if (!response) return exchange;
  const refused = refusedExchanges.get(exchange) ?? {
    ...exchange,
    response: {
      ...response,
      status: like ?? DEFAULT_STATUS,
      refusal: { wireStatus: response.status, because, isStated: like !== undefined },
    },
  };
  refusedExchanges.set(exchange, refused);
  return refused;
}
