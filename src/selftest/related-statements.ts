/** Which statements a fault may show up in besides the one it breaks: the same deviation, seen from another side. */
import type { ObservableStatementId } from '../contract/index.ts';

interface Relation {
  readonly broken: ObservableStatementId;
  readonly shows: readonly ObservableStatementId[];
  readonly because: string;
}

const UNSERVED = 'what is served elsewhere only is not served where it is documented, and no content is found there';

export const RELATED_STATEMENTS: readonly Relation[] = [
  {
    broken: 'version.segment',
    shows: ['operation.served', 'C.lookup'],
    because: UNSERVED,
  },
  { broken: 'version.none', shows: ['operation.served', 'A.content'], because: UNSERVED },
  { broken: 'platform.segment', shows: ['operation.served', 'C.lookup'], because: UNSERVED },
  { broken: 'B.post', shows: ['operation.served'], because: UNSERVED },
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
    broken: 'B.catalogue-id',
    shows: ['B.graph'],
    because: 'what another catalogue lists is not known in this one',
  },
  {
    broken: 'B.graph',
    shows: ['B.metadata'],
    because: 'an operation that knows nothing it is asked about lists nothing',
  },
  {
    broken: 'C.bulk',
    shows: ['C.delta'],
    because: 'a product missing from the bulk list is missed by every list compared with it',
  },
  {
    broken: 'C.upc-12',
    shows: ['C.delta'],
    because: 'a product under a spoilt UPC is another product in every comparison',
  },
  {
    broken: 'C.delta-windows',
    shows: ['C.delta'],
    because: 'a window that is another one lacks changes which the larger ones date within it',
  },
  {
    broken: 'C.delta',
    shows: ['C.lookup'],
    because: 'a product that is none is not found by its UPC',
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
