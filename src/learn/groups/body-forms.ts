/** Finds how the requests of group B carry the id of a catalogue: as JSON, as a form, in the query, as XML (section 4.2). */
import { CATALOGUES, type Input, LOGICAL_DIMENSIONS, type OperationKey } from '../../contract/index.ts';
import { isPlainObject, type PlainObject } from '../../profile/plain-object.ts';
import type { RequestTemplate } from '../../profile/schema.ts';
import { type InputValue, mentionedInputs } from '../../profile/template.ts';
import type { Answer } from '../ask.ts';
import { STEP } from '../described-names.ts';
import type { Learner } from '../learner.ts';
import { namesFor } from '../words.ts';
import { type Carrier, findName, isHeader, namesMentioned, wordsIn } from './parameters.ts';

type Carry = (members: PlainObject) => PlainObject;

/** Where a body carries its members, and under which names; the names are shared by all operations of the group. */
export interface BodyForm {
  readonly carry: Carry;
  readonly names: Map<Input, string>;
  readonly isPositional?: true;
}

const WRAPPERS =
  'query, request, filters, filter, parameters, params, body, data, input, inputs, args, arguments, criteria, payload, selection, where, echo';
const ROOTS = ['request', 'query'];
const MAX_ROOTS = 5;
const XML_NAME = /^[A-Za-z_][\w.-]*$/;

/** A JSON body; a name has the members down to the value. */
export const inJson: Carry = (members) => {
  const json: PlainObject = {};
  for (const [path, value] of Object.entries(members)) {
    const steps = path.split(STEP);
    let node: Record<string, unknown> = json;
    for (const step of steps.slice(0, -1)) node = node[step] = isPlainObject(node[step]) ? { ...node[step] } : {};
    node[steps.at(-1) as string] = value;
  }
  return { json };
};

/** A JSON array with the values in their order; some services take the value itself where it is alone. */
const inPositions =
  (isBareAlone: boolean): Carry =>
  (members) => {
    const values = Object.values(members);
    return { json: isBareAlone && values.length === 1 ? values[0] : values };
  };

const inForm: Carry = (form) => ({ form });
const inQuery: Carry = (query) => ({ json: {}, query });
const inHeaders: Carry = (headers) => ({ json: {}, headers });
/** What follows a name where each member is an object with an id. */
const ID_STEP = `${STEP}id`;

/** A name with dots is that of a member in other members. */
export const bodyPath = (name: string): string => name.replaceAll('.', STEP);

/** The names as members beside those that are known, as objects with an id where those are such, and as members of the body. */
export function besideKnown(known: Iterable<string>, names: readonly (readonly string[])[]): string[][] {
  const forms = new Map<string, readonly [around: string, suffix: string]>();
  for (const path of known) {
    const suffix = path.endsWith(ID_STEP) ? ID_STEP : '';
    const own = path.slice(0, path.length - suffix.length);
    const form = [own.slice(0, own.lastIndexOf(STEP) + 1), suffix] as const;
    forms.set(form.join(), form);
  }
  forms.set(',', ['', '']);
  return [...forms.values()].flatMap(([around, suffix]) =>
    names.map((chunk) => chunk.map((name) => around + name + suffix)),
  );
}

const xmlMembers = (members: PlainObject): [string, unknown][] =>
  Object.entries(members).filter(([name]) => XML_NAME.test(name));

/** An XML body with child elements. */
export const inElements =
  (root: string): Carry =>
  (members) => ({
    xml: `<${root}>${xmlMembers(members)
      .map(([name, value]) => `<${name}>${value}</${name}>`)
      .join('')}</${root}>`,
  });

/** An XML body with attributes. */
const inAttributes =
  (root: string): Carry =>
  (members) => ({
    xml: `<${root}${xmlMembers(members)
      .map(([name, value]) => ` ${name}="${value}"`)
      .join('')}/>`,
  });

