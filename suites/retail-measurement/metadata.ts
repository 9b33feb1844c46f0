/** The names that the metadata lists: section 4.4. */
import {
  BRAND_PERFORMANCE,
  CATEGORY_PERFORMANCE,
  PERFORMANCE_METADATA,
  PERFORMANCE_OPERATIONS,
  SALES_FILTERS,
} from '../../src/contract/index.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import {
  addRow,
  anything,
  defineRule,
  editAll,
  editRow,
  evidenceOf,
  type Finding,
  failed,
  failedByProfile,
  onlyReading,
  openingOf,
  passed,
  quoteSelector,
  type Reading,
  step,
  texts,
  untested,
} from '../../src/rule/index.ts';
import { type Filter, filtersInRows } from '../../src/rule/performance-rows.ts';

/** Counts the rows of each name, by the kind of name. */
const nameFolds = Object.fromEntries(SALES_FILTERS.map((each) => [each, texts(each)])) as Record<
  Filter,
  ReturnType<typeof texts>
>;

export const metadataListed = defineRule({
  id: 'D.metadata-listed',
  statement: 'D.metadata',
  basis: 'stated',
  since: '0.1.0',
  demands: 'Metadata lists categories and sub-categories, manufacturers and brands.',
  how: 'Each of the four kinds of names that the profile binds must occur at least once.',
  subjects: [PERFORMANCE_METADATA],
  needs: () => [
    'performanceMetadata.request',
    SALES_FILTERS.map((each) => openingOf(PERFORMANCE_METADATA, `fields.${each}`)),
  ],
  probe: () => ({
    list: step({
      operation: PERFORMANCE_METADATA,
      accepts: 'content',
      folds: nameFolds,
    }),
  }),
  counterexample: ({ list }) => ({ list: editAll(list, { brand: null }) }),
  judge(seen, { declarations }) {
    const list = onlyReading(seen.list);
    const names = filtersInRows(declarations, PERFORMANCE_METADATA).map((each) => ({
      each,
      found: namesOf(list, each).size,
    }));
    const none = names.filter(({ found }) => found === 0);
    if (none.length === names.length) return untested('the metadata lists no name of any kind');
    if (none.length > 0) {
      return failed(
        none.map(({ each }) => ({
          kind: `no-${each}`,
          expected: `names of ${each} at ${quoteSelector(PERFORMANCE_METADATA, declarations.selector(PERFORMANCE_METADATA, each))}`,
          actual: 'no name of this kind, while the other kinds are listed',
          exchange: list.exchange,
        })),
        'profile',
      );
    }
    return passed(
      evidenceOf(
        [list],
        names.reduce((sum, { found }) => sum + found, 0),
      ),
    );
  },
});

function namesOf(list: Reading<typeof nameFolds>, filter: Filter): Set<string> {
  const once = (list.observation?.values[filter] ?? []).filter((value): value is string => typeof value === 'string');
  return new Set([...list.folds[filter].counts.keys(), ...once].map(normaliseName));
}

