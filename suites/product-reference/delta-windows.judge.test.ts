/** The judge of windows of other than 1, 4 or 13 weeks. */
import { expect, test } from 'vitest';
import { UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { DEFAULT_SAMPLING } from '../../src/contract/sampling.ts';
import { declarationsOf } from '../../src/rule/declarations.ts';
import { judgeCases } from '../judging.test.support.ts';
import { patchedReference } from '../patched-reference.test.support.ts';
import { malformedWindow } from './delta-windows.ts';

const listed = { inputs: { window: 4 } };
const first = (status: number | null) => ({ inputs: { window: 2 }, status });
const second = (status: number | null) => ({ inputs: { window: 3 }, status });

judgeCases(
  'C.malformed-window',
  { profile: { operations: { [UPDATE_PRODUCTS]: { statuses: { malformed: [400] } } } }, depth: 'thorough' },
  [
    ['refused as stated', { listed, first: first(400) }, 'pass', { evidence: { exchanges: 1 } }],
    [
      'one of two accepted',
      { listed, first: first(400), second: second(200) },
      'fail',
      { findings: [{ kind: 'other-window-accepted', exchange: '#second-0' }] },
    ],
    ['both refused with another status', { listed, first: first(404), second: second(404) }, 'fail'],
    ['an overload proves nothing', { listed, first: first(503) }, 'untested'],
    ['a redirect proves nothing', { listed, first: first(302) }, 'untested'],
    ['the delta of 4 weeks fails, too', { listed: { ...listed, status: 400 }, first: first(400) }, 'untested'],
  ],
);

/** The windows that the rule requests, with the spellings that a profile states. */
async function windowsFor(window: object | null, depth: 'standard' | 'thorough' = 'standard') {
  const profile = await patchedReference({ operations: { [UPDATE_PRODUCTS]: { request: { spellings: { window } } } } });
  const steps = malformedWindow.probe(UPDATE_PRODUCTS, declarationsOf(profile, { ...DEFAULT_SAMPLING, depth }));
  return Object.values(steps).map(({ inputs }) => inputs?.window);
}

test.each([
  ['numbers of weeks', { 1: 1, 4: 4, 13: 13 }, [4, 2, 3]],
  ['a form with the weeks', { 1: 'P1W', 4: 'P4W', 13: 'P13W' }, [4, 'P2W', 'P3W']],
  ['another form for one week', { 1: 'LW', 4: 'L4W', 13: 'L13W' }, [4, 'L2W', 'L3W']],
  ['digits with leading zeros', { 1: 'w01', 4: 'w04', 13: 'w13' }, [4, 'w2', 'w3']],
  ['days', { 1: 7, 4: 28, 13: 91 }, [4, '14', '21']],
  ['words', { 1: 'week', 4: 'month', 13: 'quarter' }, []],
  ['words, one of them for two weeks', { 1: 'week', 2: 'fortnight', 4: 'month', 13: 'quarter' }, [4, 2]],
  ['codes that are other numbers of weeks', { 1: '1', 4: '2', 13: '3' }, []],
  ['one code that is another number of weeks', { 1: '0', 4: '1', 13: '2' }, []],
])('windows written as %s', async (_, spellings, windows) => {
  expect(await windowsFor(spellings, 'thorough')).toEqual(windows.map((value) => ({ value })));
});

test('words without a form leave the check untested, and its reason names the key', async () => {
  const window = { 1: 'week', 4: 'month', 13: 'quarter' };
  const profile = await patchedReference({ operations: { [UPDATE_PRODUCTS]: { request: { spellings: { window } } } } });
  expect(malformedWindow.unjudged?.(UPDATE_PRODUCTS, declarationsOf(profile))).toContain(
    'request.spellings.window."2"',
  );
});

test('one other window at standard', async () => {
  expect(await windowsFor({ 1: 'P1W', 4: 'P4W', 13: 'P13W' })).toEqual([{ value: 4 }, { value: 'P2W' }]);
});
