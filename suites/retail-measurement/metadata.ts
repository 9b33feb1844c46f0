/** The names that the metadata lists: section 4.4. */
import {
  BRAND_PERFORMANCE,
  CATEGORY_PERFORMANCE,
  PERFORMANCE_METADATA,
  PERFORMANCE_OPERATIONS,
  SALES_FILTERS,
} from '../../src/contract/index.ts';
import { nameFolds, namesIn, normaliseName } from '../../src/rule/choose-names.ts';
import {
  addRow,
  anything,
  type Comparison,
  collect,
  type Declarations,
  editAll,
  editRow,
  findingIn,
  listNeeds,
  needsOf,
  notApplicable,
  quoteSelector,
  type Reading,
  type Row,
  relationRule,
  rows,
  type Side,
  type Step,
  SUBJECT,
} from '../../src/rule/index.ts';
import {
  type Filter,
  filtersInRows,
  MAX_COMPARED_ROWS,
  METADATA_NAMES,
  rowIdentity,
} from '../../src/rule/performance-rows.ts';

const folds = nameFolds(SALES_FILTERS);
type Named = Reading<typeof folds>;

/** The metadata, which may contain its names once instead of in rows. */
const metadata = (accepts: Step['accepts']): Side<typeof folds> => ({
  ...rows(PERFORMANCE_METADATA, { accepts, folds }),
  needs: () => METADATA_NAMES,
});

/** Where the profile reads the names of a filter in the metadata. */
const placeOf = (filter: Filter, declarations: Declarations): string =>
  quoteSelector(PERFORMANCE_METADATA, declarations.selector(PERFORMANCE_METADATA, filter));

export const metadataListed = relationRule({
  id: 'D.metadata-listed',
  statement: 'D.metadata',
  basis: 'stated',
  since: '0.1.0',
  demands: 'Metadata lists categories and sub-categories, manufacturers and brands.',
  how: 'Each of the four kinds of names that the profile binds must occur at least once.',
  subjects: [PERFORMANCE_METADATA],
  repeat: undefined,
  sides: { list: metadata('content') },
  counterexample: ({ list }) => ({ list: editAll(list, { brand: null }) }),
  compare({ list }, { declarations }) {
    const kinds = filtersInRows(declarations, PERFORMANCE_METADATA);
    const compared = kinds.reduce((sum, each) => sum + namesIn(list, each).size, 0);
    const missing = 'no name of this kind, while the other kinds are listed';
    const findings = kinds
      .filter((each) => namesIn(list, each).size === 0)
      .map((each) => findingIn(list, `no-${each}`, `names of ${each} at ${placeOf(each, declarations)}`, missing));
    return { of: [list], compared, basis: 'profile', findings: compared === 0 ? [] : findings };
  },
  nothing: 'the metadata lists no name of any kind',
});

/** Whether all names are among others: the first three that are not are findings about the metadata. */
const areAmong = (
  [metadata, ...lists]: readonly [Named, ...Named[]],
  names: readonly string[],
  known: ReadonlySet<string>,
  kind: string,
  expected: (name: string) => string,
  actual: string,
): Comparison => ({
  of: [metadata, ...lists],
  compared: names.length,
  findings: names
    .filter((name) => !known.has(normaliseName(name)))
    .slice(0, 3)
    .map((name) => findingIn(metadata, kind, expected(name), actual)),
});

export const metadataCovers = relationRule({
  id: 'D.metadata-covers-rows',
  statement: 'D.metadata',
  basis: 'derived',
  since: '0.1.0',
  demands: 'The metadata lists every category, sub-category, manufacturer and brand that a performance row names.',
  how: 'The metadata must contain the names of all rows of an unfiltered response, kind by kind.',
  subjects: PERFORMANCE_OPERATIONS,
  sides: {
    metadata: metadata('complete'),
    rows: rows(SUBJECT, { alsoMatches: anything, accepts: 'content', fields: [SALES_FILTERS], folds }),
  },
  counterexample: (seen) => ({ rows: editRow(seen.rows, { category: 'Unlisted' }) }),
  compare({ metadata, rows: list }, { subject, declarations }): Comparison[] {
    const kinds = filtersInRows(declarations, PERFORMANCE_METADATA);
    const inRows = filtersInRows(declarations, subject).filter((each) => kinds.includes(each));
    const named = inRows.filter((each) => list.folds[each].counts.size > 0);
    // A kind without any listed name may be read at the wrong place: D.metadata-listed reports it.
    if (named[0] !== undefined && kinds.every((each) => namesIn(metadata, each).size === 0)) {
      const expected = `names of ${named.join(', ')} at ${placeOf(named[0], declarations)}, as in the rows`;
      return [{ basis: 'profile', findings: [findingIn(metadata, 'no-names', expected, 'no name of any kind')] }];
    }
    const listedKinds = inRows.filter((each) => namesIn(metadata, each).size > 0);
    return listedKinds.map((each) => {
      const [listed, { counts }] = [namesIn(metadata, each), list.folds[each]];
      const expected = (name: string) =>
        `the metadata lists ${each} ${JSON.stringify(name)}, which ${counts.get(name)} rows name`;
      const actual = `missing from its ${listed.size} names`;
      return areAmong([metadata, list], [...counts.keys()], listed, `${each}-not-listed`, expected, actual);
    });
  },
  nothing: 'no row contains a name of a kind that the metadata lists',
});

