/** A row has the same figures in a filtered and in the unfiltered response: section 4.4. */
import { type Field, type PerformanceOperation, SALES_FIGURES, SALES_FILTERS } from '../../src/contract/index.ts';
import { statedAsOf, stateOneAsOf } from '../../src/rule/data-weeks.ts';
import {
  type Comparison,
  collect,
  type Declarations,
  decide,
  defineRule,
  editRow,
  findingIn,
  isValue,
  listNeeds,
  needsOf,
  type Reading,
  type Row,
  type Rule,
  type Steps,
} from '../../src/rule/index.ts';
import { receivedLists } from '../../src/rule/list-requests.ts';
import {
  type Filter,
  filtersInRows,
  isNamed,
  MAX_COMPARED_ROWS,
  ownRule,
  requestedIn,
  rowGrain,
  rowIdentity,
  showFilters,
  unitOf,
} from '../../src/rule/performance-rows.ts';
import { isFilteredList } from '../../src/rule/row-rules.ts';

/** The rows of a response by their names; rows that share their names are left out, because a further value separates them. */
function rowsByIdentity(rows: readonly Row[], fields: readonly Filter[]): ReadonlyMap<string, Row> {
  const groups = Map.groupBy(rows, (row) => rowIdentity(row, fields));
  return new Map(
    [...groups].flatMap(([identity, [row, ...others]]) => (row && others.length === 0 ? [[identity, row]] : [])),
  );
}

const rowsOf = ({ folds }: Reading): readonly Row[] =>
  (folds.figures as { readonly rows: readonly Row[]; readonly complete: boolean } | undefined)?.rows ?? [];

/**
 * Whether a row contains each requested name: the filter then selects the row. One without the name, such as a total over all
 * sub-categories, may be computed from the requested rows only.
 */
const isSelected = (row: Row, part: Pick<Reading, 'inputs'>): boolean =>
  requestedIn(part).every((each) => isNamed(row, part.inputs, each));

/** Whether a filtered response has only rows of grains that the unfiltered one has, too. Others may be parts of its rows. */
const hasGrainsOf = (part: Reading, whole: Reading): boolean => {
  const grains = new Set(rowsOf(whole).map((row) => rowGrain(row, SALES_FILTERS)));
  return rowsOf(part).every((row) => grains.has(rowGrain(row, SALES_FILTERS)));
};

/** Whether two rows contain the same kinds of figures; a missing one is judged by D.five-figures. */
const hasSameFigures = (one: Row, other: Row): boolean =>
  SALES_FIGURES.every((each) => isValue(one[each]) === isValue(other[each]));

type Units = ReadonlyMap<Field, number>;

/** The unit in which each figure is written. */
const unitsOf = (rows: readonly Row[]): Units =>
  new Map(
    SALES_FIGURES.map((each) => [
      each,
      unitOf(rows.flatMap((row) => (typeof row[each] === 'number' ? [row[each]] : []))),
    ]),
  );

/** The first figure that differs between two rows. A service that adds floating-point amounts in another order may round them to the next unit. */
const otherFigure = (one: Row, other: Row, units: Units) =>
  SALES_FIGURES.find((each) => {
    const [x, y] = [one[each], other[each]];
    if (typeof x !== 'number' || typeof y !== 'number') return false;
    return Math.abs(x - y) > (units.get(each) ?? 0) * 1.000_001 + 1e-9 * Math.abs(x);
  });

/** Compares the rows of a filtered response with those of the unfiltered one. Without one as-of date a difference is advisory. */
function compareRows(whole: Reading, part: Reading, fields: readonly Filter[], declarations: Declarations): Comparison {
  const all = rowsByIdentity(rowsOf(whole), fields);
  const units = unitsOf([...rowsOf(whole), ...rowsOf(part)]);
  const compared = [...rowsByIdentity(rowsOf(part), fields)].flatMap(([identity, row]) => {
    const same = all.get(identity);
    return same && isSelected(row, part) && hasSameFigures(same, row) ? [{ identity, row, same }] : [];
  });
  const findings = compared.flatMap(({ identity, row, same }) => {
    const figure = otherFigure(same, row, units);
    if (figure === undefined) return [];
    const expected = `${figure} ${same[figure]} for ${identity}, as in the unfiltered response ${whole.exchange}`;
    const actual = `${row[figure]} in the response filtered by ${showFilters(part)}`;
    return [findingIn(part, `other-${figure}`, expected, actual)];
  });
  const basis = stateOneAsOf(declarations, part, whole) ? undefined : 'plausible';
  return { compared: compared.length, findings, basis };
}

