/** Learns group B: a catalogue and the tree of its metadata, by ids that one list has and the next operation accepts (section 4.2). */

import {
  CATALOGUE_GRAPH,
  CATALOGUES,
  type Input,
  LOGICAL_DIMENSIONS,
  type OperationKey,
  REFRESH_DATES,
  SHARE_PROMPTS,
} from '../contract/index.ts';
import { exampleValuesOf } from '../profile/example-values.ts';
import type { PlainObject } from '../profile/plain-object.ts';
import type { Profile, RequestTemplate } from '../profile/schema.ts';
import { type Inputs, type InputValue, mentionedInputs } from '../profile/template.ts';
import type { Answer } from './ask.ts';
import { codesIn } from './columns.ts';
import type { Learner } from './learner.ts';
import { type Carrier, findName, namesMentioned } from './parameters.ts';
import { learnPages } from './products.ts';
import { readRows } from './read-rows.ts';
import { namesFor, spellingOf } from './words.ts';

/** Where a body carries its members, and under which names; the names are shared by all operations of the group. */
interface BodyForm {
  readonly carry: (members: PlainObject) => PlainObject;
  readonly names: Map<Input, string>;
  readonly isPositional?: true;
}

const WRAPPERS =
  'query, request, filters, filter, parameters, params, body, data, input, inputs, args, arguments, criteria, payload, selection, where, echo';
const MAX_ITEMS = 3;
const MAX_COLUMNS = 3;

const FORMS: readonly { readonly carry: BodyForm['carry'] }[] = [
  { carry: (json) => ({ json }) },
  { carry: (form) => ({ form }) },
  { carry: (query) => ({ json: {}, query }) },
  { carry: (members) => ({ json: Object.fromEntries(Object.entries(members).map(([name, id]) => [name, { id }])) }) },
];

/** Learns the operations of the group from the ids that are known beforehand, or that the first list has. */
export async function learnCatalogue(learner: Learner, examples: PlainObject): Promise<void> {
  const known = [examples.catalogueId]
    .flat()
    .filter((each): each is InputValue => ['string', 'number'].includes(typeof each));
  const form = await findBodyForm(learner, known);
  if (!form) {
    learner.open.push({
      path: ['operations', CATALOGUES, 'request'],
      why: 'no body with the id of a catalogue is accepted; state examples.catalogueId',
    });
    return;
  }
  if (known[0] !== undefined) learner.structure.accept(CATALOGUES, known[0]);
  learner.bind(CATALOGUES);
  const [listed = []] = idsOf(learner, CATALOGUES);
  const ids = [...new Set([...known, ...listed])].slice(0, 2);
  for (const [at, catalogueId] of ids.entries()) {
    const inputs = { catalogueId };
    if (at > 0) await keepAnother(learner, CATALOGUES, inputs);
    await learnList(learner, REFRESH_DATES, inputs, form);
    const { data } = learner.asker.profile;
    const [stated] = exampleValuesOf(data, 'measure', { operation: SHARE_PROMPTS, catalogueId });
    const measure = stated ?? [examples.measure].flat()[0];
    await learnList(
      learner,
      SHARE_PROMPTS,
      { ...inputs, ...(measure !== undefined && { measure: measure as InputValue }) },
      form,
    );
    if (!(await learnList(learner, LOGICAL_DIMENSIONS, inputs, form))) continue;
    learner.structure.accept(CATALOGUES, catalogueId);
    await descend(learner, LOGICAL_DIMENSIONS, inputs, form, at > 0);
  }
}

/** Adds the answer to the same request with other inputs. */
async function keepAnother(learner: Learner, key: OperationKey, inputs: Inputs): Promise<void> {
  const answer = await learner.ask(key, inputs);
  if (answer?.isSuccess) learner.operation(key).answers.push(answer);
}

/** The values of a place in the last answer of an operation, in their type. */
function valuesAt(learner: Learner, key: OperationKey, place: unknown): InputValue[] {
  const { bound, answers } = learner.operation(key);
  const last = answers.at(-1);
  if (!bound || !last) return [];
  const rows = readRows({ ...bound.response, fields: { id: place } }, last);
  return rows.flatMap(({ id }) => (typeof id === 'string' || typeof id === 'number' ? [id] : []));
}

/** The ids of the rows that an operation lists: its likely ids, else columns of different codes, else the names. */
function idsOf(learner: Learner, key: OperationKey): InputValue[][] {
  const { bound } = learner.operation(key);
  if (!bound) return [];
  const { likely, places } = bound;
  const codes = likely.id === undefined ? codesIn(places).map(({ selector }) => selector) : [likely.id];
  const stated = learner.asker.stated[key]?.response?.fields?.id;
  const columns = [...codes.slice(0, MAX_COLUMNS), likely.id === undefined ? likely.name : stated];
  return columns
    .filter((each) => each !== undefined)
    .map((each) => valuesAt(learner, key, each))
    .filter((ids) => ids.length > 0 && (likely.id !== undefined || new Set(ids).size === ids.length))
    .map((ids) => [...new Set(ids)]);
}

