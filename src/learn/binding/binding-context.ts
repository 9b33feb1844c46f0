/** What is known beforehand where the places of an operation are compared with its fields. */
import type { Field, OperationKey } from '../../contract/index.ts';
import type { LearnedTable, RowList } from './places.ts';
import type { Common } from './structure.ts';

/** What is known of the values of fields: the different values that other operations have. */
export type KnownValues = ReadonlyMap<Field, ReadonlySet<string>>;

export interface BindingContext extends Partial<Common> {
  readonly operation: OperationKey;
  readonly known: KnownValues;
  /** The selector that a description suggests for a field. */
  readonly suggested?: ReadonlyMap<Field, string>;
  /** The list that the start states as the rows. */
  readonly stated?: RowList | undefined;
  /** The fields that names have in other operations: a service uses one name for one thing. */
  readonly meanings: ReadonlyMap<string, Field>;
  /** What the request of each node asked for: the UPC of a look-up, the id of a job, the item above those of a list. */
  readonly asked?: readonly (string | undefined)[] | undefined;
  /** The name of the list whose rows are compared. */
  readonly listName?: string | undefined;
  /** The names by which a refused status request says what it lacks. */
  readonly jobIdNames?: ReadonlySet<string>;
  /** The values in the answers to the starts of other jobs. */
  readonly ofOtherJobs?: ReadonlySet<string>;
  readonly tables?: readonly LearnedTable[];
  /** The window that the request of each node asked for. */
  readonly weeks?: readonly (number | undefined)[] | undefined;
}

/** What speaks for a place, or against it. */
export interface FieldEvidence {
  readonly bits: number;
  readonly reason?: string;
}