export const metadataCovers = defineRule({
  id: 'D.metadata-covers-rows',
  statement: 'D.metadata',
  basis: 'derived',
  since: '0.1.0',
  demands: 'The metadata lists every category, sub-category, manufacturer and brand that a performance row names.',
  how: 'The metadata must contain the names of all rows of an unfiltered response, kind by kind.',
  subjects: PERFORMANCE_OPERATIONS,
  needs: (subject) => [
    'performanceMetadata.request',
    SALES_FILTERS.map((each) => openingOf(PERFORMANCE_METADATA, `fields.${each}`)),
    openingOf(subject, 'request'),
    openingOf(subject, 'rows'),
    SALES_FILTERS.map((each) => openingOf(subject, `fields.${each}`)),
  ],
  repeat: 'pass',
  probe(subject) {
    return {
      metadata: step({ operation: PERFORMANCE_METADATA, accepts: 'complete', folds: nameFolds }),
      rows: step({ operation: subject, alsoMatches: anything, accepts: 'content', folds: nameFolds }),
    };
  },
  counterexample: ({ rows }) => ({ rows: editRow(rows, { category: 'Unlisted' }) }),
  judge(seen, { subject, declarations }) {
    const metadata = onlyReading(seen.metadata);
    const rows = onlyReading(seen.rows);
    let compared = 0;
    const kinds = filtersInRows(declarations, PERFORMANCE_METADATA);
    const named = filtersInRows(declarations, subject).filter(
      (each) => rows.folds[each].counts.size > 0 && kinds.includes(each),
    );
    // A kind without any listed name may be read at the wrong place: D.metadata-listed reports it.
    if (named.length > 0 && kinds.every((each) => namesOf(metadata, each).size === 0)) {
      const [first = 'category'] = named;
      const expected = `names of ${named.join(', ')} at ${quoteSelector(PERFORMANCE_METADATA, declarations.selector(PERFORMANCE_METADATA, first))}, as in the rows`;
      return failedByProfile(metadata, 'no-names', expected, 'no name of any kind');
    }
    const findings = filtersInRows(declarations, subject).flatMap((each): Finding[] => {
      const listed = namesOf(metadata, each);
      const used = [...rows.folds[each].counts.keys()];
      if (listed.size === 0 || !declarations.isFilled(openingOf(PERFORMANCE_METADATA, `fields.${each}`))) return [];
      compared += used.length;
      return used
        .filter((name) => !listed.has(normaliseName(name)))
        .slice(0, 3)
        .map((name) => ({
          kind: `${each}-not-listed`,
          expected: `the metadata lists ${each} ${JSON.stringify(name)}, which ${rows.folds[each].counts.get(name)} rows name`,
          actual: `missing from its ${listed.size} names`,
          exchange: metadata.exchange,
        }));
    });
    if (findings.length > 0) return failed(findings);
    return compared === 0
      ? untested('no row contains a name of a kind that the metadata lists')
      : passed({ ...evidenceOf([metadata, rows]), distinct: compared });
  },
});

export const metadataUsed = defineRule({
  id: 'D.metadata-used',
  statement: 'D.metadata',
  basis: 'plausible',
  since: '0.1.0',
  demands:
    'A category, sub-category, manufacturer or brand that the metadata lists as available has a performance row.',
  how: 'The rows of both unfiltered responses must contain the names of the metadata, kind by kind. Advisory: an available name may have no sales in any window.',
  subjects: [PERFORMANCE_METADATA],
  needs: () => [
    'performanceMetadata.request',
    SALES_FILTERS.map((each) => openingOf(PERFORMANCE_METADATA, `fields.${each}`)),
    ...PERFORMANCE_OPERATIONS.flatMap((subject) => [openingOf(subject, 'request'), openingOf(subject, 'rows')]),
    PERFORMANCE_OPERATIONS.flatMap((subject) => SALES_FILTERS.map((each) => openingOf(subject, `fields.${each}`))),
  ],
  repeat: 'pass',
  probe() {
    return {
      metadata: step({ operation: PERFORMANCE_METADATA, accepts: 'content', folds: nameFolds }),
      categories: step({ operation: CATEGORY_PERFORMANCE, accepts: 'complete', folds: nameFolds }),
      brands: step({ operation: BRAND_PERFORMANCE, accepts: 'complete', folds: nameFolds }),
    };
  },
  counterexample: ({ metadata }) => ({
    metadata: addRow(metadata, { category: 'Unsold', subCategory: 'Unsold', manufacturer: 'Unsold', brand: 'Unsold' }),
  }),
  judge(seen, { declarations }) {
    const metadata = onlyReading(seen.metadata);
    const responses = [onlyReading(seen.categories), onlyReading(seen.brands)];
    let compared = 0;
    const findings = filtersInRows(declarations, PERFORMANCE_METADATA).flatMap((each): Finding[] => {
      const used = new Set(responses.flatMap(({ folds }) => [...folds[each].counts.keys()].map(normaliseName)));
      // No row contains a name of this kind.
      if (used.size === 0) return [];
      const listed = [...namesOf(metadata, each)];
      compared += listed.length;
      return listed
        .filter((name) => !used.has(name))
        .slice(0, 3)
        .map((name) => ({
          kind: `${each}-not-used`,
          expected: `a performance row of ${each} ${JSON.stringify(name)}, which the metadata lists`,
          actual: `missing from the ${used.size} names in rows`,
          exchange: metadata.exchange,
        }));
    });
    if (findings.length > 0) return failed(findings);
    return compared === 0
      ? untested('no name of the metadata is of a kind that rows contain')
      : passed({ ...evidenceOf([metadata, ...responses]), distinct: compared });
  },
});
