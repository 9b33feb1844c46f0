import { describe, expect, test } from 'vitest';
import type { OperationKey } from '../contract/index.ts';
import { bodyFrom } from '../exchange/body.ts';
import type { WireRequest } from '../exchange/types.ts';
import { parseProfile } from '../profile/parse-profile.ts';
import type { Observation } from '../reading/types.ts';
import { hasNextPage, pagerOf } from './pager.ts';
import { unsentSource } from './sources.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const BASE = 'https://host/api';
const LIST = `${BASE}/PLATFORMAPI/prodRef/v1/allProducts`;

interface Page extends Partial<Observation> {
  readonly link?: string;
}

/** Pages through answers; gives the URLs asked for, and `loop` last where the list came to no end. */
function turn(
  paging: string,
  query: string,
  pages: readonly Page[],
  inputs = {},
  longestPages?: Map<OperationKey, number>,
): string[] {
  const profile = parseProfile(
    `name: t\noperations: { "${BULK}": { request: { query: ${query} }, response: { rows: "$[*]"${paging && `, paging: ${paging}`} } } }`,
    't.yaml',
  );
  const context = {
    base: BASE,
    profile,
    source: unsentSource(''),
    onExchange: () => {},
    ...(longestPages && { longestPages }),
  };
  const pager = pagerOf(context, { operation: BULK, inputs, variant: {}, repetition: 0 });
  const asked: string[] = [];
  let request: WireRequest | undefined | 'loop' = pager.first();
  for (const { link, ...page } of pages) {
    if (request === undefined || request === 'loop') break;
    asked.push(request.url);
    const exchange = {
      request,
      response: { status: 200, reasonPhrase: '', headers: link === undefined ? [] : [['Link', link] as const] },
      body: bodyFrom(new Uint8Array(0)),
      redirects: [],
      timing: { startedAt: '', totalMs: 0 },
    };
    request = pager.next({ rows: 2, complete: true, values: {}, digest: `d${asked.length}`, ...page }, exchange);
  }
  if (request === 'loop') asked.push('loop');
  else if (request) asked.push(`${request.url} …`);
  return asked.map((url) => url.replace(LIST, ''));
}

const full = (count: number): Page[] => Array.from({ length: count }, () => ({}));

test('a list the profile does not page is one page', () => {
  expect(turn('', '{}', full(3))).toEqual(['']);
});

describe('by number', () => {
  const query = '{ p: "{page}", n: "{pageSize}" }';

  test('until a page is short of what was asked for', () => {
    expect(turn('{ style: page, size: 2 }', query, [{}, {}, { rows: 1 }, {}])).toEqual([
      '?p=1&n=2',
      '?p=2&n=2',
      '?p=3&n=2',
    ]);
  });

  test('beyond a short page, until one is shorter than another or empty: the server may limit the size', () => {
    const limited = [{}, {}, { rows: 1 }, {}];
    expect(turn('{ style: offset, size: 5 }', '{ from: "{offset}" }', limited, {}, new Map())).toEqual([
      '?from=0',
      '?from=2',
      '?from=4',
    ]);
    expect(turn('{ style: offset, size: 5 }', '{ from: "{offset}" }', [{}, { rows: 0 }, {}], {}, new Map())).toEqual([
      '?from=0',
      '?from=2',
    ]);
    const longest = new Map<OperationKey, number>([[BULK, 3]]);
    expect(turn('{ style: offset, size: 5 }', '{ from: "{offset}" }', [{}, {}], {}, longest)).toEqual(['?from=0']);
  });

  test('until a page is empty, where no size is declared', () => {
    expect(turn('{ style: page }', query, [{}, { rows: 1 }, { rows: 0 }, {}])).toEqual(['?p=1', '?p=2', '?p=3']);
  });

  test('from the first number the service knows', () => {
    expect(turn('{ style: page, first: 0, size: 2 }', query, [{}, { rows: 0 }])).toEqual(['?p=0&n=2', '?p=1&n=2']);
  });

  test('keeping the inputs of the list', () => {
    const asked = turn('{ style: page, size: 2 }', '{ c: "{category}", p: "{page}" }', [{}, { rows: 0 }], {
      category: 'A&B',
    });
    expect(asked).toEqual(['?c=A%26B&p=1', '?c=A%26B&p=2']);
  });

  test('stops at a page that is answered twice again', () => {
    const again = { digest: 'x' };
    expect(turn('{ style: page, size: 2 }', query, [{}, again, again, again, {}]).length).toBe(4);
  });

  test('goes on after a page that the list contains twice', () => {
    const again = { digest: 'x' };
    expect(turn('{ style: page, size: 2 }', query, [{}, again, again, {}, { rows: 0 }]).length).toBe(5);
  });

  test('takes empty pages for the end, not for a repetition', () => {
    expect(turn('{ style: page }', query, [{ rows: 0, digest: '' }])).toEqual(['?p=1']);
  });
});

describe('by offset', () => {
  const query = '{ o: "{offset}", n: "{pageSize}" }';

  test('counts the rows that came, not the pages', () => {
    expect(turn('{ style: offset, size: 2 }', query, [{}, { rows: 5 }, { rows: 1 }])).toEqual([
      '?o=0&n=2',
      '?o=2&n=2',
      '?o=7&n=2',
    ]);
  });

  test('stops at a page that is answered twice again', () => {
    const again = { digest: 'x' };
    expect(turn('{ style: offset, size: 2 }', query, [again, again, again, {}]).length).toBe(3);
  });
});

