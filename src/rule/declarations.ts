/** The facts that a profile declares, as rules use them. A new fact needs a key of the schema and a member here. */
import {
  ALL_PRODUCTS,
  DEFAULT_SAMPLING,
  type DeltaDate,
  echoedInputs,
  type Field,
  type Input,
  type JobKind,
  type OpeningId,
  type OperationKey,
  operationOf,
  PAGING_INPUTS,
  type ParentItemPlace,
  type ProductName,
  SALES_FILTERS,
  type Sampling,
} from '../contract/index.ts';
import type { Variant } from '../exchange/request.ts';
import { canBeInvalid, hasCredentials, isPromised, withOtherCredentials } from '../profile/auth-promises.ts';
import { type ExampleUse, exampleValuesIn, exampleValuesOf } from '../profile/example-values.ts';
import { isFilled, isImplemented, operationsOfOneReload } from '../profile/filled-openings.ts';
import { startsIn } from '../profile/job-starts.ts';
import type { JobProfile } from '../profile/schema/jobs.ts';
import type { CountBinding, Profile, ProfileData, RequestTemplate, Statuses } from '../profile/schema.ts';
import { statusesOf } from '../profile/statuses.ts';
import { type InputValue, isOmittable, isSentAlone, mentionedInputs, withoutMembers } from '../profile/template.ts';
import { DRAWS, type DrawName, THOROUGH_BOUND } from './depth.ts';

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
/** Inputs that a valid request may omit: filters and paging. */
const OPTIONAL: readonly Input[] = [...SALES_FILTERS, 'categoryId', ...PAGING_INPUTS, 'window', 'jobId'];
/** A well-formed UPC without an assigned prefix, which a service hardly knows. */
const UNKNOWN_UPC = '999999999993';
const DEFAULT_POLL_SECONDS = 5;

const refreshDateOf = (declared: 'newest' | { id: string | number | boolean }) =>
  declared === 'newest' ? declared : { id: String(declared.id) };

function jobDeclarations({ start, example, unknown, states, final, ...more }: JobProfile) {
  const { patienceSeconds, keepsFinal, pollSeconds } = more;
  return {
    starts: startsIn(start),
    example,
    unknown,
    states: (states || undefined)?.map(String),
    final: (final || undefined)?.map(String),
    patienceMs: patienceSeconds && patienceSeconds * 1000,
    keepsFinal,
    pollMs: (pollSeconds ?? DEFAULT_POLL_SECONDS) * 1000,
  };
}

const refreshDelayOf = (declared: 'lastDay' | { reloadDay: number }) =>
  declared === 'lastDay' ? 0 : declared.reloadDay;

/** A single value holds for both lists. */
const firstDaysOf = (declared: NonNullable<ProfileData['dataWeek']>['firstDay'] = {}) =>
  typeof declared === 'string' ? { allProducts: declared, updateProducts: declared } : declared;

/** The inputs that a valid request of the profile needs, in the order of its template. */
export function requiredInputsOf({ data }: Profile, operation: OperationKey): Input[] {
  const request = data.operations?.[operation]?.request;
  const mentioned = [
    ...(request ? mentionedInputs(request) : []),
    ...(operationOf(operation).path.includes('{upc}') ? (['upc'] as const) : []),
  ];
  return mentioned.filter((input) => input === 'jobId' || !OPTIONAL.includes(input));
}

/** Whether the profile declares a request with these inputs valid. */
export function isRequestComplete(
  profile: Profile,
  operation: OperationKey,
  hasInput: (input: Input) => boolean,
): boolean {
  if (!profile.data.operations?.[operation]?.request) return false;
  return requiredInputsOf(profile, operation).every(hasInput);
}

/** A request that starts a job: that of its operation unless it has its own. */
export interface JobStart {
  readonly operation: OperationKey;
  readonly request?: RequestTemplate | undefined;
}

