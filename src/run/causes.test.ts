/** Causes of single operations that refuse credentials; those of a whole run are tested with their servers. */
import { expect, test } from 'vitest';
import type { OperationKey } from '../contract/index.ts';
import { findCauses, type RunRequest } from './causes.ts';
import type { Result } from './types.ts';

const ROWS: OperationKey = 'POST /data-access/v1/Catalogue/Dimension/Rows';
const GROUPS: OperationKey = 'POST /data-access/v1/Catalogue/Dimension/Groups';
const request = (id: string, operation: OperationKey, status: number): RunRequest => ({
  id,
  operation,
  documented: true,
  symptom: undefined,
  credentials: { are: status === 200 ? 'accepted' : 'refused', status },
});
const undecided = (rule: string, operation: OperationKey) =>
  ({ rule, operation, verdict: 'inconclusive', findings: [] }) as unknown as Result;
const causesOf = (requests: readonly RunRequest[], results: readonly Result[]) =>
  findCauses(
    requests,
    results.map((each) => [each, { exchanges: [], isStopped: false, isRetried: false }] as const),
  );

test('an operation that refuses credentials that its group accepts is one cause, with the key of the promise', () => {
  const results = [undecided('every.served', ROWS), undecided('B.names', ROWS), undecided('B.names', GROUPS)];
  const { causes, byResult } = causesOf(
    [request('#1', ROWS, 403), request('#2', ROWS, 403), request('#3', GROUPS, 200)],
    results,
  );
  expect(causes).toEqual([
    {
      sentence: expect.stringMatching(/^403 on every request of .*Rows, .*list it in `authCovers`/),
      operations: [ROWS],
      count: 2,
    },
  ]);
  expect(results.map((each) => byResult.get(each))).toEqual([0, 0, undefined]);
});

test.each([
  ['it accepts them once', [request('#1', ROWS, 403), request('#2', ROWS, 200), request('#3', GROUPS, 200)]],
  ['no operation of the group accepts them', [request('#1', ROWS, 403), request('#3', GROUPS, 403)]],
])('none if %s', (_, requests) => {
  expect(causesOf(requests, [undecided('every.served', ROWS)]).causes).toEqual([]);
});
