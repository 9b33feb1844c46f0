/** Learns group C: categories, products, their delta and look-ups (section 4.3). */

import {
  ALL_CATEGORIES,
  ALL_PRODUCTS,
  type Input,
  type OperationKey,
  PRODUCT_LOOKUP,
  UPDATE_PRODUCTS,
} from '../../contract/index.ts';
import { exampleValuesOf } from '../../profile/example-values.ts';
import { objectAt, type PlainObject } from '../../profile/plain-object.ts';
import type { Row } from '../../reading/types.ts';
import { declarationsOf } from '../../rule/declarations.ts';
import type { Answer } from '../ask.ts';
import { placesBeside } from '../binding/beside.ts';
import { readRows } from '../binding/read-rows.ts';
import { isAlike, keepStatedFilter, keepStatedWindow, sizeOf } from '../declared/stated-request.ts';
import type { Learner } from '../learner.ts';
import { contrastOf } from '../refusals.ts';
import type { Question } from '../types.ts';
import { whyNotWhole } from '../whole-lists.ts';
import { findPaging, learnPageSize, pagingLike, statedSecondPage } from './paging.ts';
import { findName, findRefusedName, inParameters, pathOfParameter, type Search } from './parameters.ts';
import { WINDOW_SPELLINGS } from './window-spellings.ts';

const LOOK_UPS = 3;
const MAX_EXAMPLES = 2;
const MORE_VALUES = 2;

/** Sends the bare requests of the lists. */
export async function beginProducts(learner: Learner): Promise<void> {
  for (const key of [ALL_CATEGORIES, ALL_PRODUCTS, UPDATE_PRODUCTS] as const) await learner.begin(key);
}

/** Finds the parameters of the lists, and looks products up. */
export async function learnProducts(learner: Learner): Promise<void> {
  await learnPages(learner, ALL_CATEGORIES, false);
  await learnPages(learner, ALL_PRODUCTS, true);
  await learnLookUp(learner);
  await learnWindow(learner);
  const numbered = ['page', 'offset'].includes(String(learner.operations.get(ALL_PRODUCTS)?.paging?.style));
  await learnPages(learner, UPDATE_PRODUCTS, numbered);
  await learnCategoryFilters(learner);
}

/** Finds the paging of a list, and keeps its second page. */
export async function learnPages(learner: Learner, key: OperationKey, mayBeNumbered: boolean): Promise<void> {
  const operation = learner.operation(key);
  const [answer] = operation.answers;
  const rows = operation.bound?.response.rows;
  if (!answer || typeof rows !== 'string') return;
  const stated = learner.asker.stated[key]?.response?.paging;
  const second = stated && (await statedSecondPage(learner, key, answer, rows, stated));
  if (second) operation.answers.push(second);
  if (second) learner.settled.push({ path: ['operations', key, 'response', 'paging'], evidence: 'followed once' });
  operation.paging = stated as PlainObject | undefined;
  if (stated) return;
  const found =
    (await findPaging(learner, key, answer, rows, mayBeNumbered || whyNotWhole(learner, key) !== undefined)) ??
    (mayBeNumbered ? await pagingLike(learner, ALL_PRODUCTS, key, answer, rows) : undefined);
  operation.paging = found?.paging;
  if (!found) return;
  if (found.name !== undefined)
    operation.request = inParameters(operation.request)([found.name], found.paging.style as Input) as PlainObject;
  if (found.second) operation.answers.push(found.second);
  learner.settled.push({ path: ['operations', key, 'response', 'paging'], evidence: found.evidence });
  await learnPageSize(learner, key, answer, rows);
}

/** UPCs of a list, spread over it. */
const upcsIn = (rows: readonly Row[]): string[] => {
  const upcs = [...new Set(rows.map(({ upc }) => upc).filter((each) => typeof each === 'string'))];
  return [0, 0.5, 0.99].flatMap((part) => upcs[Math.floor(upcs.length * part)] ?? []).slice(0, LOOK_UPS);
};

/** Whether a service refuses what was asked for; a server error is no answer to it. */
const isRefused = ({ isSuccess, status }: Answer): boolean => !isSuccess && status >= 400 && status < 500;