/** The examples that a start states for the ids of a list. */
const examplesBelow = (data: Profile['data'], parent: OperationKey, catalogueId: InputValue | undefined) =>
  CATALOGUE_GRAPH.flatMap(({ child, parent: from, as }) =>
    from === parent ? exampleValuesOf(data, as, { operation: child, catalogueId }).slice(0, 1) : [],
  );

/** Requests the operations below some items of a list; where its ids are not known, by one column after the other. */
async function descend(
  learner: Learner,
  parent: OperationKey,
  above: Inputs,
  form: BodyForm,
  isShort: boolean,
): Promise<void> {
  const listed = idsOf(learner, parent);
  const { data } = learner.asker.profile;
  const lists = listed.length > 0 ? listed : [examplesBelow(data, parent, above.catalogueId)];
  for (const all of lists) {
    let isAccepted = false;
    // The last level of a tree is its lowest one.
    const ids = [...new Set([all[0], all.at(-1), all[all.length >> 1]])].filter((each) => each !== undefined);
    for (const { child, parent: from, as } of CATALOGUE_GRAPH) {
      if (from !== parent) continue;
      for (const id of ids.slice(0, isShort ? 2 : MAX_ITEMS)) {
        const inputs = { ...above, [as]: id };
        if (!(await learnList(learner, child, inputs, form))) continue;
        isAccepted = true;
        learner.structure.accept(parent, id);
        await descend(learner, child, inputs, form, true);
        if (learner.operation(child).answers.length > 1) break;
      }
    }
    if (isAccepted) break;
  }
}

/** Requests a list with all its inputs, searching the names that are not known; returns whether it has rows. */
async function learnList(learner: Learner, key: OperationKey, inputs: Inputs, form: BodyForm): Promise<boolean> {
  const operation = learner.operation(key);
  const names = Object.keys(inputs) as Input[];
  const templates: PlainObject[] = [];
  if (operation.answers.length > 0) templates.push(operation.request);
  else {
    const stated = learner.asker.stated[key]?.request;
    templates.push(...learner.requests(key).filter((each) => each === stated || mentions(each, names)));
    if (names.every((input) => form.isPositional || form.names.has(input))) templates.push(requestOf(names, form));
  }
  for (const request of templates) if (await keep(learner, key, request, inputs)) return true;
  const unknown = names.find((input) => !form.names.has(input));
  if (operation.answers.length > 0 || form.isPositional || unknown === undefined) return false;
  const others = names.filter((input) => input !== unknown);
  const carrier: Carrier = (candidates, input) =>
    form.carry({
      ...membersOf(others, form),
      ...Object.fromEntries(candidates.map((name) => [name, `{${input}}`])),
    }) as ReturnType<Carrier>;
  const refused = await learner.ask(key, inputs, requestOf(others, form));
  const taken = new Set(form.names.values());
  const name = await findName(learner.asker, {
    operation: key,
    input: unknown,
    carrier,
    names: [
      namesMentioned(refused),
      ...(learner.describedBody(key)
        ? [[...(learner.describedBody(key)?.names ?? [])]]
        : namesFor(unknown, spellingOfBody(learner, form))),
    ].map((chunk) => chunk.filter((each) => !taken.has(each))),
    value: inputs[unknown] as InputValue,
    inputs,
    usual: refused,
    hasEffect: (answer) => !refused?.isSuccess || JSON.stringify(answer.document) !== JSON.stringify(refused.document),
  });
  if (name === undefined) return false;
  form.names.set(unknown, name);
  return keep(learner, key, requestOf(names, form), inputs);
}

/** Whether a request carries inputs: a draft may have an example in their place. */
const mentions = (request: PlainObject, inputs: readonly Input[]): boolean => {
  const mentioned = mentionedInputs(request as RequestTemplate);
  return inputs.every((input) => mentioned.has(input));
};

/** Sends a request, keeps its answer, and returns whether it has rows. */
export async function keep(
  learner: Learner,
  key: OperationKey,
  request: PlainObject,
  inputs: Inputs,
): Promise<boolean> {
  const operation = learner.operation(key);
  const answer = await learner.ask(key, inputs, request);
  if (!answer?.isSuccess) return false;
  if (operation.answers.length === 0)
    learner.settled.push({ path: ['operations', key, 'request'], evidence: 'accepts the ids of the list above' });
  operation.request = request;
  operation.answers.push(answer);
  learner.bind(key);
  if (operation.answers.length === 1) await learnPages(learner, key, false);
  const { bound } = operation;
  return bound !== undefined && readRows(bound.response, answer).length > 0;
}

const membersOf = (inputs: readonly Input[], { names }: BodyForm): PlainObject =>
  Object.fromEntries(inputs.flatMap((input) => (names.has(input) ? [[names.get(input), `{${input}}`]] : [])));

const requestOf = (inputs: readonly Input[], form: BodyForm): PlainObject =>
  form.isPositional ? { json: inputs.map((input) => `{${input}}`) } : form.carry(membersOf(inputs, form));

