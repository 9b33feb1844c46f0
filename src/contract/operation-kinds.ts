/** What requests and responses may contain, for each kind of operation. */
import { type Field, type Input, SALES_FIGURES, SALES_FILTERS, type SalesFilter } from './fields.ts';

/** A list may state how many rows it has. The values of one item may occur once per response: its rows, if any, are that item. */
export const OPERATION_KINDS = {
  acknowledgement: { isList: false, isOneItem: false },
  jobStart: { isList: false, isOneItem: true },
  jobStatus: { isList: false, isOneItem: true },
  item: { isList: false, isOneItem: true },
  list: { isList: true, isOneItem: false },
  names: { isList: true, isOneItem: true },
  performance: { isList: true, isOneItem: false },
} as const;
export type OperationKind = keyof typeof OPERATION_KINDS;

/** The inputs that requests of an operation may need and the fields that its responses may contain. */
export interface OperationParts {
  readonly kind: OperationKind;
  readonly inputs: readonly Input[];
  readonly fields: readonly Field[];
  /** Facts that a profile may add: while one is open, the rules that need it do not apply. */
  readonly optional?: readonly Field[];
  /** Fields that every row contains, whether or not the profile says so; a profile cannot declare them absent. */
  readonly demanded?: readonly Field[];
  /** Fields that a rule of its own demands in every row where the profile marks them `required`. */
  readonly demandedIfRequired?: readonly Field[];
  /** Fields that a rule of its own demands where the profile binds them. */
  readonly demandedIfBound?: readonly Field[];
  /** Of a performance operation: the filter that names what its rows are about. */
  readonly ownFilter?: SalesFilter;
}

/** Parts whose inputs and fields are typed by what any operation has, so that the ids of openings are. */
type Shared<K extends OperationKind> = OperationParts & { readonly kind: K };

export const ACKNOWLEDGEMENT: Shared<'acknowledgement'> = { kind: 'acknowledgement', inputs: [], fields: [] };
export const JOB_START: Shared<'jobStart'> = {
  kind: 'jobStart',
  inputs: [],
  fields: ['jobId'],
  demandedIfBound: ['jobId'],
};
export const JOB_STATE: Shared<'jobStatus'> = {
  kind: 'jobStatus',
  inputs: ['jobId'],
  fields: ['jobId', 'state'],
  demandedIfBound: ['state'],
};

/** The items that an operation of group B lists for a catalogue and what is named below it. */
export const metadata = (...inputs: Input[]): Omit<Shared<'list'>, 'demandedIfRequired'> => ({
  kind: 'list',
  inputs: ['catalogueId', ...inputs],
  fields: ['id', 'name', 'parent', 'asOf'],
  optional: ['parent', 'asOf'],
  demandedIfBound: ['id', 'name'],
});

/** Metadata whose items may form a tree. */
export const tree = (...inputs: Input[]): ReturnType<typeof metadata> => ({
  ...metadata(...inputs),
  fields: ['id', 'name', 'parent', 'parentItem', 'asOf'],
  optional: ['parent', 'parentItem', 'asOf'],
});

/** The five figures of section 4.4, by names and in a market. */
export const performance = <const R extends readonly Field[]>(ownFilter: SalesFilter, demandedIfRequired: R) => ({
  ...({
    kind: 'performance',
    inputs: SALES_FILTERS,
    fields: [...SALES_FILTERS, 'market', ...SALES_FIGURES, 'asOf'],
    demanded: SALES_FIGURES,
    ownFilter,
  } satisfies OperationParts as Shared<'performance'>),
  demandedIfRequired,
});
