/** Which products the deltas and the bulk list contain: sections 1, 4.3 and 8. */
import { ALL_PRODUCTS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { quoted } from '../../src/format-values.ts';
import { statedAsOf } from '../../src/rule/data-weeks.ts';
import { isNotRemovedIn, kindFolds, removedIn } from '../../src/rule/delta-kinds.ts';
import { deltas, windowsIn } from '../../src/rule/delta-steps.ts';
import {
  addRow,
  type Declarations,
  each,
  editAll,
  editRow,
  evidenceOf,
  findingIn,
  passed,
  type Reading,
  relationRule,
  rows,
  texts,
  UNLISTED,
  untested,
  upcs,
} from '../../src/rule/index.ts';

const areOfOneWeek = (bulk: Reading, delta: Reading, declarations: Declarations): boolean => {
  const asOf = statedAsOf(bulk, declarations);
  return asOf !== undefined && statedAsOf(delta, declarations) === asOf;
};

export const deltaNested = relationRule({
  id: 'C.delta-nested',
  statement: 'C.delta-windows',
  basis: 'derived',
  since: '0.1.0',
  demands: 'The 4-week delta contains the 1-week delta, and the 13-week delta contains the 4-week delta.',
  how: 'The next larger delta must contain the UPCs of each smaller one.',
  subjects: [UPDATE_PRODUCTS],
  sides: deltas(['upc'], { upcs }),
  counterexample: ({ one }) => ({ one: addRow(one, UNLISTED) }),
  compare(sides) {
    const windows = windowsIn(sides);
    const readable = windows.map(({ reading }) => reading);
    return windows.slice(1).map(({ weeks, reading: at }, nth) => {
      const smaller = windows[nth] as (typeof windows)[number];
      const expected = `the ${weeks}-week delta contains every UPC of the ${smaller.weeks}-week delta`;
      return each(smaller.reading).isIn(at, { at, kind: `missing-in-${weeks}-weeks`, expected, readable });
    });
  },
  nothing: (sides) =>
    windowsIn(sides).length < 2 ? 'fewer than two windows were requested' : 'the 1- and 4-week deltas are empty',
});

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
  basis: 'profile',
  since: '0.2.0',
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
    const readings = windows.map(({ reading }) => reading);
    const remains = isNotRemovedIn(readings, declarations);
    return windows.map(({ weeks, reading: at }) =>
      each(at, remains).isIn(bulk, {
        at,
        kind: `missing-in-the-list-${weeks}-weeks`,
        expected: `every product of the ${weeks}-week delta that is not removed is in the bulk list`,
        doubt:
          areOfOneWeek(bulk, at, declarations) && bulk.folds.upcs.unread === 0
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
  basis: 'profile',
  since: '0.2.0',
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
        doubt: areOfOneWeek(bulk, at, declarations)
          ? undefined
          : 'the bulk list contains removed products, but it and the delta do not state one as-of date',
      }),
    );
  },
  nothing: ({ bulk, ...sides }) => {
    const readings = windowsIn(sides).map(({ reading }) => reading);
    return readings.every(({ folds }) => folds.byKind.size === 0)
      ? 'no row shows a kind of change'
      : passed(evidenceOf([bulk, ...readings], 0), 'no row shows a removed product');
  },
});

/** Why kinds that the profile does not name prove nothing: none is one that it names. */
const otherForm = (text: string): string =>
  `no row shows a kind of change that the profile names, but ${quoted(text)}: the profile may read another value, or write the kinds in another form`;

export const deltaKinds = relationRule({
  id: 'C.delta-kinds',
  statement: 'C.delta',
  basis: 'profile',
  since: '0.2.0',
  demands: 'The kind of change of each row of a delta is one that the profile names.',
  how: [
    'Where the profile states the texts of new, changed and removed products, every text that a row shows must be one of them; an empty list states that a kind does not occur.',
    'A row without a text is not judged.',
  ],
  looksLike: [
    'A server that shows a fourth kind of change, which the document does not forbid.',
    'The profile distinguishes them: it names the texts of all three kinds only if there are no others.',
  ],
  subjects: [UPDATE_PRODUCTS],
  repeat: false,
  promises: ['deltaKinds'],
  sides: deltas(['changeKind'], { kinds: texts('changeKind', 100) }),
  counterexample: ({ thirteen }) => ({ thirteen: editRow(thirteen, { changeKind: 'another kind' }) }),
  compare(sides, { declarations }) {
    const { kinds, statesAllKinds } = declarations.delta;
    if (!kinds || !statesAllKinds)
      return untested(
        'the profile does not state the texts of all three kinds of change: an empty list states that a kind does not occur',
      );
    const known = [...kinds.new, ...kinds.changed, ...kinds.removed];
    const shown = windowsIn(sides).flatMap(({ reading }) => [...reading.folds.kinds.counts.keys()]);
    if (shown.length > 0 && !shown.some((text) => known.includes(text))) return { doubt: otherForm(shown[0] ?? '') };
    const expected = `a kind of change that the profile names: ${known.map((text) => JSON.stringify(text)).join(', ')}`;
    return windowsIn(sides).map(({ weeks, reading }) => {
      const { counts } = reading.folds.kinds;
      const others = [...counts].filter(([text]) => !known.includes(text));
      const actual = others.slice(0, 5).map(([text, count]) => `${JSON.stringify(text.slice(0, 80))} in ${count} rows`);
      const finding = findingIn(reading, `other-kind-in-${weeks}-weeks`, expected, actual.join(', '));
      return { of: [reading], compared: counts.size, findings: others.length > 0 ? [finding] : [] };
    });
  },
  evidence: { distinct: 0 },
  nothing: 'no row shows a kind of change',
});
