/** Finds what responses say about themselves: how many rows there are, and what was asked for. */

import { isDeepStrictEqual } from 'node:util';
import {
  ALL_CATEGORIES,
  ALL_PRODUCTS,
  CATALOGUE_GRAPH,
  CATALOGUES,
  echoedInputs,
  type Input,
  LOGICAL_DIMENSIONS,
  listOperations,
  type OperationKey,
  PAGING_INPUTS,
  REFRESH_DATES,
} from '../contract/index.ts';
import { wordsOf } from '../profile/openapi/name-words.ts';
import { objectAt, type PlainObject } from '../profile/plain-object.ts';
import { compileSelector } from '../profile/selector.ts';
import { type Answer, linkIn } from './ask.ts';
import { firstValueAt, placesBeside } from './binding/beside.ts';
import { ASKED_CATALOGUE } from './binding/columns.ts';
import { type Place, placesIn } from './binding/places.ts';
import { readRows } from './binding/read-rows.ts';
import { rowNodes } from './binding/shaped-lists.ts';
import { type Learner, withoutPage } from './learner.ts';
import { whyNotWhole } from './whole-lists.ts';

/** How often a place had the value that it should have. */
interface Vote {
  readonly place: Place;
  readonly values: Set<string>;
  /** How many responses of an operation have another value, and how many it has. */
  readonly misfits: Map<OperationKey, { count: number; of: number }>;
  fits: number;
  of: number;
}

const COUNT_NAME = /total|count|number|size|rows|records|results|hits|length|found|anzahl|nombre/i;

/** The rows that other lists return for each row of a list, and the input that names the row. */
const COUNTED: readonly {
  parent: OperationKey;
  child: OperationKey;
  as: Input;
  by: 'id' | 'category' | 'categoryId';
}[] = [
  ...CATALOGUE_GRAPH.map((edge) => ({ ...edge, by: 'id' as const })),
  { parent: CATALOGUES, child: LOGICAL_DIMENSIONS, as: 'catalogueId', by: 'id' },
  { parent: CATALOGUES, child: REFRESH_DATES, as: 'catalogueId', by: 'id' },
  { parent: ALL_CATEGORIES, child: ALL_PRODUCTS, as: 'category', by: 'category' },
  { parent: ALL_CATEGORIES, child: ALL_PRODUCTS, as: 'categoryId', by: 'categoryId' },
];

/** Adds counts and echoes to the operations that the answers of all requests show to have them. */
export function learnStatements(learner: Learner): void {
  learnCounts(learner);
  learnRowCounts(learner);
  learnEchoes(learner);
}

const nodesIn = (learner: Learner, answer: Answer): readonly unknown[] | undefined =>
  rowNodes(learner.operation(answer.operation).bound?.response ?? {}, answer);

const rowsIn = (learner: Learner, answer: Answer): number | undefined => nodesIn(learner, answer)?.length;

/** Whether an answer is the first page of its list, and whether it is the whole list. */
function isWhole(learner: Learner, answer: Answer): boolean {
  if (answer.isPartial) return false;
  const { paging, answers } = learner.operation(answer.operation);
  if (!paging) return true;
  if (paging.style === 'link') return linkIn(answer, 'next') === undefined;
  if (typeof paging.next === 'string') return !firstValueAt(paging.next, answer);
  const [first] = answers;
  return (rowsIn(learner, answer) ?? 0) < (first ? (rowsIn(learner, first) ?? 0) : 0);
}

/** Whether a page with other rows of the list of an answer was seen: a full page may be the only one. */
function hasAnotherPage(learner: Learner, answer: Answer): boolean {
  const own = JSON.stringify(nodesIn(learner, answer));
  return learner.asker.answersOf(answer.operation).some((each) => {
    const isOfList = isDeepStrictEqual(withoutPage(each.inputs), withoutPage(answer.inputs));
    if (!each.isSuccess || !isOfList || each.inputs.pageSize !== undefined || isFirstPage(each)) return false;
    const nodes = nodesIn(learner, each) ?? [];
    return nodes.length > 0 && JSON.stringify(nodes) !== own;
  });
}

const isFirstPage = ({ inputs }: Answer): boolean => PAGING_INPUTS.every((input) => inputs[input] === undefined);

function addVote(
  votes: Map<string, Vote>,
  place: Place,
  operation: OperationKey,
  value: unknown,
  isFit: boolean,
): void {
  const vote = votes.get(place.selector) ?? { place, values: new Set(), misfits: new Map(), fits: 0, of: 0 };
  const { count, of } = vote.misfits.get(operation) ?? { count: 0, of: 0 };
  vote.misfits.set(operation, { count: count + (isFit ? 0 : 1), of: of + 1 });
  vote.of++;
  if (isFit) vote.fits++;
  vote.values.add(String(value));
  votes.set(place.selector, vote);
}

/** A place has the value nearly always, on several occasions. */
const isSettled = ({ fits, of, values }: Vote, isNamed: boolean): boolean =>
  fits >= of * 0.9 && values.size > 1 && of >= (isNamed ? 3 : 8);