/** Names of other members of bodies show how names are written. */
const spellingOfBody = (learner: Learner, { names }: BodyForm) => {
  const own = spellingOf([...names.values()]);
  return own.styles.length > 0 ? { ...own, styles: [...own.styles, ...learner.spelling().styles] } : learner.spelling();
};

/** Finds how a request carries the id of a catalogue, by requests to the list of catalogues or, without a known id, to none. */
async function findBodyForm(learner: Learner, known: readonly InputValue[]): Promise<BodyForm | undefined> {
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
  const bare = await learner.ask(CATALOGUES, {}, bareRequest);
  if (bare?.isSuccess) {
    Object.assign(operation, { request: bareRequest, answers: [bare] });
    learner.bind(CATALOGUES);
    const below = stated[LOGICAL_DIMENSIONS]?.request as PlainObject | undefined;
    if (below) return formOf(below);
  }
  const id = first ?? idsOf(learner, CATALOGUES)[0]?.[0];
  if (id === undefined) return undefined;
  const key = bare?.isSuccess ? LOGICAL_DIMENSIONS : CATALOGUES;
  const refused = bare?.isSuccess ? await learner.ask(key, {}, { json: {} }) : bare;
  const hasEffect = (answer: Answer): boolean =>
    !refused?.isSuccess || JSON.stringify(answer.document) !== JSON.stringify(refused.document);
  const chunks = [namesMentioned(refused), ...namesFor('catalogueId', learner.spelling())];
  const inputs = { catalogueId: id };
  const find = (carry: BodyForm['carry'], names = chunks) =>
    findName(learner.asker, {
      operation: key,
      input: 'catalogueId',
      carrier: (candidates, input) =>
        carry(Object.fromEntries(candidates.map((name) => [name, `{${input}}`]))) as ReturnType<Carrier>,
      names,
      value: id,
      usual: refused,
      hasEffect,
    });
  const begin = async (form: BodyForm): Promise<BodyForm> => {
    if (!bare?.isSuccess) await keep(learner, CATALOGUES, requestOf(['catalogueId'], form), inputs);
    return form;
  };
  const described = learner.describedBody(key);
  if (described && described.form !== 'array') {
    const { form, wrapper, names } = described;
    const carry = (members: PlainObject) =>
      wrapper === undefined ? { [form]: members } : { [form]: { [wrapper]: members } };
    const name = await find(carry, [[...names]]);
    if (name !== undefined) return begin({ carry, names: new Map([['catalogueId', name]]) });
  }
  for (const { carry } of described?.form === 'array' ? [] : FORMS) {
    const name = await find(carry);
    if (name !== undefined) return begin({ carry, names: new Map([['catalogueId', name]]) });
  }
  const positional = await learner.ask(key, inputs, { json: ['{catalogueId}'] });
  if (positional?.isSuccess && hasEffect(positional))
    return begin({ carry: (members) => ({ json: Object.values(members) }), names: new Map(), isPositional: true });
  const all = chunks.flat();
  const wrappers = [
    ...new Set(
      WRAPPERS.split(', ').flatMap((each) => [each, each[0]?.toUpperCase() + each.slice(1), each.toUpperCase()]),
    ),
  ];
  const prefixed = learner.spelling().prefixes.flatMap((prefix) => wrappers.map((each) => prefix + each));
  const wrapper = await findName(learner.asker, {
    operation: key,
    input: 'catalogueId',
    carrier: (candidates, input) =>
      ({
        json: Object.fromEntries(
          candidates.map((each) => [each, Object.fromEntries(all.map((name) => [name, `{${input}}`]))]),
        ),
      }) as ReturnType<Carrier>,
    names: [[...prefixed, ...wrappers]],
    value: id,
    usual: refused,
    hasEffect,
  });
  if (wrapper === undefined) return undefined;
  const carry = (members: PlainObject) => ({ json: { [wrapper]: members } });
  const name = await find(carry);
  return name === undefined ? undefined : begin({ carry, names: new Map([['catalogueId', name]]) });
}

/** The form of a request that a description drafts. */
function formOf(request: PlainObject): BodyForm {
  const names = new Map<Input, string>();
  const { json, form, query } = request as { json?: unknown; form?: PlainObject; query?: PlainObject };
  if (Array.isArray(json)) return { carry: (members) => ({ json: Object.values(members) }), names, isPositional: true };
  const read = (members: PlainObject): void => {
    for (const [name, value] of Object.entries(members)) {
      const input = typeof value === 'string' ? /^\{(\w+)\}$/.exec(value)?.[1] : undefined;
      if (input !== undefined) names.set(input as Input, name);
    }
  };
  const members = (json ?? form ?? query ?? {}) as PlainObject;
  read(members);
  const [wrapper] = Object.entries(members).filter(([, value]) => typeof value === 'object' && value !== null);
  if (names.size === 0 && wrapper) {
    read(wrapper[1] as PlainObject);
    return { carry: (each) => ({ json: { [wrapper[0]]: each } }), names };
  }
  if (form) return { carry: (each) => ({ form: each }), names };
  return { carry: (each) => ({ json: each }), names };
}
