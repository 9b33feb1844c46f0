/** A delta answered in one call is asked for once, page by page, and read for each of its windows. */
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { RULES } from '../../suites/index.ts';
import { parseProfile } from '../profile/parse-profile.ts';
import { listen } from '../resources.test.support.ts';
import { perform } from './perform.test.support.ts';

const DELTA = 'GET /PLATFORMAPI/prodRef/v1/updateProducts';
const PROFILE = `
name: t
implements: ["${DELTA}"]
operations:
  ${DELTA}:
    request: {}
    response:
      rows: { "1": "$.w[*]", "4": "$.m[*]", "13": "$.q[*]" }
      fields: { upc: "@" }
      paging: { style: next, next: $.next }
`;
const [A, B, C, D] = ['000000000017', '000000000024', '000000000031', '000000000048'];
const PAGES: Record<string, object> = {
  '': { w: [A], m: [A, B], q: [A, B], next: '?p=2' },
  '?p=2': { w: [], m: [C], q: [C, D], next: null },
};

/** The verdicts of some rules on a delta, and what was asked of it. */
async function judge(rules: readonly string[], pages: Record<string, object>) {
  const asked: string[] = [];
  const delta = createServer((request, response) => {
    const query = /\?.*$/.exec(request.url ?? '')?.[0] ?? '';
    if (request.url?.startsWith(DELTA.slice(4))) asked.push(query);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(pages[query]));
  });
  const run = await perform({
    rules: RULES.filter(({ id }) => rules.includes(id)),
    profile: parseProfile(PROFILE, 't.yaml', {}),
    base: await listen(delta),
    strict: true,
  });
  const judged = run.results.filter(({ verdict }) => verdict !== 'not-applicable');
  return { asked, exchanges: run.exchanges.length, judged: judged.map(({ rule, verdict }) => `${rule} ${verdict}`) };
}

test('three windows of two pages are two requests, each read for the rows of every window', async () => {
  const { asked, exchanges, judged } = await judge(['C.delta-nested'], PAGES);
  expect(judged).toEqual(['C.delta-nested pass']);
  expect(asked).toEqual(['', '?p=2']);
  expect(exchanges).toBe(2);
});

test('another repetition number is another request: a second reading, or a repeated rule', async () => {
  expect((await judge(['C.delta-stable'], PAGES)).asked).toEqual(['', '?p=2', '', '?p=2', '', '?p=2']);
  const torn = { '': { w: [A], m: [B], q: [A, B], next: null } };
  const { asked, judged } = await judge(['C.delta-nested'], torn);
  expect(judged).toEqual(['C.delta-nested fail']);
  // The repetition sends the request several times in a row.
  expect(asked.length).toBeGreaterThan(1);
  expect(new Set(asked)).toEqual(new Set(['']));
});
