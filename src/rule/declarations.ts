/** The facts that a profile declares, as rules use them. A new fact needs a key of the schema and a member here. */
import {
  ALL_PRODUCTS,
  DEFAULT_SAMPLING,
  echoedInputs,
  type Field,
  type Input,
  type JobKind,
  type OpeningId,
  type OperationKey,
  operationOf,
  PAGING_INPUTS,
  type ParentItemPlace,
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
import { DRAWS, type DrawName, THOROUGH_BOUND } from './draws.ts';

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
/** Inputs that a valid request may omit: filters and paging. */
const OPTIONAL: readonly Input[] = [...SALES_FILTERS, 'categoryId', ...PAGING_INPUTS, 'window', 'jobId'];
/** A well-formed UPC without an assigned prefix, which a service hardly knows. */
const UNKNOWN_UPC = '999999999993';
const DEFAULT_POLL_SECONDS = 5;

const refreshDateOf = (declared: 'newest' | { id: string | number | boolean }) =>
  declared === 'newest' ? declared : { id: String(declared.id) };

/** The statements of a profile about the jobs of a kind. */
function jobDeclarations({ start, example, unknown, states, final, ...more }: JobProfile) {
  const { patienceSeconds, keepsFinal, pollSeconds } = more;
  return {
    /** The requests that start such a job; empty if the profile has an example only. */
    starts: startsIn(start) as readonly JobStart[],
    /** The id of an existing job. */
    example,
    /** A well-formed id that no job of this kind has. */
    unknown,
    /** The states that such a job can have, as the service writes them. */
    states: (states || undefined)?.map(String),
    /** The states that never change again. */
    final: (final || undefined)?.map(String),
    /** The time in which a started job reaches a final state, in ms. */
    patienceMs: patienceSeconds && patienceSeconds * 1000,
    /** Whether a job that has ended stays known and final; undefined: not stated. */
    keepsFinal,
    /** The pause between two requests of a status, in ms. */
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

export type JobDeclarations = ReturnType<typeof jobDeclarations>;

/** The statements of a profile for rules, in neutral form. */
export type Declarations = Readonly<ReturnType<typeof declarationsOf>>;

/** Derives the declarations of a profile for a run of a depth. */
export function declarationsOf(profile: Profile, { depth, seed }: Sampling = DEFAULT_SAMPLING) {
  const { data } = profile;
  const filled = new Map<OpeningId, boolean>();
  const valid = new Map<OperationKey, boolean>();
  const requestOf = (operation: OperationKey) => data.operations?.[operation]?.request;
  const responseOf = (operation: OperationKey) => data.operations?.[operation]?.response;
  const binding = (operation: OperationKey, field: Field) => responseOf(operation)?.fields?.[field];
  const known = <K, V>(values: Map<K, V>, key: K, find: () => V): V => {
    const value = values.get(key) ?? find();
    values.set(key, value);
    return value;
  };
  const isOpeningFilled = (opening: OpeningId): boolean => known(filled, opening, () => isFilled(profile, opening));
  const examples = (input: Input, use?: ExampleUse) => exampleValuesOf(data, input, use);
  const use = (operation: OperationKey): ExampleUse => ({
    operation,
    catalogueId: examples('catalogueId', { operation })[0],
  });
  const maxSubjects = data.limits?.maxSubjects ?? THOROUGH_BOUND;
  return {
    depth,
    seed,
    /** The number of subjects of a draw at the depth of the run; 0: the rule is then untested. */
    draw: (name: DrawName): number => Math.min(DRAWS[name][depth], maxSubjects),
    /** The most requests of one step for subjects of a list, also where it adds up several draws. */
    maxSubjects,
    isFilled: isOpeningFilled,
    /** Whether the profile fills these openings of an operation, such as `fields.upc`. */
    binds: (operation: OperationKey, ...parts: readonly string[]): boolean =>
      parts.every((part) => isOpeningFilled(`${operationOf(operation).name}.${part}` as OpeningId)),
    /** The example values of an input, for an operation and a catalogue; empty if the profile has none. */
    examples,
    /** The example values of an input that the profile states to exist in a catalogue. */
    examplesIn: (input: Input, operation: OperationKey, catalogueId: InputValue | undefined): readonly InputValue[] =>
      exampleValuesIn(data, input, operation, catalogueId),
    /** A value of an input that does not exist in the service, for requests of an operation. */
    unknownExample: (input: Input, operation: OperationKey): InputValue | undefined =>
      data.operations?.[operation]?.examples?.unknown?.[input] ?? data.examples?.unknown?.[input],
    unknownUpc: data.unknownUpc ?? UNKNOWN_UPC,
    /** What the profile states about jobs of a kind. */
    job: (kind: JobKind) => jobDeclarations(data.jobs?.[kind] ?? {}),
    /** Whether the responses of an operation differ between catalogues. */
    distinguishesCatalogues: (operation: OperationKey): boolean =>
      data.catalogue?.distinguishing?.includes(operation) ?? false,
    /** The inputs for which the profile states that no two values get equal responses of an operation. */
    distinguishedInputs: (operation: OperationKey): readonly Input[] =>
      (Object.entries(data.catalogue?.distinguishes ?? {}) as [Input, readonly OperationKey[]][])
        .filter(([, operations]) => operations.includes(operation))
        .map(([input]) => input),
    /** Whether the profile states that an operation of group B returns rows for each item that the one above it lists. */
    neverEmpty: (operation: OperationKey): boolean => data.catalogue?.neverEmpty?.includes(operation) ?? false,
    /** Where the item is that an item of a list of group B names as the one above it; undefined if not stated. */
    parentItems: (operation: OperationKey): ParentItemPlace | undefined =>
      (data.catalogue?.parentItems || undefined)?.[operation],
    /** Whether the profile states that a list of group B contains each item once. */
    itemsOnce: (operation: OperationKey): boolean => (data.catalogue?.itemsOnce || []).includes(operation),
    /** Whether the profile states that an operation of group B accepts the items that the one above it lists. */
    catalogueConnected: data.catalogue?.connected ?? false,
    markets: data.markets ?? {},
    required: (operation: OperationKey, field: Field): boolean => binding(operation, field)?.required ?? false,
    /** Whether a request with this filter and no other one contains it. */
    canFilterAlone(operation: OperationKey, input: Input): boolean {
      const request = requestOf(operation);
      return request !== undefined && isSentAlone(request, input);
    },
    // The server generates job ids during the run; without an example the request cannot be known to be valid.
    validRequest: (operation: OperationKey): boolean =>
      known(valid, operation, () =>
        isRequestComplete(profile, operation, (input) => examples(input, use(operation)).length > 0),
      ),
    /** Whether the profile claims that the service implements the operation. */
    claims: (operation: OperationKey): boolean => isImplemented(profile, operation),
    /** Whether the profile states schemas for bodies of the operation. */
    statesSchemas: (operation: OperationKey): boolean => profile.bodySchemas?.has(operation) ?? false,
    /** The meanings of statuses of the operation that the profile states. */
    statuses: (operation: OperationKey): Statuses => statusesOf(data, operation),
    /** The statuses that the profile states for the operation itself, not for all operations. */
    ownStatuses: (operation: OperationKey): Statuses => data.operations?.[operation]?.statuses ?? {},
    /** Whether the request lacks the part with an input where this has no value; undefined if it does not mention the input. */
    canOmit(operation: OperationKey, input: Input): boolean | undefined {
      const request = requestOf(operation);
      return request && isOmittable(request, input);
    },
    /** The request with an empty body in place of its members; undefined if it has no members that can be left out. */
    withoutMembers(operation: OperationKey): RequestTemplate | undefined {
      const request = requestOf(operation);
      return request && withoutMembers(request);
    },
    /** Whether the profile states that the operation needs no credentials; they are then not sent. */
    anonymous: (operation: OperationKey): boolean => data.authExcept?.includes(operation) ?? false,
    /** Whether the profile promises that its credentials cover the operation. */
    credentialsCover: (operation: OperationKey): boolean => isPromised(data, 'authCovers', operation),
    /**
     * The credentials that the profile promises that the operation refuses: none, invented ones, those of `authFor.limited`, or
     * those of another group. `unknown`: a run cannot send such ones; undefined: the profile promises nothing.
     */
    refusedCredentials(
      operation: OperationKey,
      promise: 'authRequired' | 'authVerified' | 'authLimited' | 'authSeparate',
    ): NonNullable<Variant['credentials']> | 'unknown' | undefined {
      if (!isPromised(data, promise, operation)) return undefined;
      if (promise === 'authSeparate') return withOtherCredentials(data, operation) ?? 'unknown';
      if (promise === 'authLimited') return data.authFor?.limited === undefined ? 'unknown' : 'limited';
      if (promise === 'authVerified') return canBeInvalid(data, operation) ? 'invalid' : 'unknown';
      return hasCredentials(data, operation) ? 'none' : 'unknown';
    },
    /** Whether the profile reads rows or fields of the response. */
    readsBody(operation: OperationKey): boolean {
      const response = responseOf(operation);
      return response?.rows !== undefined || Object.keys(response?.fields ?? {}).length > 0;
    },
    /** Whether the profile reads a `grain`, which is then part of the identity of a row. */
    hasGrain: (operation: OperationKey): boolean => binding(operation, 'grain') !== undefined,
    /** What each count that the responses of the operation state counts, in the order of the profile. */
    counts: (operation: OperationKey): readonly CountBinding['of'][] =>
      (responseOf(operation)?.counts ?? []).map(({ of }) => of),
    /** Whether requests contain the size of a page, of a list that the profile reads page by page. */
    selectsPageSize(operation: OperationKey): boolean {
      const request = requestOf(operation);
      return !!request && responseOf(operation)?.paging !== undefined && mentionedInputs(request).has('pageSize');
    },
    /** Whether requests select pages of the operation by number or offset, so that each page has a place in the list. */
    pagesByNumber: (operation: OperationKey): boolean =>
      ['page', 'offset'].includes(responseOf(operation)?.paging?.style ?? ''),
    /** The fields of the operation that are codes. */
    codes: (operation: OperationKey): readonly Field[] =>
      Object.entries(responseOf(operation)?.fields ?? {}).flatMap(([field, { code }]) =>
        code === undefined ? [] : [field as Field],
      ),
    /** The inputs of the operation that the request contains as codes. */
    codedInputs: (operation: OperationKey): readonly Input[] =>
      Object.keys(requestOf(operation)?.codes ?? {}) as Input[],
    /** The inputs that the request contains and the response repeats. */
    echoes(operation: OperationKey): readonly Input[] {
      const { request, response } = data.operations?.[operation] ?? {};
      const sent = request ? mentionedInputs(request) : new Set();
      return echoedInputs(operation).filter((input) => response?.echoes?.[input] && sent.has(input));
    },
    /** How the request or the response may write a value of an input that the response repeats. */
    echoSpellings(operation: OperationKey, input: Input, value: InputValue): readonly string[] {
      const { request, response } = data.operations?.[operation] ?? {};
      const own = response?.echoes?.[input]?.spellings?.[String(value)];
      const sent = request?.spellings?.[input]?.[String(value)];
      return own !== undefined ? [String(own)] : [value, ...(sent === undefined ? [] : [sent])].map(String);
    },
    /** How a request writes the value of an input: as it is, unless `request.spellings` contains it. */
    requestSpelling: (operation: OperationKey, input: Input, value: InputValue): string =>
      String(requestOf(operation)?.spellings?.[input]?.[String(value)] ?? value),
    nullable: (operation: OperationKey, field: Field): boolean => binding(operation, field)?.nullable ?? false,
    converter: (operation: OperationKey, field: Field): string | undefined => binding(operation, field)?.as,
    selector(operation: OperationKey, field: Field): string | undefined {
      const at = binding(operation, field)?.at;
      return typeof at === 'function' ? 'a function' : at;
    },
    ...(data.dataWeek && {
      dataWeek: {
        /** The weekday on which a data week ends, Sunday is 0. */
        endsOn: WEEKDAYS.indexOf(data.dataWeek.endsOn),
        activeOn: data.dataWeek.activeOn,
        changedOn: data.dataWeek.changedOn,
        firstActiveOn: data.dataWeek.firstActiveOn ?? 'day',
        /** The refresh date of group B that is the as-of date of responses without one. */
        ...(data.dataWeek.refreshDate && { refreshDate: refreshDateOf(data.dataWeek.refreshDate) }),
        /** Days from the last day of a data week to its refresh date; absent: the date is only a marker. */
        ...(data.dataWeek.refreshDateIs !== undefined && { refreshDelay: refreshDelayOf(data.dataWeek.refreshDateIs) }),
        /** Whether the day exactly N weeks before the as-of date is inside the window of a list; absent: not stated. */
        firstDay: firstDaysOf(data.dataWeek.firstDay),
      },
    }),
    /** The operations whose responses a reload changes at once, and that contain an as-of date. */
    oneReload: operationsOfOneReload(profile),
    delta: {
      /** The dates of a product that decide whether a delta lists it; empty if the profile states none. */
      dates: data.delta?.dates || [],
      /** The fields of which a row of a delta shows the latest value. */
      latestValues: data.delta?.latestValues || [],
      /** The date by which a delta calls a product new. */
      ...(data.delta?.newBy && { newBy: data.delta.newBy }),
      /** Whether the profile states that no row shows a removal. */
      statesNoRemovals: (data.delta?.kinds || undefined)?.removed?.length === 0,
      /** Whether the profile states the texts of all three kinds: a kind without texts does not occur. */
      statesAllKinds: Object.values(data.delta?.kinds || {}).filter((texts) => texts !== undefined).length === 3,
      /** The texts of each kind of change; absent if the profile names none. */
      ...(data.delta?.kinds && { kinds: { new: [], changed: [], removed: [], ...data.delta.kinds } }),
    },
    /** How the dollar sales of a category row relate to the sums of its brand rows. */
    ...(data.figures?.sums && { sums: data.figures.sums }),
    ...(data.figures?.percentChange && { percentChange: data.figures.percentChange }),
    upcAdmits: data.upc?.admits ?? [],
    /** The dates of a product that the profile promises never to be before its first activity. */
    firstActiveBefore: data.products?.firstActiveBefore || [],
    /** The names of products that the profile promises to be listed by other operations. */
    listedNames: (data.products?.listed || []).filter((name) => binding(ALL_PRODUCTS, name) !== undefined),
  };
}
