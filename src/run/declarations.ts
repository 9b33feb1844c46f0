/** What judges and probes may know of a profile, in neutral form. */
import { type Field, type Input, type OperationKey, operationOf } from '../contract/index.ts';
import { isFilled } from '../profile/filled-openings.ts';
import type { Profile } from '../profile/schema.ts';
import { statusesOf } from '../profile/statuses.ts';
import { mentionedInputs } from '../profile/template.ts';
import type { Declarations } from '../rule/index.ts';

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
/** Inputs a request can do without: filters and paging. */
const OPTIONAL: readonly Input[] = [
  'category',
  'categoryId',
  'subCategory',
  'manufacturer',
  'brand',
  'page',
  'offset',
  'cursor',
  'pageSize',
  'window',
  'jobId',
];
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
