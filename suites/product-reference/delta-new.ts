/** A delta marks as new the products with a first date within its window: section 4.3, where the profile states that date. */
import { ALL_PRODUCTS, UPDATE_PRODUCTS } from '../../src/contract/index.ts';
import { statedAsOf } from '../../src/rule/data-weeks.ts';
import { deltaNeeds, kindSteps, windowsOf } from '../../src/rule/delta-steps.ts';
import {
  type Declarations,
  defineRule,
  editAll,
  evidenceOf,
  type Finding,
  failed,
  inconclusive,
  type Judgement,
  onlyReading,
  passed,
  step,
  type UpcSet,
  untested,
} from '../../src/rule/index.ts';
import { productDates } from '../../src/rule/product-dates.ts';
import { certainDays, describeWindow, edgesOf, possibleDays } from '../../src/rule/window-days.ts';
import { compareWeek } from './delta-by-dates.ts';

const bulk = step({
  operation: ALL_PRODUCTS,
  accepts: 'complete',
  folds: { dates: productDates(['firstActiveOn', 'changedOn', 'activeOn']) },
});

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

export const deltaNew = defineRule({
  id: 'C.delta-new',
  statement: 'C.delta',
  basis: 'profile',
  since: '0.2.0',
  demands: 'A delta calls exactly those of its products new that were first active within its window.',
  how: 'Where the profile says that a product is new by its firstActiveOn, each window is compared with these dates in the bulk list, at the as-of date that the delta states: a product that a row calls new must not have been active before the window, and one that was first active within it must not be called changed only. Days that may be on either side of an edge, products first active after the as-of date, and products that a row shows as removed are not judged.',
  looksLike:
    'A server that calls a product new when it returns after a gap, although its first activity was years ago. The profile distinguishes them: it states `delta.newBy` only if that date decides. A list of an earlier data week than the delta proves nothing.',
  subjects: [UPDATE_PRODUCTS],
  needs: () => [
    ...deltaNeeds,
    'deltaKinds',
    'deltaNewBy',
    'dataWeek',
    'updateProducts.fields.upc',
    'updateProducts.fields.changeKind',
    'updateProducts.fields.asOf',
    'allProducts.request',
    'allProducts.rows',
    'allProducts.fields.upc',
    'allProducts.fields.firstActiveOn',
  ],
  repeat: 'pass',
  probe: () => ({ bulk, ...kindSteps() }),
  counterexample: ({ one }, { declarations: { delta } }) => ({
    one: editAll(one, { changeKind: delta.kinds?.new[0] }),
  }),
  judge(seen, { declarations }): Judgement {
    const { dataWeek, delta } = declarations;
    if (!dataWeek || !delta.newBy) return untested('the profile declares no data week, or no delta.newBy');
    const list = onlyReading(seen.bulk);
    const windows = windowsOf(seen);
    const edges = edgesOf(dataWeek, 'updateProducts');
    const findings: Finding[] = [];
    let undecided: string | undefined;
    let compared = 0;
    for (const { weeks, reading } of windows) {
      const asOf = statedAsOf(reading, declarations);
      if (asOf === undefined) {
        undecided = 'the delta states no as-of date, or several';
        continue;
      }
      const { isNew, isOnlyChanged } = productsByKind(reading.folds.byKind, declarations);
      const certain = certainDays(asOf, weeks, dataWeek.firstActiveOn, edges);
      // Dates of another time zone may differ by a day unless the profile states the edges of the window.
      const earliestDay =
        possibleDays(asOf, weeks, dataWeek.firstActiveOn, edges).first - Number(edges.firstDay === undefined);
      const [older, newer, unclear] = [new Set<string>(), new Set<string>(), new Set<string>()];
      list.folds.dates.visit((upc, [day]) => {
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
      if (older.size + newer.size === 0) continue;
      if (compareWeek(list, asOf, dataWeek, declarations) === 'earlier') {
        undecided = 'the bulk list may be of an earlier data week than the delta';
        continue;
      }
      const windowText = describeWindow(asOf, weeks, edges);
      const { exchange } = reading;
      if (older.size > 0)
        findings.push({
          kind: `active-before-${weeks}-weeks`,
          expected: `the products that the ${weeks}-week delta calls new were first active within the ${windowText}`,
          actual: `${older.size} of them have an earlier first activity in the bulk list, e.g. ${sample(older)}`,
          exchange,
        });
      if (newer.size > 0)
        findings.push({
          kind: `called-changed-in-${weeks}-weeks`,
          expected: `the ${weeks}-week delta calls its products new that were first active within the ${windowText}`,
          actual: `it calls ${newer.size} of them changed, e.g. ${sample(newer)}`,
          exchange,
        });
    }
    if (findings.length > 0) return failed(findings);
    if (undecided !== undefined) return inconclusive(undecided);
    return compared === 0
      ? untested('the bulk list has no date of first activity for a product that a delta calls new or changed')
      : passed({ ...evidenceOf([list, ...windows.map(({ reading }) => reading)]), distinct: compared });
  },
});
