/** The bulk list contains the products of the deltas that are not removed: sections 4.3 and 8. */
import { ALL_PRODUCTS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { stateOneAsOf } from '../../src/rule/data-weeks.ts';
import { deltas, isNotRemovedIn, kindFolds, removedIn, windowsIn } from '../../src/rule/deltas.ts';
import { addRow, each, editAll, evidenceOf, passed, relationRule, rows, UNLISTED, upcs } from '../../src/rule/index.ts';

export const deltaListed = relationRule({
  id: 'C.delta-listed',
  statement: 'C.delta',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'A new or changed product is in the bulk list.',
  how: [
    'The bulk list must contain the UPCs of the 13-week delta.',
    'Products that a row shows as removed need not be there.',
    'Advisory: a delta may contain delisted products.',
  ],
  subjects: [UPDATE_PRODUCTS],
  sides: {
    delta: rows(UPDATE_PRODUCTS, { weeks: 13, fields: ['upc'], folds: kindFolds }),
    bulk: rows(ALL_PRODUCTS, { fields: ['upc'], folds: { upcs } }),
  },
  counterexample: ({ delta }) => ({ delta: addRow(delta, UNLISTED) }),
  compare: ({ delta, bulk }, { declarations }) => ({
    ...each(delta, isNotRemovedIn([delta], declarations)).isIn(bulk, {
      at: delta,
      kind: 'missing-upcs',
      expected: 'every UPC of the delta is in the bulk list',
    }),
    of: [delta],
    compared: delta.folds.upcs.size,
  }),
  nothing: 'the delta is empty',
});

export const deltaWithinBulk = relationRule({
  id: 'C.delta-within-bulk',
  statement: 'C.delta',
  demands: 'A product of a delta that is not removed is in the bulk list.',
  how: [
    'Where the profile says that the delta lies within the bulk list, the list must contain the UPC of every product of each window that no row shows as removed.',
    'Only lists that state the same as-of date are compared.',
  ],
  looksLike: [
    'A server that reloads the bulk list before the delta, and delists a product in between.',
    'The as-of dates of both distinguish them: if they differ, a missing product is inconclusive.',
  ],
  subjects: [UPDATE_PRODUCTS],
  promises: ['deltaWithinBulk'],
  sides: {
    bulk: rows(ALL_PRODUCTS, { fields: ['upc', 'asOf'], folds: { upcs } }),
    ...deltas(['upc', 'asOf'], kindFolds),
  },
  counterexample: ({ thirteen }) => ({ thirteen: addRow(thirteen, UNLISTED) }),
  compare({ bulk, ...sides }, { declarations }) {
    const windows = windowsIn(sides);
    const remains = isNotRemovedIn(
      windows.map(({ reading }) => reading),
      declarations,
    );
    return windows.map(({ weeks, reading: at }) =>
      each(at, remains).isIn(bulk, {
        at,
        kind: `missing-in-the-list-${weeks}-weeks`,
        expected: `every product of the ${weeks}-week delta that is not removed is in the bulk list`,
        doubt:
          stateOneAsOf(declarations, bulk, at) && bulk.folds.upcs.unread === 0
            ? undefined
            : 'products of the delta are missing in the bulk list, but the two do not state one as-of date, or rows of the list have no readable UPC',
      }),
    );
  },
  nothing: 'the deltas contain no product that is not removed',
});

export const deltaRemovedUnlisted = relationRule({
  id: 'C.delta-removed-unlisted',
  statement: 'C.delta',
  demands:
    'A product that a delta shows as removed is not in the bulk list: the profile promises it (delta.removedUnlisted).',
  how: [
    'The bulk list must contain no product that all rows of a window show as removed and no row of a smaller window shows as new or changed.',
    'Only lists that state the same as-of date are compared.',
  ],
  looksLike: [
    'A service that lists a product again after its removal looks like this violation; a row of the delta then shows it as new, or the as-of dates of the list and the delta differ.',
    'A service whose list still contains removed products does not promise this.',
  ],
  subjects: [UPDATE_PRODUCTS],
  promises: ['deltaKinds', 'deltaRemovedUnlisted'],
  sides: {
    bulk: rows(ALL_PRODUCTS, { fields: ['upc', 'asOf'], folds: { upcs } }),
    ...deltas(['upc', 'changeKind', 'asOf'], kindFolds),
  },
  counterexample: ({ thirteen }, { declarations }) => ({
    thirteen: editAll(thirteen, { changeKind: declarations.delta.kinds?.removed[0] }),
  }),
  compare({ bulk, ...sides }, { declarations }) {
    const readings = windowsIn(sides).map(({ reading }) => reading);
    return windowsIn(sides).map(({ weeks, reading: at }, nth) =>
      each(removedIn(at, readings.slice(0, nth), declarations)).isNotIn(bulk, {
        at,
        of: [bulk, at],
        kind: `removed-in-the-list-${weeks}-weeks`,
        expected: `no product that the ${weeks}-week delta shows as removed is in the bulk list, as the profile promises in delta.removedUnlisted`,
        actual: (count, examples) => `${count} of them, e.g. ${examples}`,
        doubt: stateOneAsOf(declarations, bulk, at)
          ? undefined
          : 'the bulk list contains removed products, but it and the delta do not state one as-of date',
      }),
    );
  },
  nothing({ bulk, ...sides }) {
    const readings = windowsIn(sides).map(({ reading }) => reading);
    return readings.every(({ folds }) => folds.byKind.size === 0)
      ? 'no row shows a kind of change'
      : passed(evidenceOf([bulk, ...readings], 0), 'no row shows a removed product');
  },
});
