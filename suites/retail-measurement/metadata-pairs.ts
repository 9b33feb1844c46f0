/** Which names belong together in the metadata, where the profile states that it lists pairs: section 4.4. */
import { type OperationKey, PERFORMANCE_METADATA, PERFORMANCE_OPERATIONS } from '../../src/contract/index.ts';
import {
  collect,
  defineRule,
  editRow,
  evidenceOf,
  type Finding,
  failed,
  inconclusive,
  notApplicable,
  onlyReading,
  openingOf,
  passed,
  type Row,
  step,
} from '../../src/rule/index.ts';
import { type Filter, filtersInRows, MAX_COMPARED_ROWS, rowIdentity } from '../../src/rule/performance-rows.ts';

const PAIRS = [
  ['category', 'subCategory'],
  ['manufacturer', 'brand'],
] as const satisfies readonly (readonly [Filter, Filter])[];

const names = collect(PAIRS.flat(), MAX_COMPARED_ROWS);

const list = (operation: OperationKey) => step({ operation, accepts: 'complete', folds: { names } });

/** The rows that name both of a pair, one for each pair of names. */
const pairsIn = (rows: readonly Row[], pair: readonly [Filter, Filter]): ReadonlyMap<string, Row> =>
  new Map(
    rows
      .filter((row) => pair.every((each) => typeof row[each] === 'string'))
      .map((row) => [rowIdentity(row, pair), row]),
  );

export const metadataPairs = defineRule({
  id: 'D.metadata-pairs',
  statement: 'D.metadata',
  basis: 'profile',
  since: '0.2.0',
  demands:
    'The metadata lists the sub-category of each performance row under its category, and the brand under its manufacturer.',
  how: 'Where the profile says that a row of the metadata names a pair, each pair of category and sub-category, and of manufacturer and brand, in the rows of an unfiltered response must be in one row of the metadata. A pair that no row of the metadata names whole is not judged.',
  looksLike:
    'A server whose metadata lists each kind of name in a column of its own, so that the names of a row do not belong together, is legal; its profile does not state `metadata.pairs`.',
  subjects: PERFORMANCE_OPERATIONS,
  needs: (subject) => [
    'metadataPairs',
    'performanceMetadata.request',
    'performanceMetadata.rows',
    [openingOf(PERFORMANCE_METADATA, 'fields.subCategory'), openingOf(PERFORMANCE_METADATA, 'fields.brand')],
    openingOf(subject, 'request'),
    openingOf(subject, 'rows'),
    [openingOf(subject, 'fields.subCategory'), openingOf(subject, 'fields.brand')],
  ],
  repeat: 'pass',
  probe: (subject) => ({ metadata: list(PERFORMANCE_METADATA), rows: list(subject) }),
  counterexample: ({ rows }, { subject, declarations }) => ({
    rows: editRow(rows, {
      [filtersInRows(declarations, subject).includes('brand') ? 'brand' : 'subCategory']: 'Unlisted',
    }),
  }),
  judge(seen, { subject }) {
    const [metadata, rows] = [onlyReading(seen.metadata), onlyReading(seen.rows)];
    if (!metadata.folds.names.complete || !rows.folds.names.complete)
      return inconclusive('there are too many rows to compare');
    let compared = 0;
    const findings = PAIRS.flatMap((pair): Finding[] => {
      const listed = pairsIn(metadata.folds.names.rows, pair);
      const used = pairsIn(rows.folds.names.rows, pair);
      if (listed.size === 0 || used.size === 0) return [];
      compared += used.size;
      const missing = [...used].filter(([identity]) => !listed.has(identity)).map(([, row]) => row);
      const [first] = missing;
      if (!first) return [];
      return [
        {
          kind: `${pair[1]}-under-another-${pair[0]}`,
          expected: `a row of the metadata with ${pair[0]} ${JSON.stringify(first[pair[0]])} and ${pair[1]} ${JSON.stringify(first[pair[1]])}, as in a row of ${subject}`,
          actual: `${missing.length} of ${used.size} such pairs are missing`,
          exchange: metadata.exchange,
        },
      ];
    });
    if (findings.length > 0) return failed(findings);
    return compared === 0
      ? notApplicable('no row of the metadata names a pair of a kind that these rows name')
      : passed({ ...evidenceOf([metadata, rows]), distinct: compared });
  },
});