describe('by cursor', () => {
  const cursor = '{ style: cursor, next: "$.next" }';

  test('until none is given', () => {
    expect(turn(cursor, '{ c: "{cursor}" }', [{ next: 'a/b' }, { next: 'c' }, {}])).toEqual(['', '?c=a%2Fb', '?c=c']);
  });

  test('goes on over empty pages', () => {
    expect(turn(cursor, '{ c: "{cursor}" }', [{ rows: 0, next: 'a' }, {}])).toEqual(['', '?c=a']);
  });

  test('stops at one it has seen, however long ago', () => {
    const pages = [{ next: 'a' }, { next: 'b' }, { next: 'a' }];
    expect(turn(cursor, '{ c: "{cursor}" }', pages)).toEqual(['', '?c=a', '?c=b', 'loop']);
  });
});

describe.each<[string, string, (target: string) => Page]>([
  ['by Link', '{ style: link }', (target) => ({ link: `<${target}>; rel="next"` })],
  ['by a URL in the body', '{ style: next, next: "$.next" }', (target) => ({ next: target })],
])('%s', (_, paging, to) => {
  test.each<[string, string, string]>([
    ['a query', '?page=2', '?page=2'],
    ['a path', '/api/other?x=1', `${BASE}/other?x=1`],
    ['a whole URL', `${LIST}?page=2`, '?page=2'],
  ])('follows %s', (_name, target, asked) => {
    expect(turn(paging, '{}', [to(target), {}])).toEqual(['', asked]);
  });

  test.each([
    'https://elsewhere/api',
    'http://host/api',
    '//elsewhere/x',
    'https://host:444/api',
    'http://[',
    'data:,x',
  ])('never follows %s, and does not take the list for whole', (target) => {
    expect(turn(paging, '{}', [to(target), {}])).toEqual(['', 'loop']);
  });

  test('stops at a target it has seen', () => {
    expect(turn(paging, '{}', [to('?p=2'), to('?p=3'), to('?p=2')])).toEqual(['', '?p=2', '?p=3', 'loop']);
  });
});

test('a Link of another relation is not followed', () => {
  expect(turn('{ style: link }', '{}', [{ link: '<?p=2>; rel="last"' }])).toEqual(['']);
  expect(turn('{ style: link, rel: more }', '{}', [{ link: '<?p=2>; rel="more"' }, {}])).toEqual(['', '?p=2']);
});

test.each<[string, string, Page]>([
  ['page', '{ style: page, maxPages: 3 }', {}],
  ['offset', '{ style: offset, size: 2, maxPages: 3 }', {}],
])('a list by %s that does not end within maxPages is not whole', (_, paging, page) => {
  const asked = turn(
    paging,
    '{ p: "{page}", o: "{offset}" }',
    Array.from({ length: 9 }, () => page),
  );
  expect(asked.length).toBe(4);
  expect(asked.at(-1)).toBe('loop');
});

test('a list that ends exactly with maxPages is whole', () => {
  expect(turn('{ style: page, size: 2, maxPages: 3 }', '{ p: "{page}" }', [{}, {}, { rows: 1 }])).toEqual([
    '?p=1',
    '?p=2',
    '?p=3',
  ]);
});

test('a page that could not be read is the last one asked for', () => {
  const problem = { kind: 'syntax', message: 'broken' } as const;
  expect(turn('{ style: page, size: 2 }', '{ p: "{page}" }', [{ problem }, {}])).toEqual(['?p=1']);
});

const answer = (text: string, headers: readonly (readonly [string, string])[] = [], status = 200) => ({
  request: { method: 'GET', url: 'http://h/', headers: [] },
  response: { status, reasonPhrase: '', headers },
  body: bodyFrom(Buffer.from(text)),
  redirects: [],
  timing: { startedAt: '', totalMs: 0 },
});
const rows = JSON.stringify(Array.from({ length: 3000 }, (_, at) => ({ u: `${at}`, name: 'x'.repeat(40) })));

test.each([
  '{"items":[],"hasMore":true}',
  '{"items":[],"next":"https://h/list?page=2"}',
  '{"items":[],"next":"/list?page=2"}',
  '{"_links":{"next":{"href":"/list?page=2"}}}',
  '{"@odata.nextLink":"https://h/x"}',
  `{"items":${rows},"nextPageToken":"abc"}`,
  '{"total":9,"page_size":2,"items":[]}',
])('%.60s goes on', async (text) => {
  expect(await hasNextPage(answer(text), 2, 2)).toBe(true);
});

test.each([
  '{"items":[],"hasMore":false,"next":null,"nextCursor":""}',
  '{"_links":{"next":{"href":""}}}',
  '{"next":"Tuesday","total":9}',
  '{"total":2,"pageSize":2}',
  '{"total":9,"pageSize":5}',
])('%s does not', async (text) => {
  expect(await hasNextPage(answer(text), 2, 2)).toBe(false);
});

test('headers show a next page, too', async () => {
  expect(await hasNextPage(answer('[]', [['link', '<?p=2>; rel="next"']]), 0, 0)).toBe(true);
  expect(await hasNextPage(answer('[]', [], 206), 0, 0)).toBe(true);
  expect(await hasNextPage(answer('{"limit":2}', [['X-Total-Count', '7']]), 2, 2)).toBe(true);
  expect(await hasNextPage(answer('[]', [['X-Total-Count', '7']]), 2, 2)).toBe(false);
});
