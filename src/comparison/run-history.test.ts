import { describe, expect, test } from 'vitest';
import { PRODUCT_LOOKUP } from '../contract/index.ts';
import type { RunSnapshot } from '../run/comparison-types.ts';
import type { Result } from '../run/types.ts';
import { entrySchema, type HistoryEntry, historyEntry } from './history-entry.ts';
import { resultWith, runWith } from './run.test.support.ts';
import { historiesOf, historyOf, withFirstFailures } from './run-history.ts';

const night = (at: number): string => `2026-11-${String(at + 1).padStart(2, '0')}T03:00:00.000Z`;

const LETTERS = { p: 'pass', f: 'fail', i: 'inconclusive', u: 'untested' } as const;

/** One entry per letter: the verdicts of the rule `r` in successive nights, beside a rule that passes. */
function nights(letters: string, beside: Result[] = [resultWith('other', 'pass')]): HistoryEntry[] {
  const entries: HistoryEntry[] = [];
  for (const [at, letter] of [...letters].entries()) {
    const results = [resultWith('r', LETTERS[letter as keyof typeof LETTERS]), ...beside];
    entries.push(withFirstFailures(historyEntry(runWith(results, { startedAt: night(at) })), entries));
  }
  return entries;
}

const checkOf = (letters: string, beside?: Result[]) =>
  historyOf(nights(letters, beside)).checks.find(({ rule }) => rule === 'r');

describe('first failed on', () => {
  test.each([
    ['f', 0],
    ['pff', 1],
    ['fpf', 2],
    ['pfif', 1],
    ['pfuf', 1],
  ])('%s: night %i', (letters, at) => expect(checkOf(letters)?.firstFailedOn).toBe(night(at)));

  test.each(['p', 'fp', 'fi'])('%s does not fail', (letters) =>
    expect(checkOf(letters)?.firstFailedOn).toBeUndefined(),
  );

  test('it is known after older runs are removed', () => {
    expect(historyOf(nights('pfff').slice(-1)).checks[0]?.firstFailedOn).toBe(night(1));
  });
});

describe('flaky since', () => {
  test.each([
    ['pfpf', 1],
    ['pippip', 1],
    ['fpppfp', 1],
  ])('%s: night %i', (letters, at) => expect(checkOf(letters)?.flakySince).toBe(night(at)));

  test.each(['ppp', 'pfff', 'pfpp', 'pufup', 'pfpfppppppppp'])('%s is not flaky', (letters) =>
    expect(checkOf(letters)?.flakySince).toBeUndefined(),
  );

  test('nights on which the service is out make nothing flaky', () => {
    expect(checkOf('pipipip')?.flakySince).toBe(night(1));
    expect(checkOf('pipipip', [resultWith('other', 'inconclusive')])).toBeUndefined();
  });
});

test('the trend shows the runs of the same scope, each target has its own history', () => {
  const other = historyEntry(runWith([resultWith('r', 'pass')], { startedAt: night(7), safety: 'job' }));
  expect(historyOf([...nights('pp'), other, ...nights('f')]).trend.map(({ failed }) => failed)).toEqual([0, 0, 1]);
  const west = { ...other, target: 'west' };
  expect(historiesOf([...nights('pf'), west]).map(({ target, trend }) => [target, trend.length])).toEqual([
    ['https://staging.example/api', 2],
    ['west', 1],
  ]);
});

test('an entry fits its schema', () => {
  const [entry] = nights('f');
  expect(entrySchema.parse(entry)).toEqual(entry);
});

