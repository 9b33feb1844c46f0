/** Chooses the list of a response that is the rows of an operation: the one whose places fit its fields best. */
import {
  type Field,
  type OperationKey,
  operationOf,
  PAGING_INPUTS,
  PERFORMANCE_OPERATIONS,
  UPDATE_PRODUCTS,
} from '../../contract/index.ts';
import { textLiteral } from '../../profile/openapi/described-values.ts';
import { windowFromName } from '../../profile/openapi/windows.ts';
import { isPlainObject, type PlainObject } from '../../profile/plain-object.ts';
import type { Answer } from '../ask.ts';
import type { BindingContext } from './binding-context.ts';
import { type ChosenPlace, chooseCandidates } from './candidates.ts';
import { codedPlaces } from './code-tables.ts';
import { findFigures } from './figures.ts';
import { memberStep, type Place, POSITION, placesIn, type RowList, sampled, scalarOf } from './places.ts';
import type { RowsSelector } from './read-rows.ts';
import { shapedRows } from './shaped-lists.ts';
import { linePlaces, textPlaces } from './texts.ts';

/** A list with the places that are chosen for the fields of its rows. */
export interface ChosenList {
  readonly list: RowList;
  readonly choices: Map<Field, ChosenPlace>;
  readonly places: readonly Place[];
  /** What is known of its nodes. */
  readonly context: BindingContext;
  readonly bits: number;
}

/** Whether a field has a place that may be its own. */
export const isBound = (choices: ReadonlyMap<Field, ChosenPlace>, field: Field): boolean => {
  const choice = choices.get(field);
  return choice !== undefined && isPossible(choice);
};

/** The nodes that a list has in several answers. */
const nodesIn = (list: Pick<RowList, 'selector' | 'shape'>, answers: readonly Answer[]): readonly unknown[] =>
  answers.flatMap((answer) => shapedRows(list, answer));

interface ListPlaces {
  readonly answers: readonly Answer[];
  readonly nodes: readonly unknown[];
  readonly places: readonly Place[];
}

/** The places of lists so far, by the first answer and the selector: what their names and values say is found once. */
const knownPlaces = new WeakMap<Answer, Map<string, ListPlaces>>();

function placesOfList(list: RowList, answers: readonly Answer[]): ListPlaces {
  const selector = `${list.selector} ${JSON.stringify(list.shape)}`;
  const [first] = answers as [Answer];
  const lists = knownPlaces.get(first) ?? new Map<string, ListPlaces>();
  knownPlaces.set(first, lists);
  const known = lists.get(selector);
  if (known?.answers.length === answers.length && known.answers.every((each, at) => each === answers[at])) return known;
  const nodes = nodesIn(list, answers);
  // Of pairs, the row has the key and the value of the first one, too.
  const { key, value } = list.shape?.pivot ?? {};
  const ofShape = [key, value, `@${memberStep(POSITION)}`];
  const places = placesIn(sampled(nodes), '@').filter((each) => !ofShape.includes(each.selector));
  const found = { answers, nodes, places };
  lists.set(selector, found);
  return found;
}

/** What a request asks for that its rows may repeat: a UPC, a job, the item above the rows. */
function askedBy({ inputs, operation }: Answer): string | undefined {
  const { upc, jobId, ...others } = inputs;
  const isPaging = (input: string): boolean => (PAGING_INPUTS as readonly string[]).includes(input);
  const above = Object.entries(others).flatMap(([input, value]) => (isPaging(input) ? [] : [value]));
  const asked = upc ?? jobId ?? (operationOf(operation).group === 'B' ? above.at(-1) : undefined);
  return asked === undefined ? undefined : String(asked);
}