async function learnLookUp(learner: Learner): Promise<void> {
  const operation = learner.operation(PRODUCT_LOOKUP);
  const recorded = learner.recordedWith(PRODUCT_LOOKUP, 'upc').map(({ upc }) => String(upc));
  const examples = exampleValuesOf(learner.asker.profile.data, 'upc', { operation: PRODUCT_LOOKUP });
  const upcs = [
    ...(recorded.length > 0 ? recorded.slice(0, LOOK_UPS) : upcsIn(learner.operation(ALL_PRODUCTS).rows)),
    ...examples.slice(0, MAX_EXAMPLES).map(String),
  ];
  for (const upc of new Set(upcs))
    for (const request of [...learner.requests(PRODUCT_LOOKUP), {}]) {
      const answer = await learner.ask(PRODUCT_LOOKUP, { upc }, request);
      if (!answer?.isSuccess) continue;
      operation.request = request;
      operation.answers.push(answer);
      break;
    }
  const [found] = operation.answers;
  if (found) {
    const { upc } = found.inputs;
    learner.promises.push({ path: ['examples', 'upc'], value: [upc], seen: 'looked up once' });
    learner.settled.push({
      path: ['operations', PRODUCT_LOOKUP, 'request'],
      evidence: `look-up of ${operation.answers.length}`,
    });
  }
  if (upcs.length > 0) {
    const { unknownUpc } = declarationsOf(learner.asker.profile);
    let unknown = await learner.ask(PRODUCT_LOOKUP, { upc: unknownUpc });
    const contrast = unknown?.isSuccess && contrastOf(operation.answers, unknown);
    if (contrast) {
      learner.addRefusal(contrast);
      unknown = undefined;
    }
    if (unknown && isRefused(unknown))
      learner.promises.push({
        path: ['statuses', 'unknown'],
        value: [unknown.status],
        seen: 'an invented UPC, 1 call',
      });
    const malformed = await learner.ask(PRODUCT_LOOKUP, { upc: '12345' });
    if (malformed && isRefused(malformed))
      learner.promises.push({
        path: ['statuses', 'malformed'],
        value: [malformed.status],
        seen: 'a UPC of 5 digits, 1 call',
      });
  }
}

/** Whether an answer has other rows than the usual one. */
function hasOtherRows(learner: Learner, key: OperationKey, usual: Answer | undefined) {
  const { bound } = learner.operation(key);
  if (!usual || !bound?.response.rows) return (answer: Answer) => answer.isSuccess && !isAlike(answer, usual);
  const upcsOf = (answer: Answer) => JSON.stringify(readRows(bound.response, answer).map((row) => row.upc ?? row));
  const known = upcsOf(usual);
  return (answer: Answer) => answer.isSuccess && upcsOf(answer) !== known;
}

async function learnWindow(learner: Learner): Promise<void> {
  const key: OperationKey = UPDATE_PRODUCTS;
  const operation = learner.operation(key);
  if (typeof operation.bound?.response.rows === 'object') {
    learner.settled.push({ path: ['operations', key, 'request'], evidence: 'one response has all windows' });
    return;
  }
  if (await keepStatedWindow(learner)) return;
  const [usual] = operation.answers;
  const request = operation.request;
  const refused = usual ? undefined : await learner.ask(key);
  const search: Omit<Search, 'hasEffect' | 'value'> = {
    operation: key,
    input: 'window' as const,
    carrier: inParameters(request),
    usual: usual ?? refused,
    names: learner.namesFor(key, 'window'),
  };
  const hasEffect = hasOtherRows(learner, key, usual);
  const known = learner.requests(key).flatMap((each) => {
    const { window } = objectAt(each, 'spellings') as { window?: Record<string, string | number> };
    return window ? [[window['1'], window['4'], window['13']] as [string, string, string]] : [];
  });
  // A response may repeat the window under the name of the parameter.
  const beside = usual ? placesBeside([usual]).flatMap(({ names: path }) => path.at(-1) ?? []) : [];
  // Each spelling is tried with all names: one request for each.
  let names: readonly (readonly string[])[] = [[...new Set([...search.names.flat(), ...beside])]];
  const invented = { ...search, names, value: 'zz-none' };
  const strict = usual && (await findRefusedName(learner.asker, invented));
  if (strict !== undefined) names = [[strict]];
  const refusal = strict && (await learner.ask(key, { window: 'zz-none' }, search.carrier([strict], 'window')));
  const spellings = [...known, ...(refusal ? listedThree(refusal.text) : []), ...WINDOW_SPELLINGS];
  let partial: Question | undefined;
  for (const [one, four, thirteen] of spellings) {
    let name: string | undefined;
    // The list without a window may be that of one of them.
    for (const value of usual ? [thirteen, four] : [thirteen, four, one])
      name ??= await findName(learner.asker, { ...search, names, value, hasEffect });
    if (name === undefined) continue;
    const isPlain = one === 1;
    const template = {
      ...inParameters(request)([name], 'window'),
      ...(!isPlain && { spellings: { window: { '1': one, '4': four, '13': thirteen } } }),
    };
    const answers: Answer[] = [];
    for (const weeks of [1, 4, 13]) {
      const answer = await learner.ask(key, { window: weeks }, template);
      if (answer?.isSuccess) answers.push(answer);
    }
    const [first, , third] = answers;
    const last = third ?? answers[1];
    if (!first || !last || isAlike(first, last)) continue;
    const path = pathOfParameter(key, template, 'window');
    const sizes = answers.map(sizeOf).join(', ');
    if (!third) {
      const evidence = `two of three windows, ${sizes} characters`;
      partial ??= { path: ['operations', key, 'request'], rivals: [{ value: template, evidence }] };
      continue;
    }
    operation.request = template;
    operation.answers = [last, first];
    learner.bind(key);
    learner.settled.push({ path, evidence: `three windows, ${sizes} characters` });
    return;
  }
  // Either the service refuses a window that it should have, or it writes one in another way.
  if (partial) {
    learner.questions.push(partial);
    return;
  }
  learner.open.push({
    path: ['operations', key, 'request'],
    why: 'no parameter selects the window of 1, 4 or 13 weeks',
  });
}

