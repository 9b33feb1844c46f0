import { expect } from 'vitest';
import { REFRESH_DATES } from '../../src/contract/index.ts';
import { type FakeResponse, judgeCases } from '../judging.test.support.ts';

/** 2026-11-21 is a Saturday, the last day of a data week of the reference profile. */
const SATURDAY = Date.UTC(2026, 10, 21) / 86_400_000;
const dated = (...dates: readonly number[]): FakeResponse => ({
  rows: dates.map((date, at) => ({ id: `item-${at}`, date })),
});
const stating = (dataWeek: object, as?: string) => ({
  profile: {
    dataWeek: { refreshDate: 'newest', ...dataWeek },
    operations: { [REFRESH_DATES]: { response: { fields: { date: { at: '@.date', ...(as && { as }) } } } } },
  },
});

judgeCases('B.refresh-day', stating({ refreshDateIs: { reloadDay: 3 } }), [
  ['the day of the reload', { refresh: dated(SATURDAY + 3, SATURDAY - 60) }, 'pass'],
  [
    'two days later',
    { refresh: dated(SATURDAY + 5) },
    'fail',
    {
      findings: [
        {
          kind: 'other-weekday',
          expected: expect.stringMatching(/^a Tue, 3 days after/),
          actual: 'the refresh date Thu, 26 Nov 2026',
        },
      ],
    },
  ],
  ['a day later, which may be that of a time in UTC', { refresh: dated(SATURDAY + 4) }, 'untested'],
]);
judgeCases('B.refresh-day', stating({ refreshDateIs: { reloadDay: 10 } }, 'us'), [
  ['a date without a time, a day later', { refresh: dated(SATURDAY + 11) }, 'fail'],
]);