describe('notes', () => {
  const delta = (digest: string, asOf?: string) => ({ weeks: 1, products: 3, digest, ...(asOf && { asOf }) });
  const snapshot = (over: Partial<RunSnapshot>): RunSnapshot => ({ deltas: [], refreshDates: [], ...over });

  /** The notes of the last night. */
  function notes(...snapshots: Partial<RunSnapshot>[]): readonly string[] {
    const entries = snapshots.map((each, at) => ({
      ...historyEntry(runWith([resultWith('r', 'pass')], { startedAt: night(at) })),
      snapshot: snapshot(each),
    }));
    return historyOf(entries).notes;
  }

  test('two different deltas of one data week', () => {
    const week = '2026-10-31';
    expect(notes({ deltas: [delta('a', week)] }, { deltas: [delta('b', week)] })).toEqual([
      'the 1-week delta of the data week up to 2026-10-31 listed 3 products on 2026-11-01 and other 3 on 2026-11-02',
    ]);
    expect(notes({ deltas: [delta('a', week)] }, { deltas: [delta('b', '2026-11-07')] })).toEqual([]);
    expect(notes({ deltas: [delta('a', week)] }, { deltas: [delta('a', week)] })).toEqual([]);
  });

  test('without an as-of date, a delta that changes twice in less than a week', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((digest) => ({ deltas: [delta(digest)] })) as [object, object, object];
    expect(notes(a, b)).toEqual([]);
    expect(notes(a, a, b, b, b, b, b, b, b, c)).toEqual([]);
    expect(notes(a, b, c)).toEqual([
      'the 1-week delta changed 2 times from 2026-11-01 to 2026-11-03, although it is reloaded weekly',
    ]);
  });

  test('a date that went back', () => {
    expect(
      notes(
        { refreshDates: [{ id: 'sales', date: '2026-11-07' }] },
        { refreshDates: [{ id: 'sales', date: '2026-10-31' }] },
      ),
    ).toEqual(['the refresh date of “sales” went back from 2026-11-07 on 2026-11-01 to 2026-10-31 on 2026-11-02']);
    expect(
      notes(
        { refreshDates: [{ id: 'sales', date: '2026-11-07' }] },
        {},
        { refreshDates: [{ id: 'sales', date: '2026-11-07' }] },
      ),
    ).toEqual([]);
    expect(notes({ deltas: [delta('a', '2026-11-07')] }, { deltas: [delta('b', '2026-10-31')] })[0]).toContain(
      'the as-of date of the 1-week delta went back',
    );
  });

  test('a product that left and returned', () => {
    const list = (...sample: string[]) => ({ products: { count: sample.length, sample } });
    expect(notes(list('1', '2'), list('1'), list('1', '2'))).toEqual([
      'allProducts lists 2 again, which it listed earlier and not on 2026-11-02',
    ]);
    expect(notes(list('1'), list('1', '2'))).toEqual([]);
    expect(notes(list('1', '2'), list('1'), list('1'))).toEqual([]);
  });

  test('a sample that cannot contain a product does not show that it left', () => {
    const list = (sample: string[], bound?: number) => ({
      products: { count: 9, sample, ...(bound !== undefined && { bound }) },
    });
    expect(notes(list(['1', '2']), list([], 0), list(['1', '2']))).toEqual([]);
  });

  test('nothing is compared under another profile', () => {
    const [one, two] = ['a', 'b'].map((digest, at) => ({
      ...historyEntry(runWith([resultWith('r', 'pass')], { startedAt: night(at), profileHash: digest })),
      snapshot: snapshot({ deltas: [delta(digest, '2026-10-31')] }),
    }));
    expect(historyOf([one as HistoryEntry, two as HistoryEntry]).notes).toEqual([]);
  });
});

describe('products that were looked up', () => {
  const upc = (at: number) => String(at).padStart(12, '0');
  /** A run whose list has the products 0 to `count` and that looks up these. */
  const lookUp = (at: number, looked: readonly number[], count: number, bound?: number): HistoryEntry =>
    historyEntry({
      ...runWith([resultWith('r', 'pass')], { startedAt: night(at) }),
      snapshot: {
        deltas: [],
        refreshDates: [],
        products: {
          count,
          sample: Array.from({ length: Math.min(count, 50) }, (_, each) => upc(each)),
          ...(bound !== undefined && { bound }),
        },
      },
      draws: [{ operation: PRODUCT_LOOKUP, inputs: looked.map((each) => ({ upc: upc(each) })) }],
    });

  test('are added up over runs', () => {
    const entries = [lookUp(0, [1, 2, 3], 40), lookUp(1, [3, 4], 40)];
    expect(historyOf(entries.slice(0, 1)).notes).toEqual([]);
    expect(historyOf(entries).notes).toEqual(['2 runs looked up 4 of 40 products']);
    expect(historiesOf([...entries, lookUp(2, [5], 40)])[0]?.notes).toEqual(['3 runs looked up 5 of 40 products']);
  });

  test('count only while the list has them, where the list is known whole', () => {
    expect(historyOf([lookUp(0, [39, 1], 40), lookUp(1, [2], 30)]).notes).toEqual([
      '2 runs looked up 2 of 30 products',
    ]);
    expect(historyOf([lookUp(0, [39, 1], 1000, 9), lookUp(1, [2], 900, 9)]).notes).toEqual([
      '2 runs looked up 3 different products; the list has 900 now',
    ]);
  });

  test('of a thorough run fit in an entry', () => {
    const entry = lookUp(
      0,
      Array.from({ length: 12_000 }, (_, at) => at),
      12_000,
      9,
    );
    expect(entrySchema.parse(entry)).toEqual(entry);
    expect(JSON.stringify(entry).length).toBeLessThan(60_000);
  });
});
