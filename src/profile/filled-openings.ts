/** Which openings a profile fills. The only place that decides whether what a rule `needs` is declared. */
import {
  type GENERAL_OPENINGS,
  isOperationKey,
  type JobKind,
  OPERATIONS,
  type Opening,
  type OpeningId,
  type OperationKey,
  openingById,
  operationOf,
} from '../contract/index.ts';
import { allExamplesOf } from './example-values.ts';
import type { Profile } from './schema.ts';
import { mentionedInputs } from './template.ts';

type General = keyof typeof GENERAL_OPENINGS;
const CATALOGUES = 'POST /data-access/v1/Catalogues';

/** Whether two catalogues can be requested: by examples, or by the list of the catalogues. */
function hasCatalogueIds(data: Profile['data']): boolean {
  const examples = allExamplesOf(data, 'catalogueId').length;
  if (examples > 1) return true;
  const { request, response } = data.operations?.[CATALOGUES] ?? {};
  if (!request || !response?.rows || !response.fields?.id) return false;
  return examples > 0 || !mentionedInputs(request).has('catalogueId');
}

/** Whether a fact is stated; `false` denies it. */
const isStated = (fact: unknown): boolean => fact !== undefined && fact !== false;

/** What a profile says at the key that fills an opening, e.g. `figures.sums`. */
const statedAt = (data: Profile['data'], fill: string): unknown =>
  fill.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], data);

/** Openings of the interface that are filled by more than one key, or by what a key holds. */
const FILLED: { readonly [G in General]?: (data: Profile['data']) => boolean } = {
  auth: (data) => data.auth !== undefined || data.authFor !== undefined,
  upcExamples: (data) => (data.examples?.upc?.length ?? 0) > 0,
  catalogueIdExamples: hasCatalogueIds,
  measureExamples: (data) => allExamplesOf(data, 'measure').length > 0,
  codes: (data) => Object.keys(data.codes ?? {}).length > 0,
};

/** Whether the profile fills the opening, e.g. `isFilled(profile, 'allProducts.fields.upc')`. */
export function isFilled(profile: Profile, id: OpeningId): boolean {
  const opening: Opening = openingById(id);
  const [, kind] = /^job\.(\w+)$/.exec(id) ?? [];
  if (kind !== undefined) {
    const job = profile.data.jobs?.[kind as JobKind];
    return job?.start !== undefined || job?.example !== undefined;
  }
  if (!opening.operation || !opening.part)
    return FILLED[id as General]?.(profile.data) ?? isStated(statedAt(profile.data, opening.fill));
  const declared = profile.data.operations?.[opening.operation];
  switch (opening.part.kind) {
    case 'request':
      return declared?.request !== undefined;
    case 'rows':
      return declared?.response?.rows !== undefined;
    case 'counts':
      return (declared?.response?.counts ?? []).some(({ of }) => !isOperationKey(of));
    case 'rowCounts': {
      const { of: counted } = opening.part;
      return (declared?.response?.counts ?? []).some(({ of }) => of === counted);
    }
    case 'echoes':
      return Object.keys(declared?.response?.echoes ?? {}).length > 0;
    case 'field':
      // A refresh date of declared meaning fills the opening as well.
      if (opening.part.field === 'asOf' && profile.data.dataWeek?.refreshDateIs !== undefined) return true;
      return declared?.response?.fields?.[opening.part.field] !== undefined;
    case 'required':
      return declared?.response?.fields?.[opening.part.field]?.required === true;
    case 'input': {
      if (!declared?.request) return false;
      const { input } = opening.part;
      if (operationOf(opening.operation).path.includes(`{${input}}`)) return true;
      // A delta that returns all windows in one response needs no parameter: each window has its own selector.
      if (input === 'window' && typeof declared.response?.rows === 'object') return true;
      return mentionedInputs(declared.request).has(input);
    }
  }
}

/** Whether the implementation claims the operation; a profile without `implements` claims all 41. */
export function isImplemented(profile: Profile, key: OperationKey): boolean {
  const claimed = profile.data.implements;
  return claimed === undefined || claimed.includes(key) || claimed.includes(operationOf(key).group);
}

/** The operations whose responses a reload changes at once, as the profile promises, and that contain an as-of date. */
export function operationsOfOneReload(profile: Profile): OperationKey[] {
  const { dataWeek, operations } = profile.data;
  const named = dataWeek?.oneReload || [];
  return OPERATIONS.filter(
    ({ key, group }) =>
      (named === true || named.includes(key) || named.includes(group)) &&
      isImplemented(profile, key) &&
      operations?.[key]?.response?.fields?.asOf !== undefined,
  ).map(({ key }) => key);
}

/** Whether the profile says that the service has no such part, or does not promise the fact. */
export function isAbsent(profile: Profile, id: OpeningId): boolean {
  const { data } = profile;
  const { operation, part, fill, optional }: Opening = openingById(id);
  if (id === 'codes') return data.codes !== undefined && Object.keys(data.codes).length === 0;
  if (!operation) return optional === true && statedAt(data, fill) === false;
  const declared = data.operations?.[operation];
  if (part?.kind === 'required') {
    const binding = declared?.response?.fields?.[part.field];
    if (binding?.required === false || binding?.nullable) return true;
  }
  return declared?.none?.includes(id.slice(id.indexOf('.') + 1)) ?? false;
}
