/** The statements whose rules may fail on a fault in addition to the broken one: other effects of the same deviation. */
import type { ObservableStatementId } from '../contract/index.ts';

type Relation = readonly [alsoBroken: readonly ObservableStatementId[], because: string];

const OTHER_PATH = 'an operation that is served only at another path has no content at the documented one';

/** By the statement that is broken. */
export const RELATED_STATEMENTS: { readonly [S in ObservableStatementId]?: Relation } = {
  'version.segment': [['operation.served', 'C.lookup'], OTHER_PATH],
  'version.none': [['operation.served', 'A.content'], OTHER_PATH],
  'platform.segment': [['operation.served', 'C.lookup'], OTHER_PATH],
  'B.post': [['operation.served', 'B.graph'], OTHER_PATH],
  'operation.served': [['B.graph'], 'without the operation, its list in the graph of metadata is missing'],
  'A.content': [['operation.served'], 'an operation that always returns an error also breaks operation.served'],
  'A.job-status': [['operation.served'], 'a refusal of every job hides the one that a missing id gets'],
  'B.metadata': [
    ['B.catalogue-id', 'B.graph', 'operation.served'],
    'items without names are equal in all catalogues, items of another node name another parent, and a text such as “NaN” is no date',
  ],
  'B.catalogue-id': [
    ['B.graph', 'B.metadata', 'operation.served'],
    'an item of another catalogue is unknown in this one, an ignored id may be one that no catalogue has, and it may be missing',
  ],
  'B.graph': [
    ['B.metadata', 'operation.served'],
    'an operation that accepts no item lists nothing, and refuses a missing one as an unknown one',
  ],
  'C.bulk': [
    ['C.delta', 'C.category-filter', 'C.categories'],
    'a product that is missing from the bulk list is missing in its filtered lists, in each comparison with it and in the count of its category',
  ],
  'C.delta-weekly': [
    ['operation.served'],
    'a delta that misses reloads is of an earlier data week than other lists, where the profile promises one reload',
  ],
  'C.history-52': [
    ['C.category-filter', 'operation.served'],
    'a product with a wrong date in one list has another date in the others, and a text such as “undefined” is no date',
  ],
  'C.upc-12': [
    ['C.delta', 'C.lookup'],
    'a product with a changed UPC is another product in every comparison and look-up',
  ],
  'C.delta-windows': [
    ['C.delta', 'C.lookup', 'operation.served'],
    'a wrong window lacks changes that the larger ones date within it, and a wrong date differs from that of the look-up or is none',
  ],
  'C.delta': [['C.lookup'], 'a product that does not exist is not found by its UPC'],
  'C.product-category': [
    ['C.lookup', 'C.categories'],
    'the look-up does not show a wrong category that the delta shows as the latest, and its sub-category is not listed below it',
  ],
  'C.lookup': [['C.product-category'], 'another product has another category'],
  'D.metadata': [['C.bulk'], 'a brand or manufacturer that the metadata lacks is one of products, too'],
  'D.windows': [
    ['D.five-figures', 'D.category-performance', 'D.brand-performance', 'D.filters'],
    'other figures change the percentage change, the sums and the rows of filtered responses',
  ],
  'D.filters': [
    ['D.category-performance', 'D.brand-performance'],
    'a figure that is wrong in a filtered response differs from the unfiltered one',
  ],
  'C.categories': [
    ['operation.served', 'C.bulk'],
    'a category that is not listed is a code without a meaning, and the sub-categories of products are missing with it',
  ],
  'D.five-figures': [['D.category-performance', 'D.brand-performance'], 'the sum of a wrong figure is wrong'],
  'D.brand-performance': [
    ['D.category-performance', 'D.filters'],
    'the sum of missing or repeated brand rows is wrong, and a row without a name is missing among the filtered ones',
  ],
  'D.category-performance': [['D.filters'], 'a row without a name is missing among the filtered ones'],
};

/** Whether a rule of one statement may fail on a fault of the other. */
export const isRelated = (broken: ObservableStatementId, other: string): boolean =>
  broken === other || (RELATED_STATEMENTS[broken]?.[0].some((each) => each === other) ?? false);
