/** Learns group B: a catalogue and the tree of its metadata, by ids that one list has and the next operation accepts (section 4.2). */

import {
  CATALOGUE_GRAPH,
  CATALOGUES,
  DIMENSION_ROWS,
  type Input,
  LOGICAL_DIMENSIONS,
  type OperationKey,
  REFRESH_DATES,
  SHARE_PROMPTS,
} from '../../contract/index.ts';
import { exampleValuesOf } from '../../profile/example-values.ts';
import type { PlainObject } from '../../profile/plain-object.ts';
import type { Profile } from '../../profile/schema.ts';
import type { Inputs, InputValue } from '../../profile/template.ts';
import { idNamesOf } from '../binding/candidates.ts';
import { codesIn } from '../binding/columns.ts';
import type { Place } from '../binding/places.ts';
import { readRows } from '../binding/read-rows.ts';
import { STEP } from '../described-names.ts';
import type { Learner } from '../learner.ts';
import { isNameOf, namesFor, spellingOf } from '../words.ts';
import { type BodyForm, besideKnown, bodyPath, findBodyForm, formOf, inBody, mentions } from './body-forms.ts';
import { findName } from './parameters.ts';
import { learnPages } from './products.ts';

const MAX_ITEMS = 3;
const MAX_COLUMNS = 3;
const MAX_MEASURES = 2;

/** Learns the operations of the group from the ids that are known beforehand, or that the first list has. */
export async function learnCatalogue(learner: Learner, examples: PlainObject): Promise<void> {
  const known = [examples.catalogueId]
    .flat()
    .filter((each): each is InputValue => ['string', 'number'].includes(typeof each));
  const form = await findBodyForm(learner, known, () => idsOf(learner, CATALOGUES)[0]?.[0]);
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
  await narrowCatalogues(learner, ids[0], form);
  const accepted: InputValue[] = [];
  for (const [at, catalogueId] of ids.entries()) {
    const inputs = { catalogueId };
    if (at > 0) await keepAnother(learner, CATALOGUES, inputs);
    await learnList(learner, REFRESH_DATES, inputs, form);
    const isTree = await learnList(learner, LOGICAL_DIMENSIONS, inputs, form);
    if (isTree) {
      learner.structure.accept(CATALOGUES, catalogueId);
      accepted.push(catalogueId);
      await descend(learner, LOGICAL_DIMENSIONS, inputs, form, at > 0);
    }
    const stated = exampleValuesOf(learner.asker.profile.data, 'measure', { operation: SHARE_PROMPTS, catalogueId });
    const described = [examples.measure].flat().filter((each): each is InputValue => each !== undefined);
    await learnPrompts(learner, inputs, { stated, described }, form);
  }
  if (accepted.length > 0) learner.examples.catalogueId = accepted;
}

/** Requests the prompts of a measure that is known beforehand or, without one, of a row of a dimension that is accepted as one. */
async function learnPrompts(
  learner: Learner,
  above: { readonly catalogueId: InputValue },
  { stated, described }: { readonly stated: readonly InputValue[]; readonly described: readonly InputValue[] },
  form: BodyForm,
): Promise<void> {
  if (learner.asker.stated[SHARE_PROMPTS]?.request && stated.length === 0) {
    await learnList(learner, SHARE_PROMPTS, above, form);
    return;
  }
  const { bound, answers } = learner.operation(DIMENSION_ROWS);
  const listed = answers
    .filter(({ inputs }) => inputs.catalogueId === above.catalogueId)
    .flatMap((answer) => readRows({ ...bound?.response, fields: { id: bound?.likely.id } }, answer)[0]?.id ?? []);
  const candidates = [...new Set([...stated, ...described, ...(listed as InputValue[]).slice(0, MAX_MEASURES)])];
  for (const measure of candidates) {
    if (!(await learnList(learner, SHARE_PROMPTS, { ...above, measure }, form))) continue;
    if (!stated.includes(measure))
      learner.examples.byCatalogue = {
        ...(learner.examples.byCatalogue as PlainObject),
        [String(above.catalogueId)]: { measure: [measure] },
      };
    return;
  }
}

