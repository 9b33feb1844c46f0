/** The statements whose rules may fail on a fault in addition to the broken one: other effects of the same deviation. */
import type { ObservableStatementId } from '../contract/index.ts';

interface Relation {
  readonly broken: ObservableStatementId;
  readonly alsoBroken: readonly ObservableStatementId[];
  readonly because: string;
}

const OTHER_PATH = 'an operation that is served only at another path has no content at the documented one';

export const RELATED_STATEMENTS: readonly Relation[] = [
  {
    broken: 'version.segment',
    alsoBroken: ['operation.served', 'C.lookup'],
    because: OTHER_PATH,
  },
  { broken: 'version.none', alsoBroken: ['operation.served', 'A.content'], because: OTHER_PATH },
  { broken: 'platform.segment', alsoBroken: ['operation.served', 'C.lookup'], because: OTHER_PATH },
  { broken: 'B.post', alsoBroken: ['operation.served', 'B.graph'], because: OTHER_PATH },
  {
    broken: 'operation.served',
    alsoBroken: ['B.graph'],
    because: 'without the operation, its list in the graph of metadata is missing',
  },
  {
    broken: 'A.content',
    alsoBroken: ['operation.served'],
    because: 'an operation that always returns an error also breaks operation.served',
  },
  {
    broken: 'A.job-status',
    alsoBroken: ['operation.served'],
    because: 'a refusal of every job hides the one that a missing id gets',
  },
  {
    broken: 'B.metadata',
    alsoBroken: ['B.catalogue-id', 'B.graph', 'operation.served'],
    because:
      'items without names are equal in all catalogues, items of another node name another parent, and a text such as “NaN” is no date',
  },
  {
    broken: 'B.catalogue-id',
    alsoBroken: ['B.graph', 'B.metadata', 'operation.served'],
    because:
      'an item of another catalogue is unknown in this one, an ignored id may be one that no catalogue has, and it may be missing',
  },
  {
    broken: 'B.graph',
    alsoBroken: ['B.metadata', 'operation.served'],
    because: 'an operation that accepts no item lists nothing, and refuses a missing one as an unknown one',
  },
  {
    broken: 'C.bulk',
    alsoBroken: ['C.delta', 'C.category-filter', 'C.categories'],
    because:
      'a product that is missing from the bulk list is missing in its filtered lists, in each comparison with it and in the count of its category',
  },
  {
    broken: 'C.delta-weekly',
    alsoBroken: ['operation.served'],
    because:
      'a delta that misses reloads is of an earlier data week than other lists, where the profile promises one reload',
  },
  {
    broken: 'C.history-52',
    alsoBroken: ['C.category-filter', 'operation.served'],
    because:
      'a product with a wrong date in one list has another date in the others, and a text such as “undefined” is no date',
  },
  {
    broken: 'C.upc-12',
    alsoBroken: ['C.delta', 'C.lookup'],
    because: 'a product with a changed UPC is another product in every comparison and look-up',
  },
  {
    broken: 'C.delta-windows',
    alsoBroken: ['C.delta', 'C.lookup', 'operation.served'],
    because:
      'a wrong window lacks changes that the larger ones date within it, and a wrong date differs from that of the look-up or is none',
  },
  {
    broken: 'C.delta',
    alsoBroken: ['C.lookup'],
    because: 'a product that does not exist is not found by its UPC',
  },
  {
    broken: 'C.product-category',
    alsoBroken: ['C.lookup', 'C.categories'],
    because:
      'the look-up does not show a wrong category that the delta shows as the latest, and its sub-category is not listed below it',
  },
  {
    broken: 'C.lookup',
    alsoBroken: ['C.product-category'],
    because: 'another product has another category',
  },
  {
    broken: 'D.metadata',
    alsoBroken: ['C.bulk'],
    because: 'a brand or manufacturer that the metadata lacks is one of products, too',
  },
  {
    broken: 'D.windows',
    alsoBroken: ['D.five-figures', 'D.category-performance', 'D.brand-performance', 'D.filters'],
    because: 'other figures change the percentage change, the sums and the rows of filtered responses',
  },
  {
    broken: 'D.filters',
    alsoBroken: ['D.category-performance', 'D.brand-performance'],
    because: 'a figure that is wrong in a filtered response differs from the unfiltered one',
  },
  {
    broken: 'C.categories',
    alsoBroken: ['operation.served', 'C.bulk'],
    because:
      'a category that is not listed is a code without a meaning, and the sub-categories of products are missing with it',
  },
  {
    broken: 'D.five-figures',
    alsoBroken: ['D.category-performance', 'D.brand-performance'],
    because: 'the sum of a wrong figure is wrong',
  },
  {
    broken: 'D.brand-performance',
    alsoBroken: ['D.category-performance', 'D.filters'],
    because:
      'the sum of missing or repeated brand rows is wrong, and a row without a name is missing among the filtered ones',
  },
  {
    broken: 'D.category-performance',
    alsoBroken: ['D.filters'],
    because: 'a row without a name is missing among the filtered ones',
  },
];

/** Whether a rule of one statement may fail on a fault of the other. */
export const isRelated = (broken: string, other: string): boolean =>
  broken === other ||
  RELATED_STATEMENTS.some((each) => each.broken === broken && (each.alsoBroken as readonly string[]).includes(other));