function addTo(
  learner: Learner,
  key: OperationKey,
  part: 'counts' | 'echoes',
  value: unknown,
  { fits, of, misfits }: Pick<Vote, 'fits' | 'of'> & Partial<Pick<Vote, 'misfits'>>,
): void {
  const operation = learner.operation(key);
  const known = operation.statements[part];
  const path = ['operations', key, 'response', part];
  if (part === 'counts') {
    if (JSON.stringify(known ?? []).includes(JSON.stringify(value))) return;
    operation.statements.counts = [...((known as unknown[] | undefined) ?? []), value];
    path.push(String(operation.statements.counts.length - 1));
  } else operation.statements.echoes = { ...(known as object | undefined), ...(value as object) };
  learner.settled.push({ path, evidence: `${fits} of ${of} responses` });
  const own = misfits?.get(key) ?? { count: of - fits, of };
  if (own.count > 0)
    learner.defects.push({ path, sentence: `${own.count} of ${own.of} responses state another value` });
}

/** The number of rows of a list or of a page, which responses state beside them. */
function learnCounts(learner: Learner): void {
  const [ofLists, ofPages] = [new Map<string, Vote>(), new Map<string, Vote>()];
  // Places that state more than the rows of a page that goes on, those that state just these, and where it may go on.
  const [beyond, within, maybe] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const firsts = learner.asker
    .successes()
    .filter((answer) => listOperations().includes(answer.operation) && isFirstPage(answer));
  const partial = new Set(listOperations().filter((key) => whyNotWhole(learner, key) !== undefined));
  for (const answer of firsts) {
    const rows = rowsIn(learner, answer);
    if (rows === undefined) continue;
    const whole = !partial.has(answer.operation) && isWhole(learner, answer);
    const goesOn = !whole && hasAnotherPage(learner, answer);
    for (const place of placesBeside([answer])) {
      const value = Number(place.cells[0]);
      if (!Number.isInteger(value) || value < 0 || place.cells[0] === '') continue;
      addVote(ofPages, place, answer.operation, value, value === rows);
      if (!whole && value > rows) beyond.add(place.selector);
      if (!whole && value === rows) maybe.add(`${answer.operation} ${place.selector}`);
      if (goesOn && value === rows) within.add(place.selector);
      if (whole) addVote(ofLists, place, answer.operation, value, value === rows);
      // The count of a page is not that of the list.
      else if (value < rows || (value === rows && goesOn)) addVote(ofLists, place, answer.operation, value, false);
    }
  }
  const add = (of: 'list' | 'page', { place: { selector }, ...vote }: Vote, isIn: (key: OperationKey) => boolean) => {
    const stated = firsts.filter((answer) => isIn(answer.operation) && rowsIn(learner, answer) !== undefined);
    for (const key of new Set(stated.filter((each) => firstValueAt(selector, each) !== undefined).map(operationIn)))
      addTo(learner, key, 'counts', { at: selector, of }, vote);
  };
  for (const vote of ofLists.values()) {
    const { selector } = vote.place;
    if (!within.has(selector) && isSettledAmong(vote, [...ofLists.values()]))
      add('list', vote, (key) => beyond.has(selector) || !maybe.has(`${key} ${selector}`));
  }
  for (const vote of ofPages.values())
    if (within.has(vote.place.selector) && isSettled(vote, isNamed(vote))) add('page', vote, () => true);
}

const operationIn = ({ operation }: Answer): OperationKey => operation;

const isNamed = ({ place }: Vote): boolean => COUNT_NAME.test(place.names.at(-1) ?? '');

/** Whether a place is settled, by itself or with places of the same name in the responses of other operations. */
function isSettledAmong(vote: Vote, all: readonly Vote[]): boolean {
  if (isSettled(vote, isNamed(vote))) return true;
  const alike = all.filter((each) => each.place.names.at(-1) === vote.place.names.at(-1));
  const sum = (part: 'fits' | 'of') => alike.reduce((total, each) => total + each[part], 0);
  const values = new Set(alike.flatMap((each) => [...each.values]));
  return (
    vote.fits === vote.of && isNamed(vote) && isSettled({ ...vote, values, fits: sum('fits'), of: sum('of') }, true)
  );
}

/** The number of rows of the list of an answer: it is whole, or states the number. */
function rowsOfList(learner: Learner, answer: Answer): number | undefined {
  if (isWhole(learner, answer)) return rowsIn(learner, answer);
  const counts = (learner.operation(answer.operation).statements.counts ?? []) as readonly { at: string; of: string }[];
  const count = counts.find(({ of }) => of === 'list');
  return count && Number(firstValueAt(count.at, answer));
}

const hasOneInput = ({ inputs }: Answer): boolean => Object.keys(inputs).length === 1;

