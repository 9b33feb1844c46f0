/** Faults of reloads that leave lists behind, although the profile promises that one reload changes all (section 8). */
import type { OperationName } from '../../src/contract/index.ts';
import { before, when } from '../deviations/changes.ts';
import { isFiltered, onOperations } from '../deviations/places.ts';
import type { Context } from '../deviations/types.ts';
import { inB, inC, inD } from './fault.ts';

/** The responses of an operation, or those of a condition, come from the week before, in the dialects that date them. */
const behind = (
  fault: typeof inC,
  name: string,
  what: string,
  operation: OperationName,
  dialects: Parameters<typeof inC>[2]['dialects'] = ['reference', 'hypermedia', 'xml', 'soap', 'statistics', 'tabular'],
  isBehind: (context: Context) => boolean = () => true,
) =>
  fault(`${name}-a-week-behind-the-others`, 'operation.served', {
    says: `${what} a data week behind the other lists, although the profile promises one reload for all.`,
    dialects,
    hooks: onOperations([operation], when(isBehind, before(1))),
  });

export const RELOAD_FAULTS = [
  behind(inC, 'bulk-list', 'The bulk list is', 'allProducts'),
  behind(inC, 'delta', 'The deltas are', 'updateProducts'),
  behind(
    inC,
    'small-window',
    'The 1-week delta is',
    'updateProducts',
    ['reference', 'xml'],
    ({ query }) => query.window === 1,
  ),
  behind(inC, 'filtered-list', 'Filtered bulk lists are', 'allProducts', undefined, isFiltered),
  behind(inC, 'look-up', 'Look-ups are', 'products', ['reference']),
  behind(inD, 'brand-sales', 'The sales of brands are', 'brandPerformance'),
  behind(inD, 'names', 'The metadata of sales is', 'performanceMetadata', ['reference']),
  behind(inB, 'groups-of-dimensions', 'The groups of dimensions are', 'dimensionGroups', ['reference']),
];
