/** Finds the names of parameters that a service understands: many names in one request, then halves of them. */
import type { Input, OperationKey } from '../../contract/index.ts';
import type { PlainObject } from '../../profile/plain-object.ts';
import type { RequestTemplate } from '../../profile/schema.ts';
import type { Inputs, InputValue } from '../../profile/template.ts';
import type { Answer, Asker } from '../ask.ts';

/** How a request carries several candidate names of an input. */
export type Carrier = (names: readonly string[], input: Input) => RequestTemplate;

/** Whether the name of a parameter is that of a header. */
export const isHeader = (name: string): boolean => /^x-/i.test(name);

const KINDS = ['query', 'headers'] as const;

const entriesOf = (request: object, kind: (typeof KINDS)[number]): [string, unknown][] =>
  Object.entries(((request as PlainObject)[kind] ?? {}) as PlainObject);

/** The query parameters and headers of a request that carry an input. */
export const parametersFor = (request: object, input: string): string[] =>
  KINDS.flatMap((kind) => entriesOf(request, kind)).flatMap(([name, sent]) => (sent === `{${input}}` ? [name] : []));

/**
 * Adds parameters to a request, in place of those that carry the same input: these are candidates like any other. A name such
 * as X-Window is that of a header, any other one is that of a query parameter.
 */
export const inParameters =
  (request: PlainObject): Carrier =>
  (names, input) => {
    const parts = KINDS.map((kind) => {
      const others = entriesOf(request, kind).filter(([, sent]) => sent !== `{${input}}`);
      const own = names.filter((name) => isHeader(name) === (kind === 'headers'));
      return [kind, Object.fromEntries([...others, ...own.map((name) => [name, `{${input}}`])])] as const;
    });
    const { query: _, headers: __, ...rest } = request;
    return {
      ...rest,
      ...Object.fromEntries(parts.filter(([kind, part]) => kind in request || Object.keys(part).length > 0)),
    } as RequestTemplate;
  };

/** The path of a parameter that carries an input in the request of an operation; that of the request, if there is none. */
export function pathOfParameter(operation: OperationKey, request: object, input: string): string[] {
  const found = KINDS.flatMap((kind) =>
    entriesOf(request, kind).flatMap(([name, sent]) => (sent === `{${input}}` ? [[kind, name]] : [])),
  );
  return ['operations', operation, 'request', ...(found[0] ?? [])];
}

export interface Search {
  readonly operation: OperationKey;
  readonly input: Input;
  readonly carrier: Carrier;
  /** Chunks of names, the likeliest first. */
  readonly names: readonly (readonly string[])[];
  readonly value: InputValue;
  readonly inputs?: Inputs;
  /** The answer without the parameter. If it is a refusal, an equal one says nothing about the names. */
  readonly usual?: Answer | undefined;
  /** Whether an answer shows that the parameter has an effect. */
  readonly hasEffect: (answer: Answer) => boolean;
}

/** The largest number of names that are tried one by one, where the service refuses unknown names. */
const MAX_SINGLE = 20;

/** What a service says of a name that it does not know. */
const REFUSES_NAMES =
  /\b(unknown|unexpected|unrecogni[sz]ed|unsupported|undeclared|additional|surplus|not (allowed|supported|known|permitted|recogni[sz]ed)|unbekannt\w*|unerwartet\w*|desconocid[oa]|inconnue?|sconosciut[oa]|onbekend\w*)\b/i;

/** The statuses by which services refuse values that they do not know. */
const UNKNOWN_VALUES: readonly number[] = [403, 404, 422];

/** A name that no service has. */
export const INVENTED = 'zzz-unknown';

/**
 * Finds the name of a parameter, those that refusals mention first; undefined if no name has an effect, or any: then the
 * service repeats an earlier request.
 */
export async function findName(asker: Asker, search: Search): Promise<string | undefined> {
  const { operation, input, carrier, value, inputs = {}, usual, hasEffect } = search;
  const [surest, ...mentioned] = namesMentioned(usual);
  const chunks = [mentioned, ...search.names];
  const sent = new Set<string>();
  const unknown = asker.unknownNames(operation, input);
  let singles = MAX_SINGLE - unknown.size;
  const send = async (names: readonly string[]): Promise<'effect' | 'none' | 'refused'> => {
    for (const name of names) sent.add(name);
    const answer = await asker.ask(operation, carrier(names, input), { ...inputs, [input]: value });
    if (!answer) return 'none';
    if (answer.isSuccess) return hasEffect(answer) ? 'effect' : 'none';
    const others = namesMentioned(answer).filter((name) => !sent.has(name));
    if (others.length > 0) chunks.unshift(others);
    for (const name of others) sent.add(name);
    const isSame = answer.text === usual?.text || !REFUSES_NAMES.test(answer.text);
    return usual && !usual.isSuccess && isSame ? 'none' : 'refused';
  };
  // What the refusal says is missing, and is accepted or refused for another reason, needs no other proof.
  if (surest !== undefined && ((await send([surest])) === 'effect' || (await isUnderstood(surest)))) return surest;
  /** Whether the service refuses the value of a name only: its status is another one than without the name. */
  async function isUnderstood(name: string): Promise<boolean> {
    const answer = await asker.ask(operation, carrier([name], input), { ...inputs, [input]: value });
    return answer !== undefined && UNKNOWN_VALUES.includes(answer.status) && answer.status !== usual?.status;
  }
  /** Whether other names had no effect after some had one. */
  let isSelective = false;
  /** Names of which at least one has the effect. */
  const halve = async (names: readonly string[]): Promise<string | undefined> => {
    if (names.length === 1) return names[0];
    const half = names.slice(0, names.length >> 1);
    if ((await send(half)) === 'effect') return halve(half);
    isSelective = true;
    const rest = names.slice(names.length >> 1);
    if (rest.length > 1 || (await send(rest)) === 'effect') return halve(rest);
    return undefined;
  };
  /** The first name that has the effect, where the service refuses others: it refuses unknown ones with any value. */
  const oneByOne = async (names: readonly string[]): Promise<string | undefined> => {
    const invented = await textOf(INVENTED);
    for (const name of names) {
      if (singles-- <= 0) return undefined;
      if ((await send([name])) === 'effect') return name;
      if (invented !== undefined && (await textOf(name)) === invented) unknown.add(name);
    }
    return undefined;
  };
  /** What the service says of a name that it refuses, without the name; undefined if it does not mention the name. */
  const textOf = async (name: string): Promise<string | undefined> => {
    const answer = await asker.ask(operation, carrier([name], input), { ...inputs, [input]: value });
    return answer && !answer.isSuccess && answer.text.includes(name) ? answer.text.replaceAll(name, '') : undefined;
  };
  for (let all = chunks.shift(); all; all = chunks.shift()) {
    const chunk = all.filter((name) => !unknown.has(name));
    if (chunk.length === 0) continue;
    const seen = await send(chunk);
    if (seen === 'none') continue;
    const found = seen === 'effect' ? await halve(chunk) : await oneByOne(chunk);
    if (found === undefined || (await send([found])) !== 'effect') continue;
    return isSelective || (await send([INVENTED])) !== 'effect' ? found : undefined;
  }
  return undefined;
}

