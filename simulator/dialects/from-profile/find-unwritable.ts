/** Finds the parts of a profile that cannot be inverted, with their key and the reason, and simulates the rest. */

import {
  type Field,
  type Input,
  OPERATIONS,
  type Operation,
  type OperationKey,
  PAGING_INPUTS,
  SALES_FILTERS,
} from '../../../src/contract/index.ts';
import { isImplemented } from '../../../src/profile/filled-openings.ts';
import { requestReader } from '../../../src/profile/read-back/request-reader.ts';
import type { FieldBinding, Profile, ProfileData } from '../../../src/profile/schema.ts';
import { fillTemplate, type InputValue, mentionedInputs } from '../../../src/profile/template.ts';
import { unreadableCodes, unwritableCodes, writtenFields } from './code-fields.ts';
import { findUnwritableBody } from './find-unwritable-body.ts';
import { isComposed } from './lists.ts';
import { codecOf, type OperationCodec, selectorsOf } from './operation-codec.ts';
import { UnwritableError } from './serialize.ts';
import { matchedBy } from './value.ts';
import { type Unwritable, writePathOf } from './write-path.ts';

/** The parts of a profile that cannot be simulated as declared; empty when all can. */
export function findUnwritable(profile: Profile, codecs: ReadonlyMap<string, OperationCodec>): Unwritable[] {
  return OPERATIONS.filter(({ key }) => isImplemented(profile, key)).flatMap((operation) => {
    const codec = codecs.get(operation.key) as OperationCodec;
    const response = checkResponse(profile, operation, codec);
    const coded = unreadableCodes(profile.data, codec.request);
    return [...checkRequest(codec), ...coded, ...response].map((each) => ({ ...each, operation: operation.key }));
  });
}

const text = new TextEncoder();

/** The inputs that a request may omit. */
const OPTIONAL: readonly Input[] = [...SALES_FILTERS, 'categoryId', ...PAGING_INPUTS];

/** A test value: a name with special characters, or a number for numeric inputs. */
const testValueOf = (input: Input): InputValue =>
  input === 'window' ? 4 : ['page', 'offset', 'pageSize'].includes(input) ? 7 : `a ${input} "&' 1`;

/** Fills the template with and without the optional inputs and reads the result. */
function checkRequest({ request }: OperationCodec): Unwritable[] {
  const mentioned = [...mentionedInputs(request)];
  const unwritable: Unwritable[] = [];
  for (const [input, spellings] of Object.entries(request.spellings ?? {})) {
    const texts = Object.values(spellings ?? {}).map(String);
    const duplicate = texts.find((each, at) => texts.indexOf(each) !== at);
    if (duplicate !== undefined)
      unwritable.push({
        key: `request.spellings.${input}`,
        why: `“${duplicate}” is the wire form of two values, so it cannot be read back`,
      });
  }
  const fails = (inputs: readonly Input[]): boolean => {
    const inputValues = Object.fromEntries(inputs.map((input) => [input, testValueOf(input)]));
    const { query, headers, body } = fillTemplate(request, inputValues);
    const found = requestReader(request)({
      query: new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])),
      headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
      body: text.encode(body?.text ?? ''),
    });
    return inputs.some((input) => found?.[input] !== String(inputValues[input]));
  };
  const required = mentioned.filter((input) => !OPTIONAL.includes(input));
  const optional = mentioned.filter((input) => OPTIONAL.includes(input));
  const name = (inputs: readonly Input[]) => inputs.map((input) => `{${input}}`).join(', ');
  const ambiguous = [required, ...optional.map((input) => [...required, input]), mentioned].find(fails);
  if (ambiguous)
    unwritable.push({
      key: 'request',
      why: `${name(ambiguous)} cannot be separated from each other or from the text around them`,
    });
  return unwritable;
}