/** Adds candidate names of an input to the members of a body. */
export const inBody =
  (carry: Carry, members: PlainObject = {}): Carrier =>
  (names, input) =>
    carry({ ...members, ...Object.fromEntries(names.map((name) => [name, `{${input}}`])) }) as RequestTemplate;

/** Whether a request carries inputs: a draft may have an example in their place. */
export const mentions = (request: PlainObject, inputs: readonly Input[]): boolean => {
  const mentioned = mentionedInputs(request as RequestTemplate);
  return inputs.every((input) => mentioned.has(input));
};

/** Finds the form by requests to the list of catalogues or, where that needs no id, to the logical dimensions. */
export async function findBodyForm(
  learner: Learner,
  known: readonly InputValue[],
  listed: () => InputValue | undefined,
): Promise<BodyForm | undefined> {
  const operation = learner.operation(CATALOGUES);
  const [first] = known;
  for (const drafted of learner.requests(CATALOGUES)) {
    if (!mentions(drafted, ['catalogueId'])) continue;
    const answer = await learner.ask(CATALOGUES, first === undefined ? {} : { catalogueId: first }, drafted);
    if (answer?.isSuccess) {
      Object.assign(operation, { request: drafted, answers: [answer] });
      return formOf(drafted);
    }
  }
  const { stated } = learner.asker;
  const bareRequest = (stated[CATALOGUES]?.request ?? { json: {} }) as PlainObject;
  const described = learner.describedBody(LOGICAL_DIMENSIONS);
  /** The member that has all others, if there is one, and the answer without an id. */
  const withoutId = async (): Promise<[around: string, answer: Answer | undefined]> => {
    const answer = await learner.ask(CATALOGUES, {}, bareRequest);
    const isNamed = namesMentioned(answer).some((each) => each.includes('.'));
    if (stated[CATALOGUES] || answer?.isSuccess || isNamed) return ['', answer];
    const words = described ? described.names.map((name) => name.split(STEP)[0] as string) : wordsIn(answer);
    for (const word of new Set(words)) {
      const inside = await learner.ask(CATALOGUES, {}, { json: { [word]: {} } });
      if (inside?.isSuccess) return [word + STEP, inside];
    }
    return ['', answer];
  };
  const [around, bare] = await withoutId();
  if (bare?.isSuccess) {
    Object.assign(operation, { request: bare.request, answers: [bare] });
    learner.bind(CATALOGUES);
    const below = stated[LOGICAL_DIMENSIONS]?.request as PlainObject | undefined;
    if (below) return formOf(below);
  }
  const id = first ?? listed();
  if (id === undefined) return undefined;
  const key: OperationKey = bare?.isSuccess ? LOGICAL_DIMENSIONS : CATALOGUES;
  const usual = bare?.isSuccess ? await learner.ask(key, {}, bare.request as PlainObject) : bare;
  const hasEffect = (answer: Answer): boolean =>
    !usual?.isSuccess || JSON.stringify(answer.document) !== JSON.stringify(usual.document);
  const all = namesFor('catalogueId', learner.spelling());
  const search = { operation: key, input: 'catalogueId' as const, value: id, usual, hasEffect };
  const find = async (carry: Carry, names: readonly (readonly string[])[] = all): Promise<BodyForm | undefined> => {
    const carrier: Carrier = (each, input) => inBody(carry)(each.map(bodyPath), input);
    const name = await findName(learner.asker, { ...search, names, carrier });
    return name === undefined ? undefined : { carry, names: new Map([['catalogueId', bodyPath(name)]]) };
  };
  const body = learner.describedBody(key);
  if (body && body.form !== 'array') {
    const found = await find(body.form === 'form' ? inForm : inJson, [body.names]);
    if (found) return found;
  }
  const isXml = [bare, usual, ...learner.asker.successes()].some((answer) => answer?.media === 'xml');
  const roots = isXml
    ? [...namesMentioned(usual).filter((name) => XML_NAME.test(name)), ...ROOTS].slice(0, MAX_ROOTS)
    : [];
  const inXml = roots.flatMap((root) => [inElements(root), inAttributes(root)]);
  const inMember = (wrapper: string, suffix = '') =>
    find(
      inJson,
      all.map((chunk) => chunk.map((name) => wrapper + name + suffix)),
    );
  const ofMembers = () => inMember(around);
  const ofElements = inXml.map((carry) => () => find(carry));
  const found =
    body?.form === 'array'
      ? undefined
      : await firstOf([
          ...(usual?.media === 'xml' ? [...ofElements, ofMembers] : [ofMembers, ...ofElements]),
          () => find(inForm),
          () => find(inQuery),
          () => inMember(around, ID_STEP),
          // Only a refusal says that a header is missing.
          () => find(inHeaders, [namesMentioned(usual).filter(isHeader)]),
        ]);
  if (found) return found;
  for (const isBareAlone of [false, true]) {
    const carry = inPositions(isBareAlone);
    const positional = await learner.ask(key, { catalogueId: id }, carry({ catalogueId: '{catalogueId}' }));
    if (positional?.isSuccess && hasEffect(positional)) return { carry, names: new Map(), isPositional: true };
  }
  const { prefixes } = learner.spelling();
  const wrappers = WRAPPERS.split(', ').flatMap((each) => [
    each,
    (each[0] as string).toUpperCase() + each.slice(1),
    each.toUpperCase(),
  ]);
  const prefixed = prefixes.flatMap((prefix) => wrappers.map((each) => prefix + each));
  const inside = Object.fromEntries(all.flat().map((name) => [name, '{catalogueId}']));
  const wrapper = await findName(learner.asker, {
    ...search,
    names: [[...prefixed, ...wrappers]],
    carrier: (candidates) =>
      ({ json: Object.fromEntries(candidates.map((each) => [each, inside])) }) as ReturnType<Carrier>,
  });
  return wrapper === undefined ? undefined : inMember(wrapper + STEP);
}

