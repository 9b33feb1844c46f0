/** What of a profile lies outside the subset that can be turned round: each part by its key path, and why. */
import { FIELDS, type Input, OPERATIONS, type Operation, SALES_FILTERS } from '../../../src/contract/index.ts';
import { isImplemented } from '../../../src/profile/filled.ts';
import type { Profile } from '../../../src/profile/schema.ts';
import { compileSelector } from '../../../src/profile/selector.ts';
import { fillTemplate, type InputValue, mentionedInputs } from '../../../src/profile/template.ts';
import { ELSEWHERE, schemesOf } from './admit.ts';
import { type Composer, Rows, type Told, type Value } from './compose.ts';
import { Unsayable, WRITE } from './markup.ts';
import { announce } from './paging.ts';
import { type Parts, selectorsOf } from './parts.ts';
import { placeOf } from './place.ts';

export interface Outside {
  /** e.g. `operations["GET /PLATFORMAPI/prodRef/v1/allProducts"].response.fields.upc`. */
  readonly key: string;
  readonly why: string;
}

/** What an owner of the profile must change, or cannot have simulated; empty when all of it can be spoken. */
export function survey(profile: Profile, parts: ReadonlyMap<string, Parts>): Outside[] {
  const auth = schemesOf(profile.data).flatMap(({ scheme }) =>
    Object.hasOwn(ELSEWHERE, scheme) ? [{ key: 'auth', why: ELSEWHERE[scheme as keyof typeof ELSEWHERE] }] : [],
  );
  const operations = OPERATIONS.filter(({ key }) => isImplemented(profile, key)).flatMap((operation) => {
    const own = parts.get(operation.key) as Parts;
    const at = `operations["${operation.key}"]`;
    const response = surveyResponse(profile, operation, own);
    return [...surveyRequest(own), ...response].map(({ key, why }) => ({ key: `${at}.${key}`, why }));
  });
  return [...auth, ...operations];
}

const NO_HEAD = { status: 200, headers: [] };
const text = new TextEncoder();
/** What a request may be sent without. */
const OPTIONAL: readonly Input[] = [...SALES_FILTERS, 'categoryId', 'page', 'offset', 'cursor', 'pageSize'];

/** A value as awkward as a name may be; numbers where a number is meant. */
const trialOf = (input: Input): InputValue =>
  input === 'window' ? 4 : ['page', 'offset', 'pageSize'].includes(input) ? 7 : `a ${input} "&' 1`;

/** Fills the template with and without what may be left out, and reads what comes of it. */
function surveyRequest({ request, read }: Parts): Outside[] {
  const mentioned = [...mentionedInputs(request)];
  const outside: Outside[] = [];
  for (const [input, spelled] of Object.entries(request.spellings ?? {})) {
    const texts = Object.values(spelled ?? {}).map(String);
    const twice = texts.find((each, at) => texts.indexOf(each) !== at);
    if (twice !== undefined)
      outside.push({
        key: `request.spellings.${input}`,
        why: `“${twice}” spells two values, and would be read as the first`,
      });
  }
  const fails = (inputs: readonly Input[]): boolean => {
    const asked = Object.fromEntries(inputs.map((input) => [input, trialOf(input)]));
    const { query, headers, body } = fillTemplate(request, asked);
    const found = read({
      query: new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])),
      headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
      body: text.encode(body?.text ?? ''),
    });
    return inputs.some((input) => found?.[input] !== String(asked[input]));
  };
  const always = mentioned.filter((input) => !OPTIONAL.includes(input));
  const sometimes = mentioned.filter((input) => OPTIONAL.includes(input));
  const name = (inputs: readonly Input[]) => inputs.map((input) => `{${input}}`).join(', ');
  const wrong = [always, ...sometimes.map((input) => [...always, input]), mentioned].find(fails);
  if (wrong)
    outside.push({ key: 'request', why: `${name(wrong)} cannot be told from each other or from the text around them` });
  return outside;
}

/** Neutral values to try a body with, each another one. */
function valueFor(field: keyof typeof FIELDS, nth: number): Value {
  const kind: string = FIELDS[field].kind;
  if (kind === 'upc') return String(100_000_000_000 + nth);
  if (kind === 'date') return 20_000 + nth;
  if (kind === 'list')
    return [
      { name: 'Colour', value: 'red' },
      { name: 'Size', value: '1 l' },
    ];
  return kind === 'text' ? `${field} ${nth}` : 100 + nth;
}

const tellingOf = (fields: readonly string[], row: number): Told =>
  Object.fromEntries(fields.map((field, at) => [field, valueFor(field as keyof typeof FIELDS, at + row * 50)]));

/** The body as a reader would decode it. */
function settled(node: unknown): unknown {
  if (node instanceof Rows) return Array.from(node.each, settled);
  if (Array.isArray(node)) return node.map(settled);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(Object.entries(node).map(([name, each]) => [name, settled(each)]));
}
const textOf = (node: unknown): unknown =>
  typeof node === 'object' && node !== null && '#text' in node ? node['#text'] : node;

