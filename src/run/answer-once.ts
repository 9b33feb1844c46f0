/** Requests a response that contains several windows of a delta (section 4.3) once, and reads it for each window. */
import type { Exchange, Source } from '../exchange/types.ts';

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