function checkResponse(profile: Profile, { key }: Operation, codec: OperationCodec): Unwritable[] {
  const response = profile.data.operations?.[key]?.response;
  if (!response) return [];
  const bindings = Object.entries(response.fields ?? {}) as [Field, FieldBinding][];
  const unwritable: Unwritable[] = selectorsOf(response).flatMap(([at, source]) => {
    if (at === 'fields.grain') return [];
    const writePath = writePathOf(source);
    if (typeof writePath === 'string')
      return [{ key: `response.${at}`, why: typeof source === 'function' ? writePath : `${source}: ${writePath}` }];
    if (at.startsWith('rows') && !('steps' in writePath))
      return [{ key: `response.${at}`, why: 'a header or a line cannot contain rows' }];
    const isUnmarked =
      writePath.scope === 'line' && !response.csv?.comment?.some((each) => writePath.name.startsWith(each));
    return isUnmarked
      ? [{ key: `response.${at}`, why: `${source}: the simulator writes only lines that begin as csv.comment says` }]
      : [];
  });
  if (response.shape?.text?.media === 'xml')
    unwritable.push({ key: 'response.shape.text', why: 'XML within a text cannot be written' });
  if ((response.csv?.header ?? 1) !== 1)
    unwritable.push({
      key: 'response.csv.header',
      why: 'the simulator writes the names of the columns as the first record',
    });
  for (const [field, { split }] of bindings)
    if (split !== undefined)
      unwritable.push({ key: `response.fields.${field}.split`, why: 'the simulator writes one value in one place' });
  const style = response.paging?.style;
  if ((style === 'page' || style === 'offset' || style === 'cursor') && !mentionedInputs(codec.request).has(style))
    unwritable.push({
      key: 'response.paging',
      why: `only the first page can be requested: {${style}} is missing in the request`,
    });
  const written = writtenFields(profile.data, response.fields ?? {});
  for (const [field, binding] of bindings)
    if (binding.match !== undefined && !matchedBy(field, written[field] ?? binding))
      unwritable.push({
        key: `response.fields.${field}.match`,
        why: `the simulator finds no text from which “${binding.match}” extracts a value`,
      });
  unwritable.push(...unwritableCodes(profile.data, response.fields ?? {}));
  unwritable.push(...checkWeeks(profile, bindings));
  if (unwritable.length > 0) return unwritable;
  const fields = bindings.filter(([field]) => field !== 'grain');
  // The places of shaped rows and composed values depend on all rows: only the body as a whole is tried.
  const isPlain = ([field, binding]: (typeof fields)[number]) =>
    !isComposed(binding) &&
    binding.code === undefined &&
    (binding.match === undefined || !fields.some(([other, { at }]) => other !== field && at === binding.at));
  const checked = response.shape ? [] : fields.filter(isPlain);
  const namesOf = (all: typeof fields) => all.map(([field]) => field);
  try {
    return findUnwritableBody(codec, namesOf(fields), namesOf(checked));
  } catch (error) {
    if (error instanceof UnwritableError) return [{ key: 'response', why: `as ${codec.media}: ${error.message}` }];
    throw error;
  }
}

/** ISO weeks end on Sundays, so only dates that are ends of such weeks can be written as ISO weeks. */
function checkWeeks({ data: { dataWeek: week } }: Profile, bindings: readonly [Field, FieldBinding][]): Unwritable[] {
  const why = 'a day cannot be written as a week unless dataWeek states that dates are week endings on Sundays';
  const isWeekEnd = (field: Field): boolean =>
    (week?.endsOn === 'sunday' &&
      (field === 'asOf' || field === 'date' || week[field as 'activeOn'] === 'weekEnding')) ||
    (field === 'date' && week?.refreshDate === undefined);
  return bindings.flatMap(([field, { as }]) =>
    as === 'isoWeek' && !isWeekEnd(field) ? [{ key: `response.fields.${field}.as`, why }] : [],
  );
}

type OperationProfile = NonNullable<NonNullable<ProfileData['operations']>[OperationKey]>;

interface SimulatedProfile {
  /** By the key of the operation. */
  readonly codecs: ReadonlyMap<string, OperationCodec>;
  /** Why an operation is not simulated, by its key. */
  readonly notSimulated: ReadonlyMap<string, string>;
  /** What differs from the profile. */
  readonly unwritable: readonly Unwritable[];
}

/** The parts without which the rest of an operation can be simulated. */
const OMITTABLE = /^(?:(response)\.(fields|echoes|counts)[.[](\w+)|(request)\.(codes)\.(\w+)|(response)\.(paging))/;

/** A node of a profile without the member or element at a path. */
function without(node: unknown, [step, ...rest]: readonly string[]): unknown {
  if (Array.isArray(node)) return node.filter((_, index) => String(index) !== step);
  const { [step as string]: member, ...others } = node as Record<string, unknown>;
  return rest.length === 0 ? others : { ...others, [step as string]: without(member, rest) };
}

/** An operation without the part at a key; undefined if the rest says nothing without this part. */
function withoutPart(operation: OperationProfile, key: string): OperationProfile | undefined {
  const path = OMITTABLE.exec(key)
    ?.slice(1)
    .filter((step) => step !== undefined);
  return path && (without(operation, path) as OperationProfile);
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