/** The statements of a profile about the jobs of a kind. */
export interface JobDeclarations {
  /** The requests that start such a job; empty if the profile has an example only. */
  readonly starts: readonly JobStart[];
  /** The id of an existing job. */
  readonly example?: InputValue | undefined;
  /** A well-formed id that no job of this kind has. */
  readonly unknown?: InputValue | undefined;
  /** The states that such a job can have, as the service writes them. */
  readonly states?: readonly string[] | undefined;
  /** The states that never change again. */
  readonly final?: readonly string[] | undefined;
  /** The time in which a started job reaches a final state, in ms. */
  readonly patienceMs?: number | undefined;
  /** Whether a job that has ended stays known and final; undefined: not stated. */
  readonly keepsFinal?: boolean | undefined;
  /** The pause between two requests of a status, in ms. */
  readonly pollMs: number;
}

/** The lists whose windows of weeks a profile may bound. */
type WindowedList = 'allProducts' | 'updateProducts';

/** The statements of a profile for rules, in neutral form. */
export interface Declarations extends Sampling {
  /** The number of subjects of a draw at the depth of the run; 0: the rule is then untested. */
  readonly draw: (name: DrawName) => number;
  /** The most requests of one step for subjects of a list, also where it adds up several draws. */
  readonly maxSubjects: number;
  readonly isFilled: (opening: OpeningId) => boolean;
  /** The example values of an input, for an operation and a catalogue; empty if the profile has none. */
  readonly examples: (input: Input, use?: ExampleUse) => readonly InputValue[];
  /** The example values of an input that the profile states to exist in a catalogue. */
  readonly examplesIn: (
    input: Input,
    operation: OperationKey,
    catalogueId: InputValue | undefined,
  ) => readonly InputValue[];
  /** A value of an input that does not exist in the service, for requests of an operation. */
  readonly unknownExample: (input: Input, operation: OperationKey) => InputValue | undefined;
  readonly unknownUpc: string;
  /** What the profile states about jobs of a kind. */
  readonly job: (kind: JobKind) => JobDeclarations;
  /** Whether the responses of an operation differ between catalogues. */
  readonly distinguishesCatalogues: (operation: OperationKey) => boolean;
  /** The inputs for which the profile states that no two values get equal responses of an operation. */
  readonly distinguishedInputs: (operation: OperationKey) => readonly Input[];
  /** Whether the profile states that an operation of group B returns rows for each item that the one above it lists. */
  readonly neverEmpty: (operation: OperationKey) => boolean;
  /** Where the item is that an item of a list of group B names as the one above it; undefined if not stated. */
  readonly parentItems: (operation: OperationKey) => ParentItemPlace | undefined;
  /** Whether the profile states that a list of group B contains each item once. */
  readonly itemsOnce: (operation: OperationKey) => boolean;
  /** Whether the profile states that an operation of group B accepts the items that the one above it lists. */
  readonly catalogueConnected: boolean;
  readonly markets: { readonly products?: readonly string[]; readonly performance?: readonly string[] };
  /** Whether the profile claims that the service implements the operation. */
  readonly claims: (operation: OperationKey) => boolean;
  readonly required: (operation: OperationKey, field: Field) => boolean;
  /** Whether a request with this filter and no other one contains it. */
  readonly canFilterAlone: (operation: OperationKey, input: Input) => boolean;
  readonly validRequest: (operation: OperationKey) => boolean;
  /** Whether the profile states schemas for bodies of the operation. */
  readonly statesSchemas: (operation: OperationKey) => boolean;
  /** The meanings of statuses of the operation that the profile states. */
  readonly statuses: (operation: OperationKey) => Statuses;
  /** The statuses of an unknown value that the profile states for the operation itself, not for all operations. */
  readonly ownUnknown: (operation: OperationKey) => readonly number[] | undefined;
  /** The statuses of a malformed value that the profile states for the operation itself. */
  readonly ownMalformed: (operation: OperationKey) => readonly number[] | undefined;
  /** The statuses of a request without its ids or window that the profile states for the operation itself. */
  readonly ownMissing: (operation: OperationKey) => readonly number[] | undefined;
  /** Whether the request lacks the part with an input where this has no value; undefined if it does not mention the input. */
  readonly canOmit: (operation: OperationKey, input: Input) => boolean | undefined;
  /** The request with an empty body in place of its members; undefined if it has no members that can be left out. */
  readonly withoutMembers: (operation: OperationKey) => RequestTemplate | undefined;
  /** Whether the profile states that the operation needs no credentials; they are then not sent. */
  readonly anonymous: (operation: OperationKey) => boolean;
  /** Whether the profile promises that its credentials cover the operation. */
  readonly credentialsCover: (operation: OperationKey) => boolean;
  /**
   * The credentials that the profile promises that the operation refuses: none, invented ones, those of `authFor.limited`, or
   * those of another group. `unknown`: a run cannot send such ones; undefined: the profile promises nothing.
   */
  readonly refusedCredentials: (
    operation: OperationKey,
    promise: 'authRequired' | 'authVerified' | 'authLimited' | 'authSeparate',
  ) => NonNullable<Variant['credentials']> | 'unknown' | undefined;
  /** Whether the profile reads rows or fields of the response. */
  readonly readsBody: (operation: OperationKey) => boolean;
  /** Whether the profile reads a `grain`, which is then part of the identity of a row. */
  readonly hasGrain: (operation: OperationKey) => boolean;
  /** What each count that the responses of the operation state counts, in the order of the profile. */
  readonly counts: (operation: OperationKey) => readonly CountBinding['of'][];
  /** Whether requests contain the size of a page, of a list that the profile reads page by page. */
  readonly selectsPageSize: (operation: OperationKey) => boolean;
  /** Whether requests select pages of the operation by number or offset, so that each page has a place in the list. */
  readonly pagesByNumber: (operation: OperationKey) => boolean;
  /** The fields of the operation that are codes. */
  readonly codes: (operation: OperationKey) => readonly Field[];
  /** The inputs of the operation that the request contains as codes. */
  readonly codedInputs: (operation: OperationKey) => readonly Input[];
  /** The inputs that the request contains and the response repeats. */
  readonly echoes: (operation: OperationKey) => readonly Input[];
  /** How the request or the response may write a value of an input that the response repeats. */
  readonly echoSpellings: (operation: OperationKey, input: Input, value: InputValue) => readonly string[];
  /** How a request writes the value of an input: as it is, unless `request.spellings` contains it. */
  readonly requestSpelling: (operation: OperationKey, input: Input, value: InputValue) => string;
  readonly nullable: (operation: OperationKey, field: Field) => boolean;
  readonly converter: (operation: OperationKey, field: Field) => string | undefined;
  readonly selector: (operation: OperationKey, field: Field) => string | undefined;
  readonly dataWeek?: {
    /** The weekday on which a data week ends, Sunday is 0. */
    readonly endsOn: number;
    readonly activeOn: 'day' | 'weekEnding' | 'weekStarting';
    readonly changedOn: 'day' | 'weekEnding' | 'weekStarting';
    readonly firstActiveOn: 'day' | 'weekEnding' | 'weekStarting';
    /** Whether the day exactly N weeks before the as-of date is inside the window of a list; absent: not stated. */
    readonly firstDay: { readonly [L in WindowedList]?: 'included' | 'excluded' | undefined };
    /** The refresh date of group B that is the as-of date of responses without one. */
    readonly refreshDate?: 'newest' | { readonly id: string };
    /** Days from the last day of a data week to its refresh date; absent: the date is only a marker. */
    readonly refreshDelay?: number;
  };
  /** The operations whose responses a reload changes at once, and that contain an as-of date. */
  readonly oneReload: readonly OperationKey[];
  readonly delta: {
    /** The dates of a product that decide whether a delta lists it; empty if the profile states none. */
    readonly dates: readonly DeltaDate[];
    /** The fields of which a row of a delta shows the latest value. */
    readonly latestValues: readonly Field[];
    /** The date by which a delta calls a product new. */
    readonly newBy?: 'firstActiveOn';
    /** The texts of each kind of change; absent if the profile names none. */
    readonly kinds?: { readonly [K in 'new' | 'changed' | 'removed']: readonly string[] };
    /** Whether the profile states that no row shows a removal. */
    readonly statesNoRemovals: boolean;
    /** Whether the profile states the texts of all three kinds: a kind without texts does not occur. */
    readonly statesAllKinds: boolean;
  };
  /** How the dollar sales of a category row relate to the sums of its brand rows. */
  readonly sums?: 'equal' | 'atLeast';
  readonly percentChange?: { readonly of: Field; readonly decimals: number };
  readonly upcAdmits: readonly string[];
  /** The names of products that the profile promises to be listed by other operations. */
  readonly listedNames: readonly ProductName[];
  /** The dates of a product that the profile promises never to be before its first activity. */
  readonly firstActiveBefore: readonly ('activeOn' | 'changedOn')[];
}

