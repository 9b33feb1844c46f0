import { expect, test } from 'vitest';
import { CLASSES, DIFFERENCE_KINDS, type DriftDifference, mergeDifferences, shorten } from './classes.ts';
import { compareTraffic } from './compare-traffic.ts';
import { describeDifferences, recording } from './recording.test.support.ts';
import { isIgnored, reportOf } from './report.ts';

test('the page of the kinds is the table', async () => {
  const rows = Object.entries(DIFFERENCE_KINDS).map(
    ([kind, { class: drift, says }]) => `| ${kind} | ${drift} | ${says} |`,
  );
  await expect(
    [
      '# Kinds of drift',
      '',
      'Generated from `src/recording/drift/classes.ts`; [drift.md](drift.md) says how they are found.',
      '',
      '| kind | class | means |',
      '|---|---|---|',
      ...rows,
      '',
    ].join('\n'),
  ).toMatchFileSnapshot('../../../docs/drift-kinds.md');
  expect(new Set(Object.values(DIFFERENCE_KINDS).map((each) => each.class))).toEqual(new Set(CLASSES));
});

const difference = (drift: DriftDifference['class'], operation: string, path: string): DriftDifference => ({
  class: drift,
  kind: 'value',
  operation,
  path,
  count: '1',
});

test('the worst difference of each operation and path is reported, in the order of the document', () => {
  const settled = mergeDifferences([
    difference('data', 'GET /other', '$.a'),
    difference('data', 'GET /RetailMeasurement/v1/BrandPerformance', '$.a'),
    difference('data', 'POST /webservices/drive', '$.b'),
    difference('data', 'POST /webservices/drive', '$.a'),
    difference('breaking shape', 'GET /other', '$.a'),
  ]);
  expect(settled.map((each) => `${each.class} ${each.operation} ${each.path}`)).toEqual([
    'breaking shape GET /other $.a',
    'data POST /webservices/drive $.a',
    'data POST /webservices/drive $.b',
    'data GET /RetailMeasurement/v1/BrandPerformance $.a',
  ]);
});

test('patterns name paths, or operations and paths', () => {
  const one = difference('data', 'GET /x', '$.rows[*].a');
  for (const pattern of ['$.rows[*].a', '*.a', '$.rows*', 'GET /x *', '*']) expect(isIgnored(one, pattern)).toBe(true);
  for (const pattern of ['$.rows', 'a', 'GET /x', '$.rowsX*', '']) expect(isIgnored(one, pattern)).toBe(false);
});

test('the exit code depends on the worst difference that is not ignored', () => {
  const side = { name: 'x', at: '2026-11-14T12:00:00.000Z', requests: 1 };
  const report = (failOn: DriftDifference['class'] | 'none', ...ignore: string[]) =>
    reportOf({
      failOn,
      was: side,
      is: side,
      compared: 1,
      differences: [difference('additive shape', 'GET /x', '$.a')],
      notCompared: [],
      notes: [],
      ignore,
    }).exitCode;
  expect([report('breaking shape'), report('additive shape'), report('volatile'), report('none')]).toEqual([
    0, 5, 5, 0,
  ]);
  expect(report('data', '$.a')).toBe(0);
});

test('examples are short', () => {
  expect(shorten('a\n  b')).toBe('a b');
  expect(shorten('x'.repeat(90))).toHaveLength(40);
});

test('values at masked places are volatile', async () => {
  const asked = (at: number) => [
    {
      target: '/webservices/testService',
      responses: [
        { headers: { 'x-took': `${at} ms` }, body: { meta: { 'tag no': `t${at}` }, rows: [{ tag: `r${at}`, x: at }] } },
      ],
    },
  ];
  const masks = ['$.meta["tag no"]', '$.rows[*].tag', '$response.header.x-took'].map((where) => ({
    operation: '*' as const,
    where,
  }));
  const compared = await compareTraffic(recording(asked(1), { masks }), recording(asked(2)), { name: 'empty' });
  expect(describeDifferences(compared)).toEqual([
    'data: GET /webservices/testService $.rows[*].x (value)',
    "volatile: GET /webservices/testService $.meta['tag no'] (passing)",
    'volatile: GET /webservices/testService $.rows[*].tag (passing)',
    'volatile: GET /webservices/testService header x-took (passing header)',
  ]);
});