/** Requests one catalogue only, where the list of all of them takes an id, too. */
async function narrowCatalogues(learner: Learner, catalogueId: InputValue | undefined, form: BodyForm): Promise<void> {
  const { answers, request } = learner.operation(CATALOGUES);
  const isStated = learner.asker.stated[CATALOGUES]?.request !== undefined;
  if (catalogueId === undefined || isStated || mentions(request, ['catalogueId'])) return;
  const narrow = requestOf(['catalogueId'], form);
  const answer = await learner.ask(CATALOGUES, { catalogueId }, narrow);
  const [all] = answers;
  if (!answer?.isSuccess || JSON.stringify(answer.document) === JSON.stringify(all?.document)) return;
  Object.assign(learner.operation(CATALOGUES), { request: narrow, answers: [...answers, answer] });
  learner.bind(CATALOGUES);
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

/**
 * The ids of the rows that an operation lists, the likeliest column first: that which is named as the input of the next
 * operation is, the likely ids, columns of different codes, the names.
 */
function idsOf(learner: Learner, key: OperationKey): InputValue[][] {
  const { bound } = learner.operation(key);
  if (!bound) return [];
  const { likely, places } = bound;
  const codes = codesIn(places);
  const isNamed = ({ names }: Place) => idNamesOf(key).some((each) => isNameOf(each, names.at(-1) ?? ''));
  const named = new Set(codes.filter(isNamed).map(({ selector }) => selector));
  const stated = learner.asker.stated[key]?.response?.fields?.id;
  const columns = [
    ...[...named, likely.id ?? [], ...codes.map(({ selector }) => selector)].flat().slice(0, MAX_COLUMNS),
    likely.id === undefined ? likely.name : stated,
  ];
  return [...new Set(columns)].flatMap((each) => {
    const ids = each === undefined ? [] : valuesAt(learner, key, each);
    const different = [...new Set(ids)];
    const mayRepeat = likely.id !== undefined || named.has(String(each));
    return ids.length > 0 && (mayRepeat || different.length === ids.length) ? [different] : [];
  });
}

/** The examples that a start states for the ids of a list. */
const examplesBelow = (data: Profile['data'], parent: OperationKey, catalogueId: InputValue | undefined) =>
  CATALOGUE_GRAPH.flatMap(({ child, parent: from, as }) =>
    from === parent ? exampleValuesOf(data, as, { operation: child, catalogueId }).slice(0, 1) : [],
  );

/** The item with the greatest number, which may count the rows below it: only a long list shows that it has pages. */
function longestBelow(learner: Learner, parent: OperationKey, ids: readonly InputValue[]): InputValue | undefined {
  for (const { selector } of learner.operation(parent).bound?.places ?? []) {
    const numbers = valuesAt(learner, parent, selector).map(Number);
    const isCount = numbers.length === ids.length && numbers.every((each) => Number.isInteger(each) && each >= 0);
    if (isCount && new Set(numbers).size > 1) return ids[numbers.indexOf(Math.max(...numbers))];
  }
  return undefined;
}

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
    const longest = longestBelow(learner, parent, all);
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
      const { answers } = learner.operation(child);
      if (longest !== undefined && answers.length > 0 && answers.every(({ inputs }) => inputs[as] !== longest))
        await keepAnother(learner, child, { ...above, [as]: longest });
    }
    if (isAccepted) break;
  }
}

/** Requests a list with its inputs, searching the name of the last one; returns whether it has rows. */
async function learnList(learner: Learner, key: OperationKey, inputs: Inputs, form: BodyForm): Promise<boolean> {
  const operation = learner.operation(key);
  const names = Object.keys(inputs) as Input[];
  const last = names.at(-1) as Input;
  const isKnown = (input: Input): boolean => form.isPositional === true || form.names.has(input);
  const templates: PlainObject[] = [];
  if (operation.answers.length > 0) templates.push(operation.request);
  else {
    const stated = learner.asker.stated[key]?.request;
    const known = learner.requests(key);
    templates.push(...known.filter((each) => each === stated || mentions(each, [names[0] as Input, last])));
    // A draft may have an example in place of another input.
    for (const each of known) {
      const name = formOf(each).names.get(last);
      if (name !== undefined && !form.names.has(last)) form.names.set(last, name);
    }
    // Some services refuse a member that they do not need.
    if (isKnown(last)) for (const sent of [names, [names[0] as Input, last]]) templates.push(requestOf(sent, form));
  }
  for (const request of templates) {
    const hasRows = await keep(learner, key, request, inputs);
    if (operation.answers.length > 0)
      for (const [input, name] of formOf(operation.request).names)
        if (!form.names.has(input)) form.names.set(input, name);
    if (hasRows) return true;
  }
  if (operation.answers.length > 0 || isKnown(last)) return false;
  const others = names.filter((input) => input !== last && isKnown(input));
  const usual = await learner.ask(key, inputs, requestOf(others, form));
  const taken = new Set(form.names.values());
  const described = learner.describedBody(key)?.names;
  const plain = described ? [[...described]] : namesFor(last, spellingOfBody(learner, form));
  const all = described ? plain : besideKnown(taken, plain);
  const name = await findName(learner.asker, {
    operation: key,
    input: last,
    carrier: (names, input) => inBody(form.carry, membersOf(others, form))(names.map(bodyPath), input),
    names: all.map((chunk) => chunk.filter((each) => !taken.has(each))),
    value: inputs[last] as InputValue,
    inputs,
    usual,
    hasEffect: (answer) => !usual?.isSuccess || JSON.stringify(answer.document) !== JSON.stringify(usual.document),
  });
  if (name === undefined) return false;
  form.names.set(last, bodyPath(name));
  return keep(learner, key, requestOf([...others, last], form), inputs);
}

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

const membersOf = (inputs: readonly Input[], { names, isPositional }: BodyForm): PlainObject =>
  Object.fromEntries(
    inputs.flatMap((input) => (isPositional || names.has(input) ? [[names.get(input) ?? input, `{${input}}`]] : [])),
  );

const requestOf = (inputs: readonly Input[], form: BodyForm): PlainObject => form.carry(membersOf(inputs, form));

/** Names of other members of bodies show how names are written. */
const spellingOfBody = (learner: Learner, { names }: BodyForm) => {
  const own = spellingOf(
    [...names.values()].map(
      (name) =>
        name
          .split(STEP)
          .filter((each) => each !== 'id')
          .at(-1) ?? '',
    ),
  );
  return own.styles.length > 0 ? { ...own, styles: [...own.styles, ...learner.spelling().styles] } : learner.spelling();
};
