import { expect, test } from 'vitest';
import { runWith } from '../comparison/run.test.support.ts';
import { redactRun } from './redact-run.ts';

test('an id of the service in a snapshot is hidden, and dates stay dates', () => {
  const snapshot = { deltas: [], refreshDates: [{ id: 'acme-4711', date: '2026-11-21' }] };
  const { snapshot: shown } = redactRun({ ...runWith([]), snapshot }, ['acme-4711', '2026']);
  expect(shown).toEqual({ deltas: [], refreshDates: [{ id: '***', date: '2026-11-21' }] });
});
