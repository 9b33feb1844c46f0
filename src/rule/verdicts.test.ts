import { describe, expect, test } from 'vitest';
import type { Breaches, Tally } from './fold.ts';
import type { Judgement, Reading } from './types.ts';
import {
  combine,
  describeResponse,
  evidenceOf,
  failed,
  findingsAt,
  inconclusive,
  isOk,
  judgeRowFailures,
  judgeTally,
  passed,
  quoteSelector,
  untested,
} from './verdicts.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const reading = (over: Partial<Reading> = {}): Reading => ({
  exchange: '#3',
  operation: BULK,
  inputs: {},
  head: { status: 200, reasonPhrase: 'OK', headers: [['Content-Type', 'application/json']] },
  folds: {},
  ...over,
});
const withRows = (rows: number) => reading({ observation: { rows, complete: true, values: {}, digest: '' } });
const spots = (...indexes: number[]) => indexes.map((index) => ({ index, kind: 'bad', message: `row ${index}: bad` }));

test('what a judge can say carries no more than it was given', () => {
  expect(passed({ rows: 1 })).toEqual({ verdict: 'pass', evidence: { rows: 1 } });
  expect(passed({ rows: 1 }, 'n')).toEqual({ verdict: 'pass', evidence: { rows: 1 }, note: 'n' });
  expect(failed([])).toEqual({ verdict: 'fail', findings: [] });
  expect(failed([], 'profile')).toEqual({ verdict: 'fail', findings: [], basis: 'profile' });
  expect(inconclusive('x')).toEqual({ verdict: 'inconclusive', because: 'x' });
  expect(untested('x')).toEqual({ verdict: 'untested', because: 'x' });
});

test.each([
  [199, false],
  [200, true],
  [204, true],
  [299, true],
  [300, false],
  [404, false],
])('status %i is a 2xx: %s', (status, ok) => {
  expect(isOk(reading({ head: { status, reasonPhrase: '', headers: [] } }))).toBe(ok);
});

test('a response is described by status and type, a missing one by its failure', () => {
  expect(describeResponse(reading())).toBe('status 200 (application/json)');
  expect(describeResponse(reading({ head: { status: 204, reasonPhrase: '', headers: [] } }))).toBe('status 204');
  const { head: _, ...silent } = reading();
  expect(isOk(silent)).toBe(false);
  expect(describeResponse(silent)).toBe('no response: no request was sent');
  expect(describeResponse({ ...silent, failure: 'refused' })).toBe('no response: refused');
});

test('evidence adds up over readings; findings name their exchange and row', () => {
  expect(evidenceOf([withRows(2), withRows(3), reading()], 4)).toEqual({ exchanges: 3, rows: 5, distinct: 4 });
  expect(findingsAt(reading(), 'good', spots(7))).toEqual([
    { kind: 'bad', expected: 'good', actual: 'row 7: bad', exchange: '#3', row: 7 },
  ]);
  expect(quoteSelector(BULK, '@.u')).toBe(`@.u of ${BULK}`);
  expect(quoteSelector(BULK, undefined)).toBe(`a function of ${BULK}`);
});

describe('checks of every row', () => {
  const judge = (...all: Breaches[]) => {
    const readings = all.map((breaches, at) => ({ ...withRows(10), exchange: `#${at}`, breaches }));
    return judgeRowFailures(readings, (each) => each.breaches, 'good');
  };

  test('any breach in any response fails, with its exchange and row', () => {
    expect(judge({ checked: 10, count: 0, first: [] }, { checked: 10, count: 1, first: spots(4) })).toEqual(
      failed([{ kind: 'bad', expected: 'good', actual: 'row 4: bad', exchange: '#1', row: 4 }]),
    );
  });

  test('findings are bounded', () => {
    const five = { checked: 10, count: 9, first: spots(1, 2, 3, 4, 5) };
    expect(judge(five, five, five)).toMatchObject({ findings: { length: 10 } });
  });

  test('a pass needs at least one checked row', () => {
    expect(judge({ checked: 0, count: 0, first: [] })).toMatchObject({ verdict: 'untested' });
    expect(judge()).toMatchObject({ verdict: 'untested' });
  });

  test('evidence counts the checked rows, not the others', () => {
    expect(judge({ checked: 4, count: 0, first: [] }, { checked: 3, count: 0, first: [] })).toEqual(
      passed({ exchanges: 2, rows: 7, distinct: 0 }),
    );
  });
});

