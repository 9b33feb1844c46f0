/** Catalogues that are refreshed on different days: what is wrong in one of them is a failure. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { judgeTarget } from '../../src/api/judge-target.ts';
import { parseProfile } from '../../src/profile/parse-profile.ts';

const DIMENSIONS = 'POST /data-access/v1/Catalogue/LogicalDimensions';
const ATTRIBUTES = 'POST /data-access/v1/Catalogue/Dimension/Attributes';

/** @param asOf the as-of date of a list of a catalogue */
async function judge(counted: number, asOf: (catalogue: string, path: string) => string) {
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { catalogue } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as { catalogue: string };
    const path = incoming.url ?? '';
    const count = catalogue === 'A' ? counted : 2;
    const rows = path.endsWith('LogicalDimensions')
      ? [{ id: 'd1', count }]
      : path.endsWith('Attributes')
        ? [{ id: 'a1' }, { id: 'a2' }]
        : undefined;
    response
      .writeHead(rows ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(rows ? { asOf: asOf(catalogue, path), rows } : {}));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const fields = '{ id: "@.id", asOf: $.asOf }';
  const profile = parseProfile(
    `name: t
examples: { catalogueId: [A, B] }
operations:
  ${DIMENSIONS}:
    request: { json: { catalogue: "{catalogueId}" } }
    response: { rows: "$.rows[*]", fields: ${fields}, counts: [{ at: "@.count", of: ${ATTRIBUTES} }] }
  ${ATTRIBUTES}:
    request: { json: { catalogue: "{catalogueId}", dimension: "{dimension}" } }
    response: { rows: "$.rows[*]", fields: ${fields} }`,
    't.yaml',
    {},
  );
  const { results } = await judgeTarget({
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    profile,
    selection: { safety: 'read', rules: ['B.counts-below'], operations: [DIMENSIONS, ATTRIBUTES] },
  });
  await new Promise((closed) => server.close(closed));
  return results.find(({ operation }) => operation === DIMENSIONS)?.verdict;
}

const ofCatalogue = (catalogue: string): string => (catalogue === 'A' ? '2026-11-14' : '2026-10-31');

test('a right count', async () => {
  expect(await judge(2, ofCatalogue)).toBe('pass');
});

test('a wrong count in one of two catalogues of different days', async () => {
  expect(await judge(3, ofCatalogue)).toBe('fail');
});

test('another count where the two lists of a catalogue are of different days', async () => {
  expect(await judge(3, (_, path) => (path.endsWith('Attributes') ? '2026-11-14' : '2026-11-07'))).toBe('inconclusive');
});