/** Chooses the list whose places fit best; undefined if none has what the document demands of the rows. */
export function chooseList(
  lists: readonly RowList[],
  fields: readonly Field[],
  answers: readonly Answer[],
  context: BindingContext,
): ChosenList | undefined {
  const ranked = lists
    .slice(0, 40)
    .map((list): ChosenList => {
      const { nodes, places: found } = placesOfList(list, answers);
      const origins = sampled(answers.flatMap((answer) => nodesIn(list, [answer]).map(() => answer)));
      const asked = origins.map(askedBy);
      const weeks =
        context.operation === UPDATE_PRODUCTS ? origins.map(({ inputs }) => inputs.window as number) : undefined;
      const texts = nodes.filter((each) => typeof each === 'string');
      const isText = texts.length === nodes.length;
      const isStatus = isText && context.operation.includes('JobStatus');
      const inLines = isText ? linePlaces(texts) : [];
      const places = inLines.length > 0 ? inLines : isStatus ? textPlaces(texts, asked) : found;
      const ofNodes = { ...context, asked, weeks, listName: list.names.at(-1) };
      const coded = codedPlaces(places, context.operation, context.tables);
      const choices = chooseCandidates(fields, [...places, ...coded], ofNodes);
      let bits = 0;
      for (const choice of choices.values()) if (isPossible(choice)) bits += Math.min(20, choice.candidate.bits);
      if (PERFORMANCE_OPERATIONS.includes(context.operation) && findFigures(places)) bits += 40;
      return { list: { ...list, nodes }, choices, places, context: ofNodes, bits };
    })
    // A node with nothing but a list is the wrapper of the rows.
    .map((each) => (each.list.nodes.every(isWrapper) ? { ...each, bits: each.bits - 15 } : each))
    .sort((x, y) => y.bits + depthOf(y) - x.bits - depthOf(x) || y.list.nodes.length - x.list.nodes.length);
  const [best] = ranked;
  const found = best && best.bits > 5 ? best : onlyTable(ranked);
  return found && hasDemanded(found, context.operation) ? found : undefined;
}

/** Whether rows have what the document demands of them, the UPC of a product, or most of the five figures. */
function hasDemanded({ choices, places }: ChosenList, operation: OperationKey): boolean {
  const { demanded = [] } = operationOf(operation);
  const found = demanded.filter((field) => isBound(choices, field)).length;
  return (
    found * 2 >= demanded.length ||
    isBound(choices, 'upc') ||
    (PERFORMANCE_OPERATIONS.includes(operation) && findFigures(places) !== undefined)
  );
}

/** The only list whose rows have several columns, in no other such list. */
function onlyTable(lists: readonly ChosenList[]): ChosenList | undefined {
  const tables = lists.filter(
    ({ list: { nodes }, places }) =>
      (nodes.length > 1 || nodes.every(Array.isArray)) && places.filter(({ isList }) => !isList).length > 1,
  );
  const [table, ...others] = tables.filter(
    ({ list }) => !tables.some((each) => each.list !== list && list.selector.startsWith(each.list.selector)),
  );
  return others.length === 0 ? table : undefined;
}

const isWrapper = (node: unknown): boolean => {
  const members = isPlainObject(node) ? Object.values(node) : [];
  return (
    members.length === 1 &&
    Array.isArray(members[0]) &&
    members[0].some((each) => isPlainObject(each) && scalarOf(each) === undefined)
  );
};

/** Of lists that fit as well, the inner one is the list of rows. */
const depthOf = ({ list }: ChosenList): number => list.names.length * 0.7;

/** The lists in three nodes, each with the window beside its list. */
function windowsBeside(
  { selector, nodes }: RowList,
  lists: readonly RowList[],
): { rows: RowsSelector; list: RowList }[] {
  if (nodes.length !== 3 || !selector.endsWith('[*]') || !nodes.every(isPlainObject)) return [];
  return Object.keys(nodes[0] as PlainObject).flatMap((name) => {
    const values = nodes.map((node) => scalarOf((node as PlainObject)[name]));
    const windows = values.map((value) => windowFromName(String(value)));
    const inner = lists.find(
      (each) => each.selector.startsWith(`${selector}.`) || each.selector.startsWith(`${selector}[`),
    );
    if (!inner || new Set(windows).size < 3 || windows.includes(undefined)) return [];
    const rest = inner.selector.slice(selector.length);
    const at = (window: string) => {
      const value = values[windows.indexOf(window as '1')];
      return `${selector.slice(0, -3)}[?@${memberStep(name)}==${typeof value === 'number' ? value : textLiteral(String(value))}]${rest}`;
    };
    return [{ rows: { '1': at('1'), '4': at('4'), '13': at('13') }, list: inner }];
  });
}

/** Three lists of a delta, one per window; undefined if the document has no such lists. */
export function listsPerWindow(
  lists: readonly RowList[],
): { readonly rows: RowsSelector; readonly list: RowList } | undefined {
  const found = new Map<string, RowList>();
  for (const list of lists) {
    const window = list.names.map(windowFromName).find((each) => each !== undefined);
    if (window !== undefined && !found.has(window)) found.set(window, list);
  }
  const besides = lists.flatMap((list) => windowsBeside(list, lists));
  if (besides.length > 0 && found.size < 3) return besides[0];
  const [one, four, thirteen] = ['1', '4', '13'].map((each) => found.get(each));
  if (!one || !four || !thirteen) return undefined;
  return { rows: { '1': one.selector, '4': four.selector, '13': thirteen.selector }, list: thirteen };
}

/** Whether a place may be that of a field. */
export const isPossible = ({ candidate: { bits } }: ChosenPlace): boolean => bits >= 5;
