/** Catalogues that are refreshed on different days: what is wrong in one of them is a failure. */
import { expect, test } from 'vitest';
import { type Answer, judgeService } from '../judge-in-process.test.support.ts';

const DIMENSIONS = 'POST /data-access/v1/Catalogue/LogicalDimensions';
const ATTRIBUTES = 'POST /data-access/v1/Catalogue/Dimension/Attributes';

/** @param asOf the as-of date of a list of a catalogue */
async function judge(counted: number, asOf: (catalogue: string, path: string) => string) {
  const fields = '{ id: "@.id", asOf: $.asOf }';
  const profile = `name: t
examples: { catalogueId: [A, B] }
operations:
  ${DIMENSIONS}:
    request: { json: { catalogue: "{catalogueId}" } }
    response: { rows: "$.rows[*]", fields: ${fields}, counts: [{ at: "@.count", of: ${ATTRIBUTES} }] }
  ${ATTRIBUTES}:
    request: { json: { catalogue: "{catalogueId}", dimension: "{dimension}" } }
    response: { rows: "$.rows[*]", fields: ${fields} }`;
  const service: Answer = ({ key, path, json: { catalogue = '' } }) => {
    const count = catalogue === 'A' ? counted : 2;
    const rows = { [DIMENSIONS]: [{ id: 'd1', count }], [ATTRIBUTES]: [{ id: 'a1' }, { id: 'a2' }] }[key];
    return rows && [200, { asOf: asOf(catalogue, path), rows }];
  };
  const operations = [DIMENSIONS, ATTRIBUTES] as const;
  const { results } = await judgeService(profile, service, { rules: ['B.counts-below'], operations });
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
