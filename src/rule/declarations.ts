/** The facts that an implementer declares in a profile, as rules see them. A new fact is a key of the schema and a member here. */
import {
  type Field,
  type Input,
  type JobKind,
  type OpeningId,
  type OperationKey,
  operationOf,
  PAGING_INPUTS,
  SALES_FILTERS,
} from '../contract/index.ts';
import { isFilled } from '../profile/filled-openings.ts';
import type { Profile, Statuses } from '../profile/schema.ts';
import { statusesOf } from '../profile/statuses.ts';
import { type InputValue, mentionedInputs } from '../profile/template.ts';

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
/** Inputs a request can do without: filters and paging. */
const OPTIONAL: readonly Input[] = [...SALES_FILTERS, 'categoryId', ...PAGING_INPUTS, 'window', 'jobId'];
/** 13 digits would be a GTIN; this one is well-formed, has no assigned prefix, and no service is likely to know it. */
const UNKNOWN_UPC = '999999999993';

const refreshDateOf = (declared: 'newest' | { id: string | number | boolean }) =>
  declared === 'newest' ? declared : { id: String(declared.id) };

/** The inputs without which a request is none the profile declares valid, in the order of its template. */
export function requiredInputsOf({ data }: Profile, operation: OperationKey): Input[] {
  const request = data.operations?.[operation]?.request;
  const mentioned = [
    ...(request ? mentionedInputs(request) : []),
    ...(operationOf(operation).path.includes('{upc}') ? (['upc'] as const) : []),
  ];
  return mentioned.filter((input) => input === 'jobId' || !OPTIONAL.includes(input));
}

/** Whether a request is one the profile declares valid, given which inputs it carries. */
export function isRequestComplete(
  profile: Profile,
  operation: OperationKey,
  carries: (input: Input) => boolean,
): boolean {
  if (!profile.data.operations?.[operation]?.request) return false;
  return requiredInputsOf(profile, operation).every(carries);
}

/** The statements of a profile that judges may rest on, already neutral. */
export interface Declarations {
  readonly isFilled: (opening: OpeningId) => boolean;
  /** Safe values the profile knows for an input; empty when it names none. */
  readonly examples: (input: Input) => readonly InputValue[];
  readonly unknownUpc: string;
  /** How the profile lets a job of a kind be had: its starting POST, or a known id. */
  readonly job: (
    kind: JobKind,
  ) => { readonly start?: OperationKey | undefined; readonly example?: InputValue | undefined } | undefined;
  /** Whether answers of this operation differ from catalogue to catalogue. */
  readonly distinguishesCatalogues: (operation: OperationKey) => boolean;
  /** Whether the profile says that what one operation of group B lists, the one below it knows. */
  readonly catalogueConnected: boolean;
  readonly markets: { readonly products?: readonly string[]; readonly performance?: readonly string[] };
  readonly required: (operation: OperationKey, field: Field) => boolean;
  readonly validRequest: (operation: OperationKey) => boolean;
  /** Whether the profile states schemas for bodies of the operation. */
  readonly statesSchemas: (operation: OperationKey) => boolean;
  /** What statuses mean at the operation, as far as the profile states it. */
  readonly statuses: (operation: OperationKey) => Statuses;
  /** Whether the profile says the operation needs no credentials; it is then sent none. */
  readonly anonymous: (operation: OperationKey) => boolean;
  /** Whether the profile reads anything in the body of the answer. */
  readonly readsBody: (operation: OperationKey) => boolean;
  /** Whether rows are told apart by more than their neutral names: their `grain` is then part of their identity. */
  readonly hasGrain: (operation: OperationKey) => boolean;
  readonly nullable: (operation: OperationKey, field: Field) => boolean;
  readonly converter: (operation: OperationKey, field: Field) => string | undefined;
  readonly selector: (operation: OperationKey, field: Field) => string | undefined;
  readonly dataWeek?: {
    /** The weekday on which a data week ends, Sunday is 0. */
    readonly endsOn: number;
    readonly activeOn: 'day' | 'weekEnding' | 'weekStarting';
    readonly changedOn: 'day' | 'weekEnding' | 'weekStarting';
    readonly firstDay?: 'included' | 'excluded';
    /** Which refresh date of group B is the as-of of answers that hold none. */
    readonly refreshDate?: 'newest' | { readonly id: string };
  };
  readonly percentChange?: { readonly of: Field; readonly decimals: number };
  readonly upcAdmits: readonly string[];
}

/** Derives the declarations of a profile. */
export function declarationsOf(profile: Profile): Declarations {
  const { data } = profile;
  const binding = (operation: OperationKey, field: Field) => data.operations?.[operation]?.response?.fields?.[field];
  const examples = (input: Input) => data.examples?.[input] ?? [];
  return {
    isFilled: (opening) => isFilled(profile, opening),
    examples,
    unknownUpc: data.unknownUpc ?? UNKNOWN_UPC,
    job: (kind) => data.jobs?.[kind],
    distinguishesCatalogues: (operation) => data.catalogue?.distinguishing?.includes(operation) ?? false,
    catalogueConnected: data.catalogue?.connected ?? false,
    markets: data.markets ?? {},
    required: (operation, field) => binding(operation, field)?.required ?? false,
    // A job id is minted in the run; without an example the request cannot be known to be valid.
    validRequest: (operation) => isRequestComplete(profile, operation, (input) => examples(input).length > 0),
    statesSchemas: (operation) => profile.bodySchemas?.has(operation) ?? false,
    statuses: (operation) => statusesOf(data, operation),
    anonymous: (operation) => data.authExcept?.includes(operation) ?? false,
    readsBody(operation) {
      const response = data.operations?.[operation]?.response;
      return response?.rows !== undefined || Object.keys(response?.fields ?? {}).length > 0;
    },
    hasGrain: (operation) => binding(operation, 'grain') !== undefined,
    nullable: (operation, field) => binding(operation, field)?.nullable ?? false,
    converter: (operation, field) => binding(operation, field)?.as,
    selector(operation, field) {
      const at = binding(operation, field)?.at;
      return typeof at === 'function' ? 'a function' : at;
    },
    ...(data.dataWeek && {
      dataWeek: {
        endsOn: WEEKDAYS.indexOf(data.dataWeek.endsOn),
        activeOn: data.dataWeek.activeOn,
        changedOn: data.dataWeek.changedOn,
        ...(data.dataWeek.refreshDate && { refreshDate: refreshDateOf(data.dataWeek.refreshDate) }),
        ...(data.dataWeek.firstDay && { firstDay: data.dataWeek.firstDay }),
      },
    }),
    ...(data.figures?.percentChange && { percentChange: data.figures.percentChange }),
    upcAdmits: data.upc?.admits ?? [],
  };
}
