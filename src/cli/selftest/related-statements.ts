/** Which statements a fault may show up in besides the one it breaks: the same deviation, seen from another side. */
import type { ObservableStatementId } from '../../contract/index.ts';

interface Relation {
  readonly broken: ObservableStatementId;
  readonly shows: readonly ObservableStatementId[];
  readonly because: string;
}

const UNSERVED = 'what is served elsewhere only is not served where it is documented, and no content is found there';

export const RELATED_STATEMENTS: readonly Relation[] = [
  {
    broken: 'version.segment',
    shows: ['operation.served', 'B.catalogue-id', 'B.graph', 'C.categories', 'C.bulk', 'C.lookup', 'D.metadata'],
    because: UNSERVED,
  },
  { broken: 'version.none', shows: ['operation.served', 'A.content', 'A.job-status'], because: UNSERVED },
  { broken: 'platform.segment', shows: ['operation.served', 'C.lookup'], because: UNSERVED },
  { broken: 'B.post', shows: ['operation.served', 'B.graph'], because: UNSERVED },
  {
    broken: 'operation.served',
    shows: ['B.graph'],
    because: 'a list below another in the graph of metadata is missing with its operation',
  },
  {
    broken: 'A.content',
    shows: ['operation.served'],
    because: 'an operation that always fails is not soundly served either',
  },
  {
    broken: 'B.metadata',
    shows: ['B.catalogue-id'],
    because: 'items without names are alike in all catalogues',
  },
  {
    broken: 'C.bulk',
    shows: ['C.delta', 'C.lookup', 'C.category-filter'],
    because: 'a product missing from the bulk list is missed by every list compared with it',
  },
  {
    broken: 'C.upc-12',
    shows: ['C.delta', 'C.lookup', 'C.bulk'],
    because: 'a product under a spoilt UPC is another product in every comparison',
  },
  {
    broken: 'C.delta',
    shows: ['C.lookup', 'C.delta-windows'],
    because:
      'a product that is no product of the list is not found by its UPC, and a gap in one window shows against the others',
  },
  {
    broken: 'C.lookup',
    shows: ['C.product-category'],
    because: 'another product has another category',
  },
  {
    broken: 'D.windows',
    shows: ['D.five-figures'],
    because: 'the percentage change is computed from a figure that now stands elsewhere',
  },
];

/** Whether a fault of one statement may be seen by a rule of the other. */
export const isRelated = (broken: string, shown: string): boolean =>
  broken === shown ||
  RELATED_STATEMENTS.some((each) => each.broken === broken && (each.shows as readonly string[]).includes(shown));
