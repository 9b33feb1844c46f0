/** A list is the same in pages of another size, where requests select the size. The document shows no page sizes (section 8). */
import {
  ALL_CATEGORIES,
  ALL_PRODUCTS,
  type Field,
  listOperations,
  type OperationKey,
  operationOf,
} from '../../src/contract/index.ts';
import { chooseSpecialNames } from '../../src/rule/choose-names.ts';
import { type CollectedRows, comparedRows, digestOfContent } from '../../src/rule/compare-rows.ts';
import {
  collect,
  type Declarations,
  decide,
  defineRule,
  describeResponse,
  dropRow,
  type Each,
  type Finding,
  findingIn,
  isOk,
  isWhole,
  needsOf,
  notApplicable,
  type Reading,
  type Step,
  type Steps,
  step,
  untested,
} from '../../src/rule/index.ts';
import { listRequests } from '../../src/rule/list-requests.ts';
import { type Filter, filterValuesStep } from '../../src/rule/performance-rows.ts';

/** What identifies a row. Values that are read once per response may be of each page. */
const IDENTITY = [
  'upc',
  'category',
  'categoryId',
  'subCategory',
  'manufacturer',
  'brand',
  'id',
  'name',
] as const satisfies Field[];
const folds = comparedRows(IDENTITY);
const LIST = { accepts: 'any', optional: true, folds } as const;

/** A list is read in about three pages: shorter ones show no boundary of pages, longer ones would need too many rows. */
const [MIN_ROWS, MAX_ROWS, PAGES] = [4, 300, 3];

const FILTERED = 'filtered';
const SMALL = 'small pages';

/** The list with a filter, whose later pages could be of the whole list. */
function filteredSteps(operation: OperationKey, declarations: Declarations): Steps {
  const { binds } = declarations;
  const listSteps = (values: Step, filter: Filter | 'categoryId', as: Each['as']): Steps => {
    const [max, choose] = [declarations.draw('pageSizes'), chooseSpecialNames(filter)];
    const each = { from: 'values', fold: 'rows', as, max, choose };
    return { values, [FILTERED]: step({ ...LIST, operation, each }) };
  };
  if (operation === ALL_PRODUCTS) {
    const names = ['category', 'categoryId'] as const;
    const filter = names.find(
      (each) => binds(operation, `inputs.${each}`) && binds(ALL_CATEGORIES, 'request', 'rows', `fields.${each}`),
    );
    const values = step({ operation: ALL_CATEGORIES, accepts: 'any', folds: { rows: collect(names, 5000) } });
    return filter ? listSteps(values, filter, { category: 'category', categoryId: 'categoryId' }) : {};
  }
  const { ownFilter: filter } = operationOf(operation);
  if (!filter || !binds(operation, `inputs.${filter}`, `fields.${filter}`)) return {};
  const values = step({ ...filterValuesStep(declarations, operation, filter), accepts: 'any' });
  return listSteps(values, filter, { [filter]: filter });
}

const withoutSize = ({ inputs: { pageSize: _, ...inputs } }: Reading): string => JSON.stringify(inputs);
const rowsOf = ({ observation }: Reading): number => observation?.rows ?? 0;

/**
 * Of the lists with a filter, and of those without one, the longest that is short enough, and then the shortest: its
 * pages are smaller.
 */
function chosenLists(subject: OperationKey, sources: readonly Reading[], max: number): readonly Reading[] {
  const lists = sources
    .filter((each) => each.operation === subject && each.inputs.pageSize === undefined && isWhole(each))
    .filter((each) => rowsOf(each) >= MIN_ROWS && rowsOf(each) <= MAX_ROWS)
    .toSorted((x, y) => rowsOf(y) - rowsOf(x));
  const isFiltered = ({ inputs }: Reading) => Object.keys(inputs).some((each) => each !== 'window');
  const kinds = [lists.filter(isFiltered), lists.filter((each) => !isFiltered(each))];
  const ends = max > kinds.length ? [0, -1] : [0];
  return [...new Set(ends.flatMap((at) => kinds.flatMap((each) => each.at(at) ?? [])))];
}