function surveyResponse(profile: Profile, { key }: Operation, parts: Parts): Outside[] {
  const response = profile.data.operations?.[key]?.response;
  if (!response) return [];
  const outside: Outside[] = selectorsOf(response).flatMap(([at, source]) => {
    if (at === 'fields.grain') return [];
    const place = placeOf(source);
    return typeof place === 'string' ? [{ key: `response.${at}`, why: `${String(source)}: ${place}` }] : [];
  });
  outside.push(...surveyWeeks(profile, response.fields ?? {}));
  if (outside.length > 0) return outside;
  const fields = Object.keys(response.fields ?? {}).filter((field) => field !== 'grain');
  try {
    return surveyBody(parts, response.rows, fields, response.fields ?? {});
  } catch (error) {
    if (error instanceof Unsayable) return [{ key: 'response', why: `as ${parts.media}: ${error.message}` }];
    throw error;
  }
}

/** A week is named by the day that ends it: only dates that end weeks on Sundays can be told so. */
function surveyWeeks({ data }: Profile, fields: NonNullable<Parameters<typeof Object.entries>[0]>): Outside[] {
  const week = data.dataWeek;
  return Object.entries(fields as Record<string, { as?: string }>).flatMap(([field, { as }]) => {
    if (as !== 'isoWeek') return [];
    const ends =
      week?.endsOn === 'sunday' && (field === 'asOf' || field === 'date' || week[field as 'activeOn'] === 'weekEnding');
    return ends || (field === 'date' && week?.refreshDate === undefined)
      ? []
      : [
          {
            key: `response.fields.${field}.as`,
            why: 'a day cannot be told by its week, unless dataWeek says that dates end weeks on Sundays',
          },
        ];
  });
}

/** Answered with one thing, and not with a list. */
const isSingle = ({ group, name }: Operation): boolean =>
  name === 'products' || (group === 'A' && name !== 'getAllProspectFilters');

/** Writes a body of two rows and looks whether every selector finds in it what was written for it. */
function surveyBody(
  parts: Parts,
  rowsAt: NonNullable<Parameters<typeof selectorsOf>[0]['rows']> | undefined,
  fields: readonly string[],
  bindings: { readonly [field: string]: { readonly at: unknown } | undefined },
): Outside[] {
  const one = isSingle(parts.operation);
  const tellings = one ? [tellingOf(fields, 0)] : [tellingOf(fields, 0), tellingOf(fields, 1)];
  let body: unknown;
  for (const { composer } of parts.composers) body = composer.compose(tellings, tellings[0] as Told, one, body);
  if (parts.paging) ({ body } = announce(parts.paging, 7, { query: new URLSearchParams() }, 'http://host/path', body));
  const decoded = settled(body);
  for (const _ of WRITE[parts.media](body, {
    delimiter: parts.delimiter,
    columns: parts.composers[0]?.composer.columns ?? [],
  }));
  const outside: Outside[] = [];
  for (const { window, composer } of parts.composers) {
    const source = typeof rowsAt === 'object' ? rowsAt[window as '1'] : rowsAt;
    const found = source === undefined ? [] : compileSelector(source).select(decoded, NO_HEAD);
    const rows = found.length === 1 && Array.isArray(found[0]) ? (found[0] as unknown[]) : found;
    const clashes = fields.filter(
      (field) => !isFound(field, bindings[field]?.at as string, rows, decoded, composer, tellings),
    );
    for (const field of clashes)
      outside.push({
        key: `response.fields.${field}`,
        why: `what is written at ${String(bindings[field]?.at)} is not found there again: another selector leads to the same place or through it, or it cannot stand there as ${parts.media}`,
      });
  }
  return outside;
}

function isFound(
  field: string,
  source: string,
  rows: readonly unknown[],
  decoded: unknown,
  composer: Composer,
  tellings: readonly Told[],
): boolean {
  const selector = compileSelector(source);
  if (selector.scope === 'header') return true;
  const isList = FIELDS[field as keyof typeof FIELDS].kind === 'list';
  const wrote = (told: Told | undefined) =>
    composer.wireOf(field as keyof typeof FIELDS, told?.[field as keyof typeof FIELDS]);
  const finds = (node: unknown, told: Told | undefined): boolean => {
    const nodes = selector.select(node, NO_HEAD);
    if (isList) return nodes.length > 0;
    return nodes.length === 1 && textOf(nodes[0]) === wrote(told);
  };
  if (selector.scope === 'row') return tellings.every((told, at) => rows[at] !== undefined && finds(rows[at], told));
  if (composer.lists.includes(field as keyof typeof FIELDS)) {
    const nodes = selector.select(decoded, NO_HEAD).map(textOf);
    return tellings.every((told) => nodes.includes(wrote(told)));
  }
  return finds(decoded, tellings[0]);
}