describe('a value the document puts in every row', () => {
  const tally = (over: Partial<Tally>): Tally => ({
    rows: 10,
    values: 0,
    nulls: 0,
    missing: 0,
    unconverted: 0,
    firstGaps: [],
    firstUnconverted: [],
    distinct: 0,
    ...over,
  });
  const judge = (over: Partial<Tally>, demand = {}) =>
    judgeTally(withRows(10), tally(over), {
      field: 'upc',
      expected: 'a UPC',
      declared: false,
      selector: '@.u',
      nullable: false,
      ...demand,
    });
  const gaps = { firstGaps: spots(1, 2) };
  const unread = { firstUnconverted: spots(5) };

  test('in every row: pass, with what it rests on', () => {
    expect(judge({ values: 10, distinct: 9 })).toEqual(passed({ exchanges: 1, rows: 10, distinct: 9 }));
  });

  test('no rows: nothing seen', () => {
    expect(judge({ rows: 0 })).toMatchObject({ verdict: 'untested' });
  });

  test('lacking in some rows: fail, on the rule’s own basis', () => {
    for (const lack of [{ missing: 2 }, { nulls: 2 }, { missing: 1, nulls: 1 }]) {
      const judged = judge({ values: 8, ...lack, ...gaps });
      expect(judged).toMatchObject({ verdict: 'fail', findings: [{ row: 1 }, { row: 2 }] });
      expect(judged).not.toHaveProperty('basis');
    }
  });

  test('lacking in all rows: fail on the profile’s word, quoting its selector', () => {
    const judged = judge({ missing: 6, nulls: 4, ...gaps });
    expect(judged).toMatchObject({ verdict: 'fail', basis: 'profile', findings: [{ row: 1 }] });
    expect(JSON.stringify(judged)).toContain('the profile reads it at @.u');
  });

  test('lacking where the profile allows it: pass where there are values, nothing seen where there are none', () => {
    const nullable = { nullable: true };
    expect(judge({ values: 8, nulls: 2, ...gaps }, nullable)).toMatchObject({ verdict: 'pass' });
    expect(judge({ nulls: 10, ...gaps }, nullable)).toMatchObject({
      verdict: 'untested',
      because: expect.stringContaining('@.u'),
    });
  });

  test('values in an undeclared format in all rows: inconclusive, with the first value and the advice', () => {
    expect(judge({ unconverted: 10, ...unread })).toMatchObject({
      verdict: 'inconclusive',
      because: expect.stringMatching(/@\.u.*row 5: bad.*`as`/),
    });
    expect(judge({ unconverted: 8, missing: 2, ...unread, ...gaps })).toMatchObject({ verdict: 'inconclusive' });
  });

  test('of another form than declared, or than the other rows: fail, nullable or not', () => {
    expect(judge({ unconverted: 10, ...unread }, { declared: true })).toMatchObject({
      verdict: 'fail',
      findings: [{ row: 5 }],
    });
    for (const nullable of [true, false])
      expect(judge({ values: 9, unconverted: 1, ...unread }, { nullable })).toMatchObject({ verdict: 'fail' });
  });
});

describe('several judgements together', () => {
  const fail = (basis?: 'profile'): Judgement => failed([{ kind: 'k', expected: 'a', actual: 'b' }], basis);

  test('a failure outweighs doubt, doubt a pass, a pass nothing seen', () => {
    const [pass, doubt, nothing] = [passed({ exchanges: 1 }), inconclusive('d'), untested('n')];
    expect(combine([pass, doubt, fail(), nothing]).verdict).toBe('fail');
    expect(combine([nothing, pass, doubt])).toBe(doubt);
    expect(combine([nothing, pass]).verdict).toBe('pass');
    expect(combine([nothing, untested('m')])).toBe(nothing);
    expect(combine([])).toEqual(untested('nothing to judge'));
  });

  test('failures rest on the profile only when all of them do', () => {
    expect(combine([fail('profile'), fail('profile')])).toMatchObject({ basis: 'profile', findings: { length: 2 } });
    expect(combine([fail('profile'), fail()])).not.toHaveProperty('basis');
  });

  test('findings are bounded, evidence of passes adds up', () => {
    expect(combine(Array.from({ length: 30 }, () => fail()))).toMatchObject({ findings: { length: 10 } });
    expect(combine([passed({ exchanges: 1, rows: 2 }), passed({ exchanges: 1, distinct: 3 }), untested('')])).toEqual(
      passed({ exchanges: 2, rows: 2, distinct: 3 }),
    );
  });
});
