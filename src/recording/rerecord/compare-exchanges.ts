/** What may differ between two recordings of an unchanged service. */

import type { HeaderLines } from '../../exchange/header-lines.ts';
import { isVolatileHeader } from '../../exchange/volatile-headers.ts';
import { type LoadedResponse, loadResponse, type TextOf } from '../format/loaded-response.ts';
import { headerPlace, pathValuesIn, sameBut, withoutBoundary } from '../format/masks.ts';
import type { RecordedExchange } from '../format/recorded-exchange.ts';

/** Headers that are made of the body: where its masked parts differ they do, too. */
const OF_THE_BODY = new Set(['content-digest', 'content-md5', 'digest', 'etag', 'repr-digest']);

/** A cookie by its name and attributes: its value is a secret, and its end a time from now. */
const cookie = (value: string): string =>
  value.replace(/^([^=;]*)=[^;]*/, '$1').replace(/;\s*(?:expires|max-age)=[^;]*/gi, '');

function headersSaid(lines: HeaderLines, hasBody: boolean, isLeft: (name: string) => boolean): string {
  const told = lines.flatMap(([given, value]): [string, string][] => {
    const name = given.toLowerCase();
    if (isLeft(name) || (hasBody && name === 'content-length')) return [];
    if (name === 'set-cookie') return [[name, cookie(value)]];
    return [[name, name === 'content-type' ? withoutBoundary(value) : value]];
  });
  return JSON.stringify(told.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}

/**
 * How much of what an answer says is new. `masked`: something is, but only at masked places or in how JSON and XML are
 * written; where a profile reads the same out of both, they say the same.
 */
export type ExchangeChange = 'same' | 'masked' | 'other';

export interface ComparisonContext {
  /** Places at which answers of this operation differ anyhow. */
  readonly masked: ReadonlySet<string>;
  /** Headers the profile reads, in lower case: they tell something, whatever they are called. */
  readonly read: ReadonlySet<string>;
  readonly textOf: TextOf;
}

function noveltyOf(former: LoadedResponse, now: LoadedResponse, { masked, read }: ComparisonContext): ExchangeChange {
  const isVolatile = (name: string): boolean => isVolatileHeader(name) && !read.has(name);
  const sameHead = (isLeft: (name: string) => boolean): boolean => {
    const said = ({ status, reason, headers, bodyId, coding }: LoadedResponse) =>
      JSON.stringify([status, reason, headersSaid(headers, bodyId !== undefined, isLeft), coding]);
    return said(former) === said(now);
  };
  const isMasked = (name: string): boolean => isVolatile(name) || masked.has(headerPlace(name));
  // A side file’s name is its hash.
  if (former.bodyId === now.bodyId) {
    if (sameHead(isVolatile)) return 'same';
    return sameHead(isMasked) ? 'masked' : 'other';
  }
  if (former.bodyId === undefined || now.bodyId === undefined) return 'other';
  if (!sameHead((name) => isMasked(name) || OF_THE_BODY.has(name))) return 'other';
  const [a, b] = [pathValuesIn(former), pathValuesIn(now)];
  return a && b && sameBut(a, b, masked) ? 'masked' : 'other';
}

/**
 * Compares two exchanges of one key, whoever asked with whatever other headers: volatile headers and masks aside. Where
 * nothing is new the former one is kept, so that recording an unchanged service anew changes no byte.
 */
export function compareExchanges(
  former: RecordedExchange,
  now: RecordedExchange,
  by: ComparisonContext,
): ExchangeChange {
  if (former.key !== now.key || former.failure?.kind !== now.failure?.kind) return 'other';
  if (!former.response || !now.response) return former.response === now.response ? 'same' : 'other';
  return noveltyOf(loadResponse(former.response, by.textOf), loadResponse(now.response, by.textOf), by);
}
