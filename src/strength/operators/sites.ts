/** The parts of sites that operators have in common. */
import { type OperationKey, operationOf } from '../../contract/index.ts';
import type { Row } from '../../reading/types.ts';
import type { ListChange } from '../changes.ts';
import { identityOf, type List } from '../world.ts';
import type { Consistency, LegalSite, Site } from './types.ts';

/** So many rows of each list are drawn. */
export const PER_LIST = 2;

/** A site whose change shows each time. */
export const site = (
  { operation }: { readonly operation: OperationKey },
  where: string,
  changes: readonly ListChange[],
  consistency: Consistency = 'one list',
): Site => ({ operation, at: where, consistency, rhythm: 'always', changes });

/** The site whose change shows from the second call on. */
export const later = (each: Site): Site => ({ ...each, rhythm: 'from the second call on' });

export const isSite = (each: Site | LegalSite): each is Site => 'changes' in each;

/** The inputs in which two requests of an operation differ. */
export const differingInputs = ({ inputs }: List, other: List): string[] =>
  Object.keys(inputs).filter((name) => inputs[name as 'level'] !== other.inputs[name as 'level']);

/** A list by its inputs. */
export const listName = ({ operation, inputs }: Pick<List, 'operation' | 'inputs'>): string => {
  const selected = Object.entries(inputs).map(([name, value]) => `${name} ${String(value)}`);
  return selected.length > 0
    ? `${operationOf(operation).name} with ${selected.join(', ')}`
    : operationOf(operation).name;
};

/** A row of a list in words. */
export const at = (list: List, row: Row): string => `${listName(list)}: row ${identityOf(list, row) ?? ''}`;
