/** Keeps a token that a service issues until it expires or is refused. */
import type { Failure } from '../exchange/types.ts';

/** An issued token, or why there is none. `expiresIn`: its lifetime in seconds; absent: until it is refused. */
export type IssuedToken = { readonly value: string; readonly expiresIn?: number } | { readonly failure: Failure };

/** A token counts as expired this long before the server's expiry, so that it does not expire in transit. */
const MARGIN_MS = 5000;

/** A token, fetched on first use and cached until it expires or is refused. Concurrent requests share one fetch. */
export class TokenCache {
  readonly #request: () => Promise<IssuedToken>;
  #current: Promise<IssuedToken> | undefined;
  #expires = Number.POSITIVE_INFINITY;

  /** @param request requests a new token */
  constructor(request: () => Promise<IssuedToken>) {
    this.#request = request;
  }

  /** The token for the next request. @param refused one that the service answered with 401: it is not returned again */
  async get(refused?: string): Promise<IssuedToken> {
    const cached = this.#current && (await this.#current);
    const usable = cached && 'value' in cached && cached.value !== refused && Date.now() < this.#expires;
    if (usable) return cached;
    // Of several requests with the same expired token, the first one replaces it while the others wait.
    if (this.#current && (await this.#current) !== cached) return this.get(refused);
    this.#current = this.#fetch();
    return this.#current;
  }

  async #fetch(): Promise<IssuedToken> {
    this.#expires = Number.POSITIVE_INFINITY;
    const issued = await this.#request();
    if ('value' in issued && issued.expiresIn !== undefined && issued.expiresIn > 0)
      this.#expires = Date.now() + issued.expiresIn * 1000 - Math.min(MARGIN_MS, issued.expiresIn * 500);
    return issued;
  }
}
