/** Simulates what can be simulated of a profile, and names the rest. */
import { OPERATIONS, type OperationKey } from '../../../src/contract/index.ts';
import type { Profile, ProfileData } from '../../../src/profile/schema.ts';
import { findUnwritable } from './find-unwritable.ts';
import { codecOf, type OperationCodec } from './operation-codec.ts';
import type { Unwritable } from './unwritable.ts';

type OperationProfile = NonNullable<NonNullable<ProfileData['operations']>[OperationKey]>;

export interface SimulatedProfile {
  /** By the key of the operation. */
  readonly codecs: ReadonlyMap<string, OperationCodec>;
  /** Why an operation is not simulated, by its key. */
  readonly notSimulated: ReadonlyMap<string, string>;
  /** What differs from the profile. */
  readonly unwritable: readonly Unwritable[];
}

const without = <T extends object>(object: T | undefined, name: string): T =>
  Object.fromEntries(Object.entries(object ?? {}).filter(([key]) => key !== name)) as T;

/** An operation without the part at a key; undefined if the rest says nothing without this part. */
function withoutPart({ request, response = {}, ...rest }: OperationProfile, key: string): OperationProfile | undefined {
  const [, part = '', name = ''] = /^(\w+(?:\.\w+)?)(?:[.[](\w+))?/.exec(key) ?? [];
  const withResponse = (changed: Partial<NonNullable<OperationProfile['response']>>): OperationProfile => ({
    ...rest,
    ...(request && { request }),
    response: { ...response, ...changed },
  });
  switch (part) {
    case 'response.fields':
      return withResponse({ fields: without(response.fields, name) });
    case 'response.echoes':
      return withResponse({ echoes: without(response.echoes, name) });
    case 'response.counts':
      return withResponse({ counts: response.counts?.filter((_, index) => String(index) !== name) });
    case 'response.paging':
      return withResponse({ paging: undefined });
    case 'request.codes':
      return { ...rest, request: { ...request, codes: without(request?.codes, name) }, response };
    default:
      return undefined;
  }
}

/** Parts that do not prevent the rest: the operation stays as it is. */
const isHarmless = ({ key }: Unwritable): boolean =>
  /^(?:response\.(?:schemas|refusal)|request$|request\.spellings)/.test(key);

/** Rounds of omitting parts: what an omitted part hid may be found in the next one. */
const MAX_ROUNDS = 20;

/**
 * Leaves out what the simulator cannot write, part by part, so that the rest is simulated: a field, a count, or, where its
 * rows cannot be written, an operation.
 */
export function simulatedProfile(profile: Profile): SimulatedProfile {
  const found = new Map<string, Unwritable>();
  const notSimulated = new Map<string, string>();
  let current = profile;
  for (let round = 0; ; round += 1) {
    const codecs = new Map(OPERATIONS.map((each) => [each.key as string, codecOf(current, each)]));
    const unwritable = findUnwritable(current, codecs).filter(({ operation }) => !notSimulated.has(operation ?? ''));
    for (const each of unwritable) found.set(`${each.operation} ${each.key}`, each);
    const omitted = unwritable.filter((each) => each.operation !== undefined && !isHarmless(each));
    if (omitted.length === 0 || round === MAX_ROUNDS) return { codecs, notSimulated, unwritable: [...found.values()] };
    const operations: Record<string, OperationProfile | undefined> = { ...current.data.operations };
    // Counts are named by their index, so the last one is omitted first.
    for (const { operation, key, why } of omitted.toReversed()) {
      const declared = operations[operation as string];
      const changed = declared && withoutPart(declared, key);
      if (changed) operations[operation as string] = changed;
      else {
        notSimulated.set(operation as string, `${key}: ${why}`);
        operations[operation as string] = { ...declared, response: undefined };
      }
    }
    current = { ...current, data: { ...current.data, operations } as ProfileData };
  }
}

/** One sentence for each operation whose simulation differs from the profile, and for each other part. */
export function approximationSentences({
  unwritable,
  notSimulated,
}: Pick<SimulatedProfile, 'unwritable' | 'notSimulated'>): string[] {
  return [...Map.groupBy(unwritable, ({ operation }) => operation)].flatMap(([operation, parts]) => {
    if (operation === undefined) return parts.map(({ key, why }) => `${key} is not simulated: ${why}.`);
    const reason = notSimulated.get(operation);
    if (reason !== undefined) return [`${operation} is not simulated and responds 501: ${reason}.`];
    const reasons = [...Map.groupBy(parts, ({ why }) => why)].map(
      ([why, all]) => `${all.map(({ key }) => key).join(', ')}: ${why}`,
    );
    return [`${operation} is simulated without a part of the profile: ${reasons.join('; ')}.`];
  });
}
