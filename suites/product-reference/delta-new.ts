/** A delta marks as new the products with a first date within its window: section 4.3, where the profile states that date. */
import { ALL_PRODUCTS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { statedAsOf } from '../../src/rule/data-weeks.ts';
import { kindFolds } from '../../src/rule/delta-kinds.ts';
import { deltas, windowsIn } from '../../src/rule/delta-steps.ts';
import {
  type Comparison,
  type Declarations,
  editAll,
  findingIn,
  relationRule,
  rows,
  type UpcSet,
  untested,
} from '../../src/rule/index.ts';
import { productDates } from '../../src/rule/product-dates.ts';
import { certainDays, describeWindow, edgesOf, possibleDays } from '../../src/rule/window-days.ts';
import { compareWeek } from './delta-by-dates.ts';

/**
 * The products that a delta calls new, and those that it calls changed and nothing else. A product that a row shows as
 * removed, or with a text that the profile does not name, may have returned since.
 */
function productsByKind(byKind: ReadonlyMap<string, UpcSet>, { delta: { kinds } }: Declarations) {
  const having = (isWanted: (text: string) => boolean) => {
    const sets = [...byKind].filter(([text]) => isWanted(text)).map(([, set]) => set);
    return (upc: string) => sets.some((set) => set.has(upc));
  };
  const [added, changed] = [kinds?.new ?? [], kinds?.changed ?? []];
  const isNew = having((text) => added.includes(text));
  const isChanged = having((text) => changed.includes(text));
  const isOther = having((text) => !added.includes(text) && !changed.includes(text));
  return {
    isNew: (upc: string) => isNew(upc) && !isOther(upc),
    isOnlyChanged: (upc: string) => isChanged(upc) && !isNew(upc) && !isOther(upc),
  };
}

const sample = (upcs: ReadonlySet<string>): string => [...upcs].slice(0, 5).join(', ');

export const deltaNew = relationRule({
  id: 'C.delta-new',
  statement: 'C.delta',
  basis: 'profile',
  since: '0.2.0',
  demands: 'A delta calls exactly those of its products new that were first active within its window.',
  how: [
    'Where the profile says that a product is new by its firstActiveOn, each window is compared with these dates in the bulk list, at the as-of date that the delta states.',
    'A product that a row calls new must not have been active before the window, and one that was first active within it must not be called changed only.',
    'Days that may be on either side of an edge, products first active after the as-of date, and products that a row shows as removed are not judged.',
  ],
  looksLike: [
    'A server that calls a product new when it returns after a gap, although its first activity was years ago.',
    'The profile distinguishes them: it states `delta.newBy` only if that date decides.',
    'A list of an earlier data week than the delta proves nothing.',
  ],
  subjects: [UPDATE_PRODUCTS],
  promises: ['deltaKinds', 'deltaNewBy', 'dataWeek'],
  sides: {
    bulk: rows(ALL_PRODUCTS, {
      fields: ['upc', 'firstActiveOn'],
      folds: { dates: productDates(['firstActiveOn', 'changedOn', 'activeOn']) },
    }),
    ...deltas(['upc', 'changeKind', 'asOf'], kindFolds),
  },
  counterexample: ({ one }, { declarations: { delta } }) => ({
    one: editAll(one, { changeKind: delta.kinds?.new[0] }),
  }),
  compare({ bulk, ...sides }, { declarations }) {
    const { dataWeek, delta } = declarations;
    if (!dataWeek || !delta.newBy) return untested('the profile declares no data week, or no delta.newBy');
    const edges = edgesOf(dataWeek, 'updateProducts');
    return windowsIn(sides).map(({ weeks, reading }): Comparison => {
      const asOf = statedAsOf(reading, declarations);
      if (asOf === undefined) return { doubt: 'the delta states no as-of date, or several' };
      const { isNew, isOnlyChanged } = productsByKind(reading.folds.byKind, declarations);
      const certain = certainDays(asOf, weeks, dataWeek.firstActiveOn, edges);
      // Dates of another time zone may differ by a day unless the profile states the edges of the window.
      const earliestDay =
        possibleDays(asOf, weeks, dataWeek.firstActiveOn, edges).first - Number(edges.firstDay === undefined);
      const [older, newer, unclear] = [new Set<string>(), new Set<string>(), new Set<string>()];
      let compared = 0;
      bulk.folds.dates.visit((upc, [day]) => {
        if (typeof day === 'number' && day < earliestDay && isNew(upc)) older.add(upc);
        else if (typeof day === 'number' && day >= certain.first && day <= certain.last && isOnlyChanged(upc))
          newer.add(upc);
        else if (isNew(upc) || isOnlyChanged(upc)) {
          if (typeof day === 'number' && day <= asOf) compared++;
          unclear.add(upc);
        }
      });
      // A product may have several rows in the list, and a row of the delta whose UPC cannot be read may call it new.
      for (const upc of unclear) [older, newer].forEach((each) => void each.delete(upc));
      if (reading.folds.upcs.unread > 0) newer.clear();
      const comparison = { of: [bulk, reading], compared };
      if (older.size + newer.size === 0) return comparison;
      if (compareWeek(bulk, asOf, dataWeek, declarations) === 'earlier')
        return { doubt: 'the bulk list may be of an earlier data week than the delta' };
      const windowText = describeWindow(asOf, weeks, edges);
      const ofOlder = findingIn(
        reading,
        `active-before-${weeks}-weeks`,
        `the products that the ${weeks}-week delta calls new were first active within the ${windowText}`,
        `${older.size} of them have an earlier first activity in the bulk list, e.g. ${sample(older)}`,
      );
      const ofNewer = findingIn(
        reading,
        `called-changed-in-${weeks}-weeks`,
        `the ${weeks}-week delta calls its products new that were first active within the ${windowText}`,
        `it calls ${newer.size} of them changed, e.g. ${sample(newer)}`,
      );
      return { ...comparison, findings: [...(older.size > 0 ? [ofOlder] : []), ...(newer.size > 0 ? [ofNewer] : [])] };
    });
  },
  nothing: 'the bulk list has no date of first activity for a product that a delta calls new or changed',
});
