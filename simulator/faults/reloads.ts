/** Faults of reloads that leave lists behind, although the profile promises that one reload changes all (section 8). */
import type { Group, OperationName } from '../../src/contract/index.ts';
import { answerBefore, type Context, isFiltered } from './hooks.ts';
import type { Fault, Hooks } from './types.ts';

/** Some responses of an operation, or those of a condition, come from the week before. */
const weekBehind = (name: OperationName, isBehind: (context: Context) => boolean = () => true): Hooks => ({
  answer: (answer, context) =>
    context.operation.name === name && isBehind(context) ? answerBefore(1, context) : answer,
});

/** A list that is a week behind, in the dialects that date it. */
const behind = (
  name: string,
  group: Group,
  what: string,
  hooks: Hooks,
  dialects: Fault['dialects'] = ['reference', 'hypermedia', 'xml', 'soap', 'statistics', 'tabular'],
): Fault => ({
  name: `${name}-a-week-behind-the-others`,
  statement: 'operation.served',
  group,
  says: `${what} a data week behind the other lists, although the profile promises one reload for all.`,
  dialects,
  hooks,
});

export const RELOAD_FAULTS: readonly Fault[] = [
  behind('bulk-list', 'C', 'The bulk list is', weekBehind('allProducts')),
  behind('delta', 'C', 'The deltas are', weekBehind('updateProducts')),
  behind(
    'small-window',
    'C',
    'The 1-week delta is',
    weekBehind('updateProducts', ({ query }) => query.window === 1),
    ['reference', 'xml'],
  ),
  behind(
    'filtered-list',
    'C',
    'Filtered bulk lists are',
    weekBehind('allProducts', ({ query }) => isFiltered(query)),
  ),
  behind('look-up', 'C', 'Look-ups are', weekBehind('products'), ['reference']),
  behind('brand-sales', 'D', 'The sales of brands are', weekBehind('brandPerformance')),
  behind('names', 'D', 'The metadata of sales is', weekBehind('performanceMetadata'), ['reference']),
  behind('groups-of-dimensions', 'B', 'The groups of dimensions are', weekBehind('dimensionGroups'), ['reference']),
];
