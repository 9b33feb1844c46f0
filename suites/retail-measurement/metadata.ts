/** The names the metadata lists: section 4.4. */
import { SALES_FILTERS } from '../../src/contract/index.ts';
import {
  addRow,
  anything,
  defineRule,
  editAll,
  editRow,
  evidenceOf,
  type Finding,
  failed,
  nothingSeen,
  passed,
  quoteSelector,
  type Reading,
  step,
  texts,
} from '../../src/rule/index.ts';
import { fold } from '../names.ts';
import { BRAND, bound, CATEGORY, type Filter, METADATA, one, opening, PERFORMANCE } from './shared.ts';

export const metadataListed = defineRule({
  id: 'D.metadata-listed',
  statement: 'D.metadata',
  basis: 'stated',
  since: '0.1.0',
  demands: 'Metadata lists categories and sub-categories, manufacturers and brands.',
  how: 'Each of the four kinds of names that the profile binds must occur at least once.',
  subjects: [METADATA],
  needs: () => ['performanceMetadata.request', SALES_FILTERS.map((each) => opening(METADATA, `fields.${each}`))],
  probe: () => ({
    list: step({
      operation: METADATA,
      wants: 'content',
      folds: Object.fromEntries(SALES_FILTERS.map((each) => [each, texts(each)])) as Record<
        Filter,
        ReturnType<typeof texts>
      >,
    }),
  }),
  counterexample: ({ list }) => ({ list: editAll(list, { brand: null }) }),
  judge(seen, { declares }) {
    const list = one(seen.list);
    const names = bound(declares, METADATA).map((each) => ({ each, found: namesOf(list, each).size }));
    const none = names.filter(({ found }) => found === 0);
    if (none.length === names.length) return nothingSeen('the metadata lists no name at all');
    if (none.length > 0) {
      return failed(
        none.map(({ each }) => ({
          expected: `names of ${each} at ${quoteSelector(METADATA, declares.selector(METADATA, each))}`,
          actual: 'none, while the other kinds are listed',
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

function namesOf(list: Reading<Record<Filter, ReturnType<typeof texts>>>, filter: Filter): Set<string> {
  const once = (list.observation?.values[filter] ?? []).filter((value): value is string => typeof value === 'string');
  return new Set([...list.folds[filter].counts.keys(), ...once].map(fold));
}

export const metadataCovers = defineRule({
  id: 'D.metadata-covers-rows',
  statement: 'D.metadata',
  basis: 'derived',
  since: '0.1.0',
  demands:
    'Every category, sub-category, manufacturer and brand that a performance row names is listed by the metadata.',
  how: 'The names of all rows of an unfiltered answer are looked for in the metadata, kind by kind.',
  subjects: PERFORMANCE,
  needs: (subject) => [
    'performanceMetadata.request',
    SALES_FILTERS.map((each) => opening(METADATA, `fields.${each}`)),
    opening(subject, 'request'),
    opening(subject, 'rows'),
    SALES_FILTERS.map((each) => opening(subject, `fields.${each}`)),
  ],
  repeat: 'pass',
  probe(subject) {
    const folds = Object.fromEntries(SALES_FILTERS.map((each) => [each, texts(each)])) as Record<
      Filter,
      ReturnType<typeof texts>
    >;
    return {
      metadata: step({ operation: METADATA, wants: 'whole', folds }),
      rows: step({ operation: subject, observes: anything, wants: 'content', folds }),
    };
  },
  counterexample: ({ rows }) => ({ rows: editRow(rows, { category: 'Unlisted' }) }),
  judge(seen, { subject, declares }) {
    const metadata = one(seen.metadata);
    const rows = one(seen.rows);
    let looked = 0;
    const kinds = bound(declares, METADATA);
    const named = bound(declares, subject).filter((each) => rows.folds[each].counts.size > 0 && kinds.includes(each));
    // A kind that is not listed at all may be read at the wrong place; D.metadata-listed tells it beside the others.
    if (named.length > 0 && kinds.every((each) => namesOf(metadata, each).size === 0)) {
      const [first = 'category'] = named;
      const expected = `names of ${named.join(', ')} at ${quoteSelector(METADATA, declares.selector(METADATA, first))}, as rows have them`;
      return failed([{ expected, actual: 'no name of any kind', exchange: metadata.exchange }], 'profile');
    }
    const findings = bound(declares, subject).flatMap((each): Finding[] => {
      const listed = namesOf(metadata, each);
      const used = [...rows.folds[each].counts.keys()];
      if (listed.size === 0 || !declares.isFilled(opening(METADATA, `fields.${each}`))) return [];
      looked += used.length;
      return used
        .filter((name) => !listed.has(fold(name)))
        .slice(0, 3)
        .map((name) => ({
          expected: `the metadata lists ${each} ${JSON.stringify(name)}, which ${rows.folds[each].counts.get(name)} rows name`,
          actual: `not among its ${listed.size} names`,
          exchange: metadata.exchange,
        }));
    });
    if (findings.length > 0) return failed(findings);
    return looked === 0
      ? nothingSeen('no row carries a name that the metadata lists')
      : passed({ ...evidenceOf([metadata, rows]), distinct: looked });
  },
});

export const metadataUsed = defineRule({
  id: 'D.metadata-used',
  statement: 'D.metadata',
  basis: 'plausible',
  since: '0.1.0',
  demands:
    'A category, sub-category, manufacturer or brand that the metadata lists as available has a performance row.',
  how: 'The names of the metadata are looked for in all rows of both unfiltered answers, kind by kind. What is available may have no sales in any window, so this only advises.',
  subjects: [METADATA],
  needs: () => [
    'performanceMetadata.request',
    SALES_FILTERS.map((each) => opening(METADATA, `fields.${each}`)),
    ...PERFORMANCE.flatMap((subject) => [opening(subject, 'request'), opening(subject, 'rows')]),
    PERFORMANCE.flatMap((subject) => SALES_FILTERS.map((each) => opening(subject, `fields.${each}`))),
  ],
  repeat: 'pass',
  probe() {
    const folds = Object.fromEntries(SALES_FILTERS.map((each) => [each, texts(each)])) as Record<
      Filter,
      ReturnType<typeof texts>
    >;
    return {
      metadata: step({ operation: METADATA, wants: 'content', folds }),
      categories: step({ operation: CATEGORY, wants: 'whole', folds }),
      brands: step({ operation: BRAND, wants: 'whole', folds }),
    };
  },
  counterexample: ({ metadata }) => ({
    metadata: addRow(metadata, { category: 'Unsold', subCategory: 'Unsold', manufacturer: 'Unsold', brand: 'Unsold' }),
  }),
  judge(seen, { declares }) {
    const metadata = one(seen.metadata);
    const answers = [one(seen.categories), one(seen.brands)];
    let looked = 0;
    const findings = bound(declares, METADATA).flatMap((each): Finding[] => {
      const used = new Set(answers.flatMap(({ folds }) => [...folds[each].counts.keys()].map(fold)));
      // Rows of neither answer tell names of this kind.
      if (used.size === 0) return [];
      const listed = [...namesOf(metadata, each)];
      looked += listed.length;
      return listed
        .filter((name) => !used.has(name))
        .slice(0, 3)
        .map((name) => ({
          expected: `a performance row of ${each} ${JSON.stringify(name)}, which the metadata lists`,
          actual: `none under any of ${used.size} names`,
          exchange: metadata.exchange,
        }));
    });
    if (findings.length > 0) return failed(findings);
    return looked === 0
      ? nothingSeen('no name of the metadata is of a kind that rows tell')
      : passed({ ...evidenceOf([metadata, ...answers]), distinct: looked });
  },
});
