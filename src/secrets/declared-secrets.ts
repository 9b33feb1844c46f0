/** The secrets that a profile (section 5 shows no scheme) and the command line declare. */
import { placesOf, schemeRow, schemesIn } from '../profile/auth-schemes.ts';
import type { Profile } from '../profile/schema.ts';
import { inputsIn } from '../profile/template.ts';
import { isDistinctive, isSearchable, looksGenerated } from './credential-heuristics.ts';
import type { ProtectionOptions } from './hide-in-exchange.ts';
import { isCommonWord } from './placeholder-registry.ts';
import type { ReceivedCredential } from './received.ts';

/** Every text in a part of a profile. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The names in a template whose values contain {inputs}. */
function namesWithInputs(part: unknown, name = ''): string[] {
  if (typeof part === 'string') {
    if (inputsIn(part).length === 0) return [];
    // An XML body or any other text: elements, attributes, pairs.
    const attributeNames = part.matchAll(/<([\w.:-]+)[^<>]*>[^<>]*\{|([\w.-]+)["']?\s*[=:]\s*["']?[^"'&;,{}]*\{/g);
    return [name, ...[...attributeNames].map(([, element, attribute]) => element ?? attribute ?? '')];
  }
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => namesWithInputs(value, Array.isArray(part) ? name : key));
}

/**
 * The values that reports must not show: all that the profile or the command line declares, and every credential that the
 * service issued, except for words that reports contain anyway.
 * @example redactor(secretValuesOf(profile, ['s3cret'], received))
 */
export function secretValuesOf(
  profile: Profile,
  more: readonly string[] = [],
  received: readonly ReceivedCredential[] = [],
): string[] {
  const { declared = [] } = protectionOf(profile, more);
  const named = new Set([...profile.secrets, ...more]);
  const knownSecrets = [...declared, ...received.map(({ name, value }) => ({ name, value, isCredential: true }))];
  const values = knownSecrets
    .filter(({ value, isCredential }) => {
      if (isDistinctive(value)) return true;
      return (named.has(value) || (isCredential === true && isSearchable(value))) && !isCommonWord(value);
    })
    .map(({ value }) => value);
  return [...new Set(values)];
}

/** The declarations of a profile, with all names of credentials. */
export type ProfileProtection = ProtectionOptions & Required<Pick<ProtectionOptions, 'headers' | 'query'>>;

/**
 * The declarations of a profile about secrets. Names depend on the schemes of the profile and on the order of values, so
 * that the same profile with other credentials gives the same placeholders.
 * @param more values from the command line
 * @example new Protection(protectionOf(await loadProfile('acme.yaml'), ['s3cret']))
 */
export function protectionOf(profile: Profile, more: readonly string[] = []): ProfileProtection {
  const { data } = profile;
  const schemes = schemesIn(data).map(({ scheme }) => scheme);
  const fromEnvironment = new Set(profile.secrets);
  const jobIds = Object.values(data.jobs ?? {}).map(({ example, unknown }) => [example, unknown]);
  const publicValues = textsIn([data.examples, jobIds, data.markets]);
  const isCredential = (value: string): boolean =>
    fromEnvironment.has(value) || (looksGenerated(value) && !publicValues.includes(value));
  const inputs = new Set(
    Object.values(data.operations ?? {}).flatMap(({ request } = {}) =>
      namesWithInputs({ ...request, spellings: undefined }).map((name) => name.toLowerCase()),
    ),
  );
  // Authorization is always hidden. A header of several may be an input: then its name says nothing.
  const fixed = schemes.filter((scheme) => !schemeRow(scheme).authorization);
  const headers = fixed.flatMap((scheme) =>
    placesOf(scheme).headers.filter(
      (name) =>
        scheme.scheme !== 'headers' || !inputs.has(name.toLowerCase()) || isCredential(scheme.headers[name] ?? ''),
    ),
  );
  const query = fixed.flatMap((scheme) => placesOf(scheme).query);
  const credentials = new Set([...headers, ...query].map((each) => each.toLowerCase()));
  return {
    declared: [
      ...schemes.flatMap((each) => schemeRow(each).secrets(each, isCredential)),
      ...profile.secrets.map((value) => ({ name: 'environment value', value })),
      ...more.map((value) => ({ name: 'secret', value, isCredential: true })),
    ],
    publicValues,
    profileText: JSON.stringify(data.operations ?? {}),
    inputs: [...inputs].filter((name) => name !== '' && !credentials.has(name)),
    headers,
    query,
  };
}