/** A digest of the rows of a list, without the values that are read once per response. */
const digestOfRows = ({ observation, ...reading }: Reading<CollectedRows>): string =>
  digestOfContent({ ...reading, ...(observation && { observation: { ...observation, values: {} } }) });

/** About a third of the rows. The last page is shorter, so that the list ends there for any style of paging. */
function sizeOf(rows: number): number {
  let size = Math.ceil(rows / PAGES);
  while (rows % size === 0) size++;
  return size;
}

export const pageSizes = defineRule<Steps>({
  id: 'every.page-sizes',
  statement: 'operation.served',
  demands: 'A list contains the same rows in pages of another size, with a filter, too.',
  how: [
    'Where the request of the profile contains {pageSize}, a list of 4 to 300 rows, with and without a filter, is read again in pages of a third of its rows, at `thorough` the longest and the shortest such list.',
    'Both readings must contain the same UPCs, names or ids, each as often.',
  ],
  looksLike: [
    'A service that limits the size of pages, ignores it or refuses sizes is legal: only the rows of all pages are compared, and a refusal is untested.',
    'A list that is reloaded between two pages is legal, too; the list is read again before the rule fails.',
  ],
  subjects: listOperations().filter((key) => operationOf(key).group !== 'B'),
  notQuick: true,
  promise: 'response.paging',
  needs: (subject) => needsOf(subject, 'request'),
  repeat: 'pass',
  isStated: ({ selectsPageSize }, subject) => selectsPageSize(subject),
  probe(subject, declarations) {
    const lists = Object.fromEntries(
      Object.entries(listRequests(subject, declarations)).map(([name, each]) => [name, { ...each, folds }]),
    );
    const filtered = filteredSteps(subject, declarations);
    const from = [...Object.keys(lists), ...Object.keys(filtered).filter((name) => name === FILTERED)];
    const max = declarations.draw('smallPages');
    const select = (sources: readonly Reading[]) =>
      chosenLists(subject, sources, max).map((each) => ({ ...each.inputs, pageSize: sizeOf(rowsOf(each)) }));
    const each = { from, as: {}, max, select, key: `${SMALL} of ${subject}` };
    return { ...lists, ...filtered, [SMALL]: step({ ...LIST, operation: subject, each }) };
  },
  counterexample: (seen) => ({ [SMALL]: dropRow(seen[SMALL]) }),
  judge(seen, { subject, declarations }) {
    if (!declarations.selectsPageSize(subject))
      return notApplicable('the request of the profile contains no {pageSize}');
    const wholes = Object.entries(seen).flatMap(([name, readings]) => (name === SMALL ? [] : readings));
    const small = (seen[SMALL] ?? []) as readonly Reading<CollectedRows>[];
    if (small.length === 0) return untested(`no list of ${MIN_ROWS} to ${MAX_ROWS} rows was read to its end`);
    const read = small.filter(isOk);
    const findings = read.filter(isWhole).flatMap((reading): Finding[] => {
      const whole = wholes.find((each) => each.operation === subject && withoutSize(each) === withoutSize(reading));
      if (!whole) return [];
      if (digestOfRows(whole as Reading<CollectedRows>) === digestOfRows(reading)) return [];
      const expected = `the ${rowsOf(whole)} rows of ${whole.exchange} in pages of ${reading.inputs.pageSize}`;
      const actual = `${rowsOf(reading)} rows${rowsOf(whole) === rowsOf(reading) ? ', some of them others' : ''}`;
      return [findingIn(reading, 'other-rows', expected, actual)];
    });
    const incomplete = read.find((each) => !isWhole(each));
    const doubt = incomplete && `${incomplete.exchange}: the list in small pages was not read to its end`;
    const refused = small.find((each) => !isOk(each));
    const nothing = `pages of ${refused?.inputs.pageSize} rows got ${refused ? describeResponse(refused) : 'nothing'}`;
    const { length: compared } = read;
    const evidence = { distinct: 0, coverage: [{ of: 'lists', looked: compared }] };
    return decide({ of: read, compared, findings, doubt }, { nothing, evidence });
  },
});