/** Three values that the text of a refusal lists, as in “week, month or quarter”. */
const listedThree = (text: string): [string, string, string][] =>
  [
    ...text.matchAll(
      /([\w-]+)["'”’`]?\s*[,|/]\s*["'“‘`]?([\w-]+)["'”’`]?\s*(?:[,|/]|,?\s\w{1,4}\s)\s*["'“‘`]?([\w-]+)/g,
    ),
  ].map(([, one = '', four = '', thirteen = '']) => [one, four, thirteen]);

/** The values by which a filter can be recognised: some, but not all rows have them. The rarest is the first. */
function valuesToFilter(rows: readonly Row[], field: FilterField): string[] {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = row[field];
    if (typeof value === 'string') counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const first = rows[0]?.[field];
  return [...counts]
    .filter(([value, count]) => count < rows.length && value !== first)
    .sort(([, x], [, y]) => x - y)
    .map(([value]) => value);
}

async function learnCategoryFilters(learner: Learner): Promise<void> {
  for (const key of [ALL_PRODUCTS, UPDATE_PRODUCTS] as const) {
    const found = [];
    for (const field of ['category', 'categoryId'] as const) found.push(await learnFilter(learner, key, field));
    if (!found.includes(true))
      learner.open.push({ path: ['operations', key, 'request'], why: 'no parameter filters the rows by category' });
  }
}

/** The share of the rows of a filtered list that have the value: a rule judges the others. */
const NEARLY_ALL = 0.8;

/** The fields by which lists are filtered (sections 4.3 and 4.4). */
export type FilterField = 'category' | 'categoryId' | 'subCategory' | 'manufacturer' | 'brand';

/** Finds the parameter that filters the rows of an operation by a field, and returns whether there is one. */
export async function learnFilter(learner: Learner, key: OperationKey, input: FilterField): Promise<boolean> {
  const operation = learner.operation(key);
  const { bound, request } = operation;
  const [usual] = operation.answers;
  if (!bound || !usual) return false;
  const isInRows = operation.rows.some((row) => row[input] !== undefined);
  const all = [...operation.rows, ...[...learner.operations.values()].flatMap((each) => each.rows)];
  const inRows = new Set((isInRows ? operation.rows : all).flatMap((row) => row[input]).map(String));
  const recorded = learner.recordedWith(key, input).find((each) => inRows.has(String(each[input])));
  // The first pages may have one value only.
  const values = [...valuesToFilter(operation.rows, input), ...valuesToFilter(all, input)];
  const value = recorded?.[input] ?? values[0];
  if (value === undefined) return false;
  const inputs = { ...(recorded ?? usual.inputs), [input]: value };
  const known = new Set(readRows(bound.response, usual).map(namesOf));
  const figures = JSON.stringify(readRows(bound.response, usual));
  const fitsIn = (found: readonly Row[]): number =>
    found.filter((row) => [row[input]].flat().map(String).includes(String(value))).length;
  const hasEffect = (answer: Answer): boolean => {
    const found = readRows(bound.response, answer);
    if (found.length === 0) return false;
    if (isInRows) return fitsIn(found) >= found.length * NEARLY_ALL;
    // The rows do not name what they are filtered by: they are some of all rows, with other figures.
    return JSON.stringify(found) !== figures && found.every((row) => known.has(namesOf(row)));
  };
  if (await keepStatedFilter(learner, key, input, inputs, hasEffect)) return true;
  const { query, headers } = inParameters(request)([], input);
  const kept = { ...query, ...headers };
  const name = await findName(learner.asker, {
    operation: key,
    input,
    carrier: inParameters(request),
    names: learner.namesFor(key, input).map((chunk) => chunk.filter((each) => !(each in kept))),
    value,
    inputs,
    hasEffect,
  });
  if (name === undefined) return false;
  operation.request = inParameters(request)([name], input) as PlainObject;
  // What responses say of the filter, and the number of rows that another list states, show on several values.
  if (key === ALL_PRODUCTS)
    for (const each of new Set(values.slice(1, 1 + MORE_VALUES))) await learner.ask(key, { ...inputs, [input]: each });
  const path = pathOfParameter(key, operation.request, input);
  const filtered = isInRows ? await learner.ask(key, inputs) : undefined;
  const found = filtered ? readRows(bound.response, filtered) : [];
  const others = found.length - fitsIn(found);
  if (others > 0)
    learner.defects.push({ path, sentence: `${others} of ${found.length} filtered rows have another ${input}` });
  const evidence = isInRows
    ? `${others > 0 ? 'nearly ' : ''}every row of the filtered list has the ${input}`
    : 'a part of the rows, with other figures';
  learner.settled.push({ path, evidence });
  return true;
}

const namesOf = (row: Row): string =>
  JSON.stringify([row.upc, row.category, row.subCategory, row.manufacturer, row.brand]);