/** Why no row could be compared. */
function reasonWithoutComparison(wholes: readonly Reading[], parts: readonly Reading[]): string {
  if (wholes.length === 0) return 'the unfiltered response was not read to its end';
  if (parts.length === 0) return 'no filtered response has a row';
  if (!parts.some((part) => wholes.some((whole) => hasGrainsOf(part, whole))))
    return 'the rows of filtered responses contain other kinds of names than the unfiltered rows';
  return 'no filtered response has a row with the requested names whose names and figures are those of one unfiltered row';
}

/** A rule: a row of a filtered response has the figures of the same row of the unfiltered one. */
export const figuresAgree = (subject: PerformanceOperation): Rule =>
  defineRule<Steps>({
    ...ownRule(subject, 'filtered-NAME-figures'),
    basis: 'derived',
    demands: 'A row has the same figures in a filtered response and in the unfiltered one.',
    how: [
      'The rows of each filtered response that any rule received are compared with the unfiltered ones by their names, if the row contains each name that is filtered by.',
      'A row without one of the other names, such as the total of a category, is compared with the row that lacks the same names.',
      'A response with a combination of names that no unfiltered row has is not compared.',
      'A difference of more than one unit of the figure as it is written fails if both responses state the same as-of date; otherwise it is advisory.',
    ],
    looksLike: [
      'A server that filters by a name which its rows do not contain, such as category rows filtered by brand, computes other figures for the rows, which is legal; such responses are not compared.',
      'A server that adds floating-point amounts in the order of the rows may round a figure to the next unit, which is tolerated.',
      'A reload between two responses is legal, too; the as-of date tells it apart.',
    ],
    needs: () => [
      ...listNeeds(subject),
      ...needsOf(
        subject,
        SALES_FILTERS.map((each) => `inputs.${each}`),
      ),
      ...needsOf(subject, ...[SALES_FILTERS, SALES_FIGURES].map((of) => of.map((each) => `fields.${each}`))),
    ],
    probe: () => ({
      all: receivedLists(subject, { figures: collect([...SALES_FILTERS, ...SALES_FIGURES], MAX_COMPARED_ROWS) }),
    }),
    counterexample({ all = [] }) {
      const list = all.find((each) => isFilteredList(each as unknown as Reading));
      const broken = list && editRow([list], { sales12Weeks: -1 }, (row) => isSelected(row, list))[0];
      return { all: all.map((each) => (each === list ? (broken ?? each) : each)) };
    },
    judge(seen, { declarations }) {
      const readings = (seen.all ?? []).filter(({ observation }) => observation && !observation.problem);
      const wholes = readings.filter((each) => Object.keys(each.inputs).length === 0 && each.observation?.complete);
      const parts = readings.filter(isFilteredList);
      const fields = filtersInRows(declarations, subject);
      const compared = parts.flatMap((part) => {
        // The unfiltered response of the same data week, if there is one.
        const asOf = statedAsOf(part, declarations);
        const whole = wholes.find((each) => statedAsOf(each, declarations) === asOf) ?? wholes[0];
        return whole && hasGrainsOf(part, whole) ? [compareRows(whole, part, fields, declarations)] : [];
      });
      const gating = compared.filter(({ basis, findings = [] }) => basis === undefined && findings.length > 0);
      return decide(gating.length > 0 ? gating : [...compared, { of: parts }], {
        nothing: reasonWithoutComparison(wholes, parts),
        counted: 'rows',
      });
    },
  });