/** Derives the declarations of a profile for a run of a depth. */
export function declarationsOf(profile: Profile, { depth, seed }: Sampling = DEFAULT_SAMPLING): Declarations {
  const { data } = profile;
  const filled = new Map<OpeningId, boolean>();
  const valid = new Map<OperationKey, boolean>();
  const binding = (operation: OperationKey, field: Field) => data.operations?.[operation]?.response?.fields?.[field];
  const examples = (input: Input, use?: ExampleUse) => exampleValuesOf(data, input, use);
  const use = (operation: OperationKey): ExampleUse => ({
    operation,
    catalogueId: examples('catalogueId', { operation })[0],
  });
  const maxSubjects = data.limits?.maxSubjects ?? THOROUGH_BOUND;
  return {
    depth,
    seed,
    draw: (name) => Math.min(DRAWS[name][depth], maxSubjects),
    maxSubjects,
    isFilled(opening) {
      const known = filled.get(opening) ?? isFilled(profile, opening);
      filled.set(opening, known);
      return known;
    },
    examples,
    examplesIn: (input, operation, catalogueId) => exampleValuesIn(data, input, operation, catalogueId),
    unknownExample: (input, operation) =>
      data.operations?.[operation]?.examples?.unknown?.[input] ?? data.examples?.unknown?.[input],
    unknownUpc: data.unknownUpc ?? UNKNOWN_UPC,
    job: (kind) => jobDeclarations(data.jobs?.[kind] ?? {}),
    distinguishesCatalogues: (operation) => data.catalogue?.distinguishing?.includes(operation) ?? false,
    distinguishedInputs: (operation) =>
      (Object.entries(data.catalogue?.distinguishes ?? {}) as [Input, readonly OperationKey[]][])
        .filter(([, operations]) => operations.includes(operation))
        .map(([input]) => input),
    neverEmpty: (operation) => data.catalogue?.neverEmpty?.includes(operation) ?? false,
    parentItems(operation) {
      const places = data.catalogue?.parentItems;
      return places ? places[operation] : undefined;
    },
    itemsOnce: (operation) => (data.catalogue?.itemsOnce || []).includes(operation),
    catalogueConnected: data.catalogue?.connected ?? false,
    markets: data.markets ?? {},
    required: (operation, field) => binding(operation, field)?.required ?? false,
    canFilterAlone(operation, input) {
      const request = data.operations?.[operation]?.request;
      return request !== undefined && isSentAlone(request, input);
    },
    // The server generates job ids during the run; without an example the request cannot be known to be valid.
    validRequest(operation) {
      const known =
        valid.get(operation) ??
        isRequestComplete(profile, operation, (input) => examples(input, use(operation)).length > 0);
      valid.set(operation, known);
      return known;
    },
    claims: (operation) => isImplemented(profile, operation),
    statesSchemas: (operation) => profile.bodySchemas?.has(operation) ?? false,
    statuses: (operation) => statusesOf(data, operation),
    ownUnknown: (operation) => data.operations?.[operation]?.statuses?.unknown,
    ownMalformed: (operation) => data.operations?.[operation]?.statuses?.malformed,
    ownMissing: (operation) => data.operations?.[operation]?.statuses?.missing,
    canOmit(operation, input) {
      const request = data.operations?.[operation]?.request;
      return request && isOmittable(request, input);
    },
    withoutMembers(operation) {
      const request = data.operations?.[operation]?.request;
      return request && withoutMembers(request);
    },
    anonymous: (operation) => data.authExcept?.includes(operation) ?? false,
    credentialsCover: (operation) => isPromised(data, 'authCovers', operation),
    refusedCredentials(operation, promise) {
      if (!isPromised(data, promise, operation)) return undefined;
      if (promise === 'authSeparate') return withOtherCredentials(data, operation) ?? 'unknown';
      if (promise === 'authLimited') return data.authFor?.limited === undefined ? 'unknown' : 'limited';
      if (promise === 'authVerified') return canBeInvalid(data, operation) ? 'invalid' : 'unknown';
      return hasCredentials(data, operation) ? 'none' : 'unknown';
    },
    readsBody(operation) {
      const response = data.operations?.[operation]?.response;
      return response?.rows !== undefined || Object.keys(response?.fields ?? {}).length > 0;
    },
    hasGrain: (operation) => binding(operation, 'grain') !== undefined,
    counts: (operation) => (data.operations?.[operation]?.response?.counts ?? []).map(({ of }) => of),
    selectsPageSize(operation) {
      const { request, response } = data.operations?.[operation] ?? {};
      return request !== undefined && response?.paging !== undefined && mentionedInputs(request).has('pageSize');
    },
    pagesByNumber(operation) {
      const style = data.operations?.[operation]?.response?.paging?.style;
      return style === 'page' || style === 'offset';
    },
    codes(operation) {
      const fields = Object.entries(data.operations?.[operation]?.response?.fields ?? {});
      return fields.flatMap(([field, { code }]) => (code === undefined ? [] : [field as Field]));
    },
    codedInputs: (operation) => Object.keys(data.operations?.[operation]?.request?.codes ?? {}) as Input[],
    echoes(operation) {
      const { request, response } = data.operations?.[operation] ?? {};
      const sent = request ? mentionedInputs(request) : new Set();
      return echoedInputs(operation).filter((input) => response?.echoes?.[input] && sent.has(input));
    },
    echoSpellings(operation, input, value) {
      const { request, response } = data.operations?.[operation] ?? {};
      const own = response?.echoes?.[input]?.spellings?.[String(value)];
      const sent = request?.spellings?.[input]?.[String(value)];
      return own !== undefined ? [String(own)] : [value, ...(sent === undefined ? [] : [sent])].map(String);
    },
    requestSpelling: (operation, input, value) =>
      String(data.operations?.[operation]?.request?.spellings?.[input]?.[String(value)] ?? value),
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
        firstActiveOn: data.dataWeek.firstActiveOn ?? 'day',
        ...(data.dataWeek.refreshDate && { refreshDate: refreshDateOf(data.dataWeek.refreshDate) }),
        ...(data.dataWeek.refreshDateIs !== undefined && { refreshDelay: refreshDelayOf(data.dataWeek.refreshDateIs) }),
        firstDay: firstDaysOf(data.dataWeek.firstDay),
      },
    }),
    oneReload: operationsOfOneReload(profile),
    delta: {
      dates: data.delta?.dates || [],
      latestValues: data.delta?.latestValues || [],
      ...(data.delta?.newBy && { newBy: data.delta.newBy }),
      statesNoRemovals: (data.delta?.kinds || undefined)?.removed?.length === 0,
      statesAllKinds: Object.values(data.delta?.kinds || {}).filter((texts) => texts !== undefined).length === 3,
      ...(data.delta?.kinds && { kinds: { new: [], changed: [], removed: [], ...data.delta.kinds } }),
    },
    ...(data.figures?.sums && { sums: data.figures.sums }),
    ...(data.figures?.percentChange && { percentChange: data.figures.percentChange }),
    upcAdmits: data.upc?.admits ?? [],
    firstActiveBefore: data.products?.firstActiveBefore || [],
    listedNames: (data.products?.listed || []).filter((name) => binding(ALL_PRODUCTS, name) !== undefined),
  };
}