/** The number of rows that another operation returns for a row. */
function learnRowCounts(learner: Learner): void {
  for (const { parent, child, as, by } of COUNTED) {
    const { bound, answers } = learner.operation(parent);
    const key = bound?.likely[by];
    if (typeof bound?.response.rows !== 'string' || key === undefined) continue;
    const rows = bound.response.rows;
    const votes = new Map<string, Vote>();
    for (const answer of answers) {
      const nodes = compileSelector(rows).select(answer.document, answer.head);
      const names = readRows({ rows, fields: { [by]: key } }, answer).map((row) => row[by]);
      const counted = new Map<number, number>();
      for (const each of learner.asker.answersOf(child)) {
        const isOfRow = Object.entries(answer.inputs).every(([input, value]) => each.inputs[input as Input] === value);
        const isBelow = parent === CATALOGUES || (isOfRow && (parent !== ALL_CATEGORIES || hasOneInput(each)));
        if (!each.isSuccess || !isBelow || !isFirstPage(each) || !learner.isSentAsSettled(each)) continue;
        const at = names.indexOf(each.inputs[as] as string | number);
        const count = rowsOfList(learner, each);
        if (at >= 0 && count !== undefined) counted.set(at, count);
      }
      for (const place of placesIn(nodes, '@'))
        for (const [at, count] of counted) {
          const value = Number(place.cells[at] ?? Number.NaN);
          if (!place.isList && Number.isInteger(value)) addVote(votes, place, child, value, value === count);
        }
    }
    const word =
      wordsOf(child.split('/').at(-1) ?? '')
        .at(-1)
        ?.replace(/ies$|y$|s$/, '') ?? '';
    // One number may be equal by chance, and learning again may ask for fewer.
    const fitting = [...votes.values()].filter(({ fits, of }) => fits === of && of > 1);
    const named = fitting.filter(({ place }) => (place.names.at(-1) ?? '').toLowerCase().includes(word));
    const [vote, ...others] = named.length > 0 ? named : fitting.filter(({ of, values }) => of > 2 && values.size > 1);
    if (vote && others.length === 0) addTo(learner, parent, 'counts', { at: vote.place.selector, of: child }, vote);
  }
}

/** Whether no response of an operation has several nodes where a place has one. */
const isAlone = (learner: Learner, key: OperationKey, { selector }: Place): boolean => {
  const all = compileSelector(selector.replaceAll('[0]', '[*]'));
  const answers = learner.asker.successes().filter(({ operation }) => operation === key);
  return (
    selector.startsWith('$response') || answers.every(({ document, head }) => all.select(document, head).length < 2)
  );
};

const parentOf = ({ place }: Vote): string => place.selector.replace(/(\.[\w$]+|\['[^']*'\])$/, '');

/** The values of a request that responses repeat. */
function learnEchoes(learner: Learner): void {
  const votes = new Map<Input, Map<string, Vote>>();
  const seen: { readonly answer: Answer; readonly input: Input; readonly places: readonly Place[] }[] = [];
  for (const answer of learner.asker.successes()) {
    if (!learner.isSentAsSettled(answer)) continue;
    const inputs = echoedInputs(answer.operation).filter((input) => answer.inputs[input] !== undefined);
    if (inputs.length === 0) continue;
    const places = placesBeside([answer]);
    for (const input of inputs) {
      seen.push({ answer, input, places });
      const spellings = (answer.request as { spellings?: { [I in Input]?: PlainObject } }).spellings?.[input];
      const sent = [answer.inputs[input], spellings?.[String(answer.inputs[input])]]
        .filter((each) => each !== undefined)
        .map(String);
      const ofInput = votes.get(input) ?? new Map<string, Vote>();
      votes.set(input, ofInput);
      for (const place of places)
        addVote(ofInput, place, answer.operation, place.cells[0], sent.includes(String(place.cells[0])));
    }
  }
  const settled = [...votes.values()].flatMap((each) => [...each.values()]).filter((each) => isSettled(each, true));
  const parents = new Set(settled.map(parentOf));
  for (const [input, ofInput] of votes) {
    // What is beside an echo is one, too, if it has the value that was asked for.
    const [vote] = [...ofInput.values()]
      .filter((each) => settled.includes(each) || (each.fits === each.of && parents.has(parentOf(each))))
      .sort((x, y) => y.of - x.of);
    if (!vote) continue;
    const keys = new Set(
      seen
        .filter((each) => each.input === input && each.places.some(({ selector }) => selector === vote.place.selector))
        .map(({ answer }) => answer.operation),
    );
    for (const key of keys)
      if (isAlone(learner, key, vote.place)) addTo(learner, key, 'echoes', { [input]: vote.place.selector }, vote);
  }
  // Dates of catalogues name the catalogue that was asked for.
  const { bound, statements } = learner.operation(REFRESH_DATES);
  const id = bound?.choices.get('id')?.candidate;
  if (id?.reasons.includes(ASKED_CATALOGUE) && objectAt(bound?.learned, 'fields').id && !statements.echoes?.catalogueId)
    addTo(learner, REFRESH_DATES, 'echoes', { catalogueId: id.place.selector }, id.reading);
}
