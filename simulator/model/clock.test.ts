import { expect, test } from 'vitest';
import { createClock, dayOf, isoDay } from './clock.ts';

test('day numbers and ISO dates convert in both directions', () => {
  expect(dayOf('1970-01-01')).toBe(0);
  for (const iso of ['2026-11-14', '2024-02-29', '1999-12-31']) expect(isoDay(dayOf(iso) as number)).toBe(iso);
});

test('an invalid date has no day number', () => {
  for (const text of ['2026-02-30', '2026-13-01', '14.11.2026', '2026-11-14T00:00', '']) {
    expect(dayOf(text)).toBeUndefined();
  }
  expect(isoDay(Number.NaN)).toBe('');
});

test('the clock is fixed at noon of its as-of date and moves by whole weeks', () => {
  const clock = createClock('2026-11-14');
  expect(clock.now().toISOString()).toBe('2026-11-14T12:00:00.000Z');
  clock.advanceWeeks(2);
  expect(isoDay(clock.asOf())).toBe('2026-11-28');
  expect(clock.now().toISOString()).toBe('2026-11-28T12:00:00.000Z');
});

test('an as-of date other than a Saturday is refused', () => {
  expect(() => createClock('2026-11-13')).toThrow('"2026-11-13" is not a Saturday in the format YYYY-MM-DD');
  expect(() => createClock('yesterday')).toThrow('not a Saturday');
});