/** The first result that is one. */
async function firstOf<T>(attempts: readonly (() => Promise<T | undefined>)[]): Promise<T | undefined> {
  for (const attempt of attempts) {
    const found = await attempt();
    if (found !== undefined) return found;
  }
  return undefined;
}

const PARTS = [
  ['json', inJson],
  ['form', inForm],
  ['query', inQuery],
  ['headers', inHeaders],
] as const;

const INPUT = /^\{(\w+)\}$/;

/** The form of a request that is known beforehand. */
export function formOf(request: PlainObject): BodyForm {
  const names = new Map<Input, string>();
  const { json, xml } = request as { json?: unknown; xml?: string };
  if (Array.isArray(json) || typeof json === 'string')
    return { carry: inPositions(!Array.isArray(json)), names, isPositional: true };
  if (xml !== undefined) {
    const [, root = ''] = /<([\w.:-]+)/.exec(xml) ?? [];
    const attributes = [...xml.matchAll(/([\w.:-]+)=["']\{(\w+)\}["']/g)];
    for (const [, name, input] of [...attributes, ...xml.matchAll(/<([\w.:-]+)>\{(\w+)\}</g)])
      names.set(input as Input, name as string);
    return { carry: attributes.length > 0 ? inAttributes(root) : inElements(root), names };
  }
  const read = (members: PlainObject, above: string): void => {
    for (const [name, value] of Object.entries(members)) {
      const input = typeof value === 'string' ? INPUT.exec(value)?.[1] : undefined;
      if (input !== undefined) names.set(input as Input, `${above}${name}`);
      else if (isPlainObject(value)) read(value, `${above}${name}${STEP}`);
    }
  };
  for (const [part, carry] of PARTS) {
    if (isPlainObject(request[part])) read(request[part], '');
    if (names.size > 0) return { carry, names };
  }
  return { carry: inJson, names };
}