export const metadataUsed = relationRule({
  id: 'D.metadata-used',
  statement: 'D.metadata',
  basis: 'plausible',
  since: '0.1.0',
  demands:
    'A category, sub-category, manufacturer or brand that the metadata lists as available has a performance row.',
  how: [
    'The rows of both unfiltered responses must contain the names of the metadata, kind by kind.',
    'Advisory: an available name may have no sales in any window.',
  ],
  subjects: [PERFORMANCE_METADATA],
  promises: [
    ...METADATA_NAMES,
    ...PERFORMANCE_OPERATIONS.flatMap((each) => listNeeds(each)),
    PERFORMANCE_OPERATIONS.flatMap((each) => needsOf(each, ...SALES_FILTERS.map((field) => `fields.${field}`))).flat(),
  ],
  sides: {
    metadata: metadata('content'),
    categories: rows(CATEGORY_PERFORMANCE, { folds }),
    brands: rows(BRAND_PERFORMANCE, { folds }),
  },
  counterexample: ({ metadata }) => ({
    metadata: addRow(metadata, Object.fromEntries(SALES_FILTERS.map((each) => [each, 'Unsold']))),
  }),
  compare: ({ metadata, categories, brands }, { declarations }) =>
    filtersInRows(declarations, PERFORMANCE_METADATA).flatMap((each): Comparison[] => {
      const used = new Set(
        [categories, brands].flatMap(({ folds }) => [...folds[each].counts.keys()].map(normaliseName)),
      );
      // No row contains a name of this kind.
      if (used.size === 0) return [];
      const expected = (name: string) =>
        `a performance row of ${each} ${JSON.stringify(name)}, which the metadata lists`;
      const listed = [...namesIn(metadata, each)];
      const actual = `missing from the ${used.size} names in rows`;
      return [areAmong([metadata, categories, brands], listed, used, `${each}-not-used`, expected, actual)];
    }),
  nothing: 'no name of the metadata is of a kind that rows contain',
});

const PAIRS = [
  ['category', 'subCategory'],
  ['manufacturer', 'brand'],
] as const satisfies readonly (readonly [Filter, Filter])[];

const pairFolds = { names: collect(PAIRS.flat(), MAX_COMPARED_ROWS) };

/** The rows that name both of a pair, one for each pair of names. */
const pairsIn = ({ folds }: Reading<typeof pairFolds>, pair: readonly [Filter, Filter]): ReadonlyMap<string, Row> =>
  new Map(
    folds.names.rows
      .filter((row) => pair.every((each) => typeof row[each] === 'string'))
      .map((row) => [rowIdentity(row, pair), row]),
  );

export const metadataPairs = relationRule({
  id: 'D.metadata-pairs',
  statement: 'D.metadata',
  demands:
    'The metadata lists the sub-category of each performance row under its category, and the brand under its manufacturer.',
  how: [
    'Where the profile says that a row of the metadata names a pair, each pair of names in the rows of an unfiltered response must be in one row of the metadata.',
    'Pairs are category and sub-category, and manufacturer and brand.',
    'A pair that no row of the metadata names whole is not judged.',
  ],
  looksLike:
    'A server whose metadata lists each kind of name in a column of its own, so that the names of a row do not belong together, is legal; its profile does not state `metadata.pairs`.',
  subjects: PERFORMANCE_OPERATIONS,
  promises: ['metadataPairs'],
  sides: {
    metadata: rows(PERFORMANCE_METADATA, { fields: [['subCategory', 'brand']], folds: pairFolds }),
    rows: rows(SUBJECT, { fields: [['subCategory', 'brand']], folds: pairFolds }),
  },
  counterexample: (seen, { subject, declarations }) => ({
    rows: editRow(seen.rows, {
      [filtersInRows(declarations, subject).includes('brand') ? 'brand' : 'subCategory']: 'Unlisted',
    }),
  }),
  compare({ metadata, rows: list }, { subject }): Comparison | Comparison[] {
    const of = [metadata, list];
    if (of.some(({ folds }) => !folds.names.complete)) return { doubt: 'there are too many rows to compare' };
    return PAIRS.flatMap((pair): Comparison[] => {
      const [listed, used] = [pairsIn(metadata, pair), pairsIn(list, pair)];
      if (listed.size === 0 || used.size === 0) return [];
      const missing = [...used].flatMap(([identity, row]) => (listed.has(identity) ? [] : [row]));
      const shown = pair.map((each) => `${each} ${JSON.stringify(missing[0]?.[each])}`).join(' and ');
      const finding = findingIn(
        metadata,
        `${pair[1]}-under-another-${pair[0]}`,
        `a row of the metadata with ${shown}, as in a row of ${subject}`,
        `${missing.length} of ${used.size} such pairs are missing`,
      );
      return [{ of, compared: used.size, findings: missing.length > 0 ? [finding] : [] }];
    });
  },
  nothing: notApplicable('no row of the metadata names a pair of a kind that these rows name'),
});