/** Finds a name that a service refuses with a value that it does not understand, while it ignores other names. */
export async function findRefusedName(asker: Asker, search: Omit<Search, 'hasEffect'>): Promise<string | undefined> {
  const { operation, input, carrier, value, inputs = {} } = search;
  const isRefused = async (names: readonly string[]): Promise<boolean> => {
    const answer = await asker.ask(operation, carrier(names, input), { ...inputs, [input]: value });
    return answer !== undefined && !answer.isSuccess;
  };
  for (const chunk of search.names) {
    if (chunk.length === 0 || !(await isRefused(chunk))) continue;
    // A service that refuses any unknown name shows nothing.
    if (await isRefused([INVENTED])) return undefined;
    let names: readonly string[] = chunk;
    while (names.length > 1) {
      const half = names.slice(0, names.length >> 1);
      names = (await isRefused(half)) ? half : names.slice(names.length >> 1);
    }
    if (names[0] !== undefined && (await isRefused(names))) return names[0];
  }
  return undefined;
}

const NAME = '([A-Za-z][\\w.-]{0,40}(?::\\w[\\w-]{0,40})?)';
/** What refusals in several languages say behind a name, and before one. */
const BEHIND =
  'is|was|must|needs|required|missing|parameter|ist|fehlt|muss|es|debe|falta|est|doit|manque|deve|manca|moet|ontbreekt';
const BEFORE = 'missing|requires?|required|needs?|expected|provide|not|falta|manque|manca|fehlt|fehlend\\w*';
/** The surest mentions first. */
const MENTIONS = [
  new RegExp(`${NAME}["'”’\`]?\\s+(?:${BEHIND})\\b`, 'gi'),
  new RegExp(`(?:${BEFORE})\\b[\\s:-]*(?:the |a |an )?["'“‘\`]?${NAME}`, 'gi'),
  new RegExp(`\\b(?:param\\w*|query|field|feld|campo|element\\w*|member|property)\\b\\s*:?\\s*["'“‘\`]?${NAME}`, 'gi'),
  new RegExp(`["'“‘\`]${NAME}["'”’\`](?!\\s*:)`, 'g'),
];
const NO_NAMES = new Set([
  'is',
  'the',
  'a',
  'an',
  'parameter',
  'element',
  'request',
  'query',
  'field',
  'body',
  'it',
  'this',
  'value',
  'missing',
  'required',
  'error',
  'about:blank',
  'in',
]);

/** The declaration and the namespaces of an XML document. */
const XML_PREAMBLE = /<\?.*?\?>|\sxmlns(:[\w-]+)?=("[^"]*"|'[^']*')/g;

/** The text of a refusal without the declaration and namespaces of XML. */
export const textOfRefusal = ({ text }: Answer): string => text.replace(XML_PREAMBLE, '');

/** Names that the text of a refusal mentions. */
export const namesMentioned = (answer: Answer | undefined): string[] =>
  !answer || answer.isSuccess
    ? []
    : [
        ...new Set(
          MENTIONS.flatMap((pattern) =>
            [...textOfRefusal(answer).matchAll(pattern)].flatMap(([, found]) => {
              const name = (found as string).replace(/[.:]+$/, '');
              // A path names a member and those around it.
              return name.includes('.') ? [name, name.slice(name.lastIndexOf('.') + 1)] : [name];
            }),
          ),
        ),
      ].filter((name) => !NO_NAMES.has(name.toLowerCase()));

const MAX_WORDS = 24;

/** The words in the text of a refusal, one of which may be a name: languages differ, names do not. */
export const wordsIn = (answer: Answer | undefined): string[] =>
  !answer || answer.isSuccess ? [] : [...new Set(answer.text.match(/[A-Za-z_]\w{2,30}/g) ?? [])].slice(-MAX_WORDS);
