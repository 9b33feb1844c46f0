/** Values drawn from answers that the request cannot carry where the profile puts them. */
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { judgeTarget } from '../commands/judge-target.ts';
import { parseProfile } from '../profile/parse-profile.ts';
import { listen } from '../resources.test.support.ts';

test.each([
  ['a line feed', 'Te\na', /not sent.*header X-Category contains a line feed/],
  ['a letter without a byte', 'Чай', /not sent.*header X-Category contains the character \(U\+0427\)/],
])('%s in a header leaves the check inconclusive', async (_, category, says) => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers['x-category'] ?? ''}`);
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ items: [{ upc: '012345678905', category }] }));
  });
  const profile = parseProfile(
    `name: x
implements: [C]
operations:
  GET /PLATFORMAPI/prodRef/v1/allCategories:
    request: {}
    response: { rows: "$.items[*]", fields: { category: "@.category" } }
  GET /PLATFORMAPI/prodRef/v1/allProducts:
    request: { headers: { X-Category: "{category}" } }
    response: { rows: "$.items[*]", fields: { upc: "@.upc", category: "@.category" } }
`,
    'x.yaml',
  );
  const run = await judgeTarget({
    base: await listen(server),
    profile,
    selection: { safety: 'read', rules: ['C.filter-sound'] },
  });
  expect(run.results[0]).toMatchObject({ verdict: 'inconclusive', note: expect.stringMatching(says) });
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.every((each) => each.endsWith(' '))).toBe(true);
});
