import { expect, test } from 'vitest';
import { bodyFrom } from '../exchange/body.ts';
import { hasNextPage } from './pager.ts';

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

test('headers may tell it too', async () => {
  expect(await hasNextPage(answer('[]', [['link', '<?p=2>; rel="next"']]), 0, 0)).toBe(true);
  expect(await hasNextPage(answer('[]', [], 206), 0, 0)).toBe(true);
  expect(await hasNextPage(answer('{"limit":2}', [['X-Total-Count', '7']]), 2, 2)).toBe(true);
  expect(await hasNextPage(answer('[]', [['X-Total-Count', '7']]), 2, 2)).toBe(false);
});
