import { expect, test } from 'vitest';
import type { LoadedResponse } from '../format/loaded-response.ts';
import { isVolatileHeader } from '../format/volatile-headers.ts';
import { differingPlaces, timestampPlaces, withPlaceOf } from './compare-exchanges.ts';

const answer = (body: unknown, headers: LoadedResponse['headers'] = [], status = 200): LoadedResponse => ({
  status,
  reasonPhrase: 'OK',
  headers: [['Content-Type', 'application/json'], ...headers],
  bodyId: undefined,
  text: JSON.stringify(body),
});
const differing = (a: LoadedResponse, b: LoadedResponse) => differingPlaces(a, b, isVolatileHeader);

test('places that differ are found, in rows only if another value identifies the rows', () => {
  const rows = (...tags: string[]) => answer({ rows: tags.map((tag, at) => ({ id: at, tag })) });
  expect(differing(rows('a', 'b'), rows('c', 'd'))).toEqual(['$.rows[*].tag']);
  expect(differing(rows('a', 'b'), rows('b', 'a'))).toEqual([]);
  expect(differing(answer([{ t: 1 }, { t: 2 }]), answer([{ t: 3 }, { t: 4 }]))).toEqual([]);
  expect(differing(rows('a'), rows('a', 'b'))).toEqual([]);
  expect(differing(answer({ a: 1 }), answer({ a: 2 }, [], 404))).toEqual([]);
  const headers = [
    ['X-Took', '3'],
    ['Date', 'Tue'],
    ['Content-Length', '7'],
  ] as const;
  expect(differing(answer({}, headers), answer({}, [['x-took', '5']]))).toEqual(['$response.header.x-took']);
});

test('the value at one place is replaced by that of another response, and nothing else', () => {
  const [a, b] = [
    answer({
      at: 'x',
      rows: [
        { t: 1, u: 1 },
        { t: 2, u: 1 },
      ],
    }),
    answer({
      at: 'y',
      rows: [
        { t: 3, u: 1 },
        { t: 4, u: 1 },
      ],
    }),
  ];
  expect(withPlaceOf(a, b, '$.rows[*].t').text).toBe('{"at":"x","rows":[{"t":3,"u":1},{"t":4,"u":1}]}');
  expect(withPlaceOf(a, b, '$.at').text).toBe('{"at":"y","rows":[{"t":1,"u":1},{"t":2,"u":1}]}');
});

test('a current time in place of an earlier one is a clock; a date, a future time or a number is not', () => {
  const now = Date.parse('2026-11-21T11:00:00Z');
  const places = (was: unknown, is: unknown) => timestampPlaces(answer({ v: was }), answer({ v: is }), now);
  expect(places('2026-11-20T09:00:00Z', '2026-11-21T10:59:58.123Z')).toEqual(['$.v']);
  expect(places('2026-11-20 09:00:00', '2026-11-21 10:59:58')).toEqual(['$.v']);
  expect(places(now / 1000 - 9e4, now / 1000 - 2)).toEqual(['$.v']);
  expect(places(now - 9e7, now - 2000)).toEqual(['$.v']);
  expect(places('2026-11-20', '2026-11-21')).toEqual([]);
  expect(places('2026-11-20T09:00:00Z', '2026-11-22T09:00:00Z')).toEqual([]);
  expect(places('2026-11-21T10:59:59Z', '2026-11-21T10:59:58Z')).toEqual([]);
  expect(places(1, 2)).toEqual([]);
});
