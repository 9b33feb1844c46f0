/** Binds the response of an operation: its rows, the fields in them and beside them, from one or several answers. */
import {
  FIELDS,
  type Field,
  type OperationKey,
  operationOf,
  PAGING_INPUTS,
  PERFORMANCE_OPERATIONS,
  placeOfField,
  SALES_FIGURES,
  UPDATE_PRODUCTS,
} from '../contract/index.ts';
import { windowFromName } from '../profile/openapi/windows.ts';
import { isPlainObject, type PlainObject } from '../profile/plain-object.ts';
import type { FieldBinding, RowShape } from '../profile/schema.ts';
import { compileSelector } from '../profile/selector.ts';
import { bindFields, toRow, toValues } from '../reading/cells.ts';
import { type Row, Unconverted } from '../reading/types.ts';
import { type Answer, declaredMedia } from './ask.ts';
import type { BindingContext } from './binding-context.ts';
import { type Candidate, type ChosenPlace, chooseCandidates, placeName } from './candidates.ts';
import { changeFits, findFigures } from './figures.ts';
import {
  memberStep,
  type Place,
  placesIn,
  type RowList,
  rowListsIn,
  sampled,
  scalarOf,
  singleNodesIn,
  valuesBeside,
} from './places.ts';
import { type PlaceReading, readingsOf } from './readings.ts';
import { shapedRows, withShapes } from './shaped-lists.ts';
import { textPlaces } from './texts.ts';
import type { LikelyDefect, Open, Question, Settled } from './types.ts';

/** Rows by window, or one list. */
export type RowsSelector = string | { readonly '1': string; readonly '4': string; readonly '13': string };

/** What the answers of an operation show. Paths begin in `response` of the operation. */
export interface BoundResponse {
  readonly response: PlainObject;
  readonly settled: readonly Settled[];
  readonly questions: readonly Question[];
  readonly open: readonly Open[];
  readonly defects: readonly LikelyDefect[];
  /** The names of settled fields. */
  readonly named: readonly { readonly names: string; readonly name: string; readonly field: Field }[];
  /** The likeliest binding of each field, also where it is not settled. */
  readonly likely: PlainObject;
  /** The columns of the rows. */
  readonly places: readonly Place[];
  /** The sum of the bits of its fields: how well the rows fit. */
  readonly bits: number;
}

/** Ways to read values that one place of the service decides for all others. */
export interface ServiceForms {
  readonly forms: Map<string, string>;
}

interface ChosenList {
  readonly list: RowList;
  readonly choices: Map<Field, ChosenPlace>;
  readonly places: readonly Place[];
  readonly bits: number;
}

const isSettled = ({ candidate: { bits }, margin }: ChosenPlace): boolean =>
  (bits >= 8 && margin >= 3) || (bits >= 5.4 && margin >= 5);
const isPossible = ({ candidate: { bits } }: ChosenPlace): boolean => bits >= 5;

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
  const found = { answers, nodes, places: placesIn(sampled(nodes), '@') };
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

/** Values beside the rows: members, headers, cells of CSV lines that are no rows. */
export function placesBeside(answers: readonly Answer[]): Place[] {
  const [first, ...others] = answers;
  if (!first) return [];
  const inHeaders = first.head.headers
    .filter(
      ([name]) =>
        /^(x-|.*(date|week|as-?of|through|count|total))/i.test(name) && !/^(date|last-modified|expires)$/i.test(name),
    )
    .map(
      ([name, value]): Place => ({
        selector: `$response.header.${name}`,
        names: [name.replace(/^x-/i, '')],
        cells: [value],
        isList: false,
      }),
    );
  const location = first.head.headers.find(([name]) => /^(content-)?location$/i.test(name));
  const inLocation = location === undefined ? [] : [locationPlace(location)];
  const inLines = (first.lines ?? []).flatMap(([name = '', value]): Place[] => {
    const text = name.replace(/^[#/;\s-]+/, '');
    return value === undefined || text === ''
      ? []
      : [
          {
            selector: `$response.line['${name.replace(/[\\']/g, '\\$&')}'][0]`,
            names: [text],
            cells: [value],
            isList: false,
          },
        ];
  });
  const inDocument = valuesBeside(first.document).map((place) => ({
    ...place,
    cells: [
      ...place.cells,
      ...others.map(({ document, head }) => compileSelector(place.selector).select(document, head)[0]).map(plainOf),
    ],
  }));
  return [...inDocument, ...inHeaders, ...inLocation, ...inLines];
}

const LAST_SEGMENT = '/([^/?]+)(?:[?].*)?$';

/** The last segment of a Location header. */
const locationPlace = ([name, value]: readonly [string, string]): Place => ({
  selector: `$response.header.${name}`,
  names: ['jobId'],
  cells: [new RegExp(LAST_SEGMENT).exec(value)?.[1]],
  isList: false,
  match: LAST_SEGMENT,
});

const plainOf = (node: unknown): unknown =>
  typeof node === 'object' && node !== null && '#text' in node ? node['#text'] : node;

/** The fields that rows may have, and those that a response states once. */
const fieldsAt = (operation: OperationKey, where: 'row' | 'response'): Field[] =>
  operationOf(operation).fields.filter((field) => [where, 'either'].includes(placeOfField(operation, field) ?? ''));

function chooseList(
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
      const isText = context.operation.includes('JobStatus') && texts.length === nodes.length;
      const places = isText ? textPlaces(texts, asked) : found;
      const choices = chooseCandidates(fields, places, { ...context, asked, weeks });
      let bits = 0;
      for (const choice of choices.values()) if (isPossible(choice)) bits += Math.min(20, choice.candidate.bits);
      if (PERFORMANCE_OPERATIONS.includes(context.operation) && findFigures(places)) bits += 40;
      return { list: { ...list, nodes }, choices, places, bits };
    })
    // A node with nothing but a list is the wrapper of the rows.
    .map((each) => (each.list.nodes.every(isWrapper) ? { ...each, bits: each.bits - 15 } : each))
    .sort((x, y) => y.bits + depthOf(y) - x.bits - depthOf(x) || y.list.nodes.length - x.list.nodes.length);
  const [best] = ranked;
  const found = best && best.bits > 5 ? best : onlyTable(ranked);
  return found && hasDemanded(found, context.operation) ? found : undefined;
}

/** Whether rows have what the document demands of them: the UPC of a product, most of the five figures. */
function hasDemanded({ choices, places }: ChosenList, operation: OperationKey): boolean {
  const { demanded = [] } = operationOf(operation);
  const found = demanded.filter((field) => isBound(choices, field)).length;
  return (
    found * 2 >= demanded.length || (PERFORMANCE_OPERATIONS.includes(operation) && findFigures(places) !== undefined)
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
  return members.length === 1 && Array.isArray(members[0]) && members[0].some(isPlainObject);
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
      return `${selector.slice(0, -3)}[?@${memberStep(name)}==${typeof value === 'number' ? value : `'${value}'`}]${rest}`;
    };
    return [{ rows: { '1': at('1'), '4': at('4'), '13': at('13') }, list: inner }];
  });
}

/** Three lists of a delta, one per window; undefined if the document has no such lists. */
function windowLists(lists: readonly RowList[]): { readonly rows: RowsSelector; readonly list: RowList } | undefined {
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

/** Binds the response of an operation from answers to valid requests; undefined if they show nothing that it reads. */
export function bindResponse(
  answers: readonly Answer[],
  context: BindingContext,
  service: ServiceForms,
): BoundResponse | undefined {
  const { operation } = context;
  const read = answers.filter(({ isSuccess, document }) => isSuccess && document !== undefined);
  const [first] = read;
  if (!first) return undefined;
  const { kind } = operationOf(operation);
  const isItem = kind === 'item' || kind === 'jobStart' || kind === 'jobStatus';
  const longest = [...read].sort((x, y) => y.text.length - x.text.length)[0] as Answer;
  const lists = isItem ? singleNodesIn(first.document) : withShapes(rowListsIn(longest.document), longest);
  const perWindow = operation.endsWith('/updateProducts') ? windowLists(lists) : undefined;
  const candidates = longest.media === 'xml' && !isItem ? lists.filter(({ names }) => names.length > 1) : lists;
  const chosen = chooseList(perWindow ? [perWindow.list] : candidates, fieldsAt(operation, 'row'), read, context);
  const found = [...(chosen?.choices.values() ?? [])].filter(isPossible).length;
  const separate = kind === 'names' && found < 3 ? namesApart(read, context) : undefined;
  const isApart = separate !== undefined && separate.size > found;
  const inRows = isApart ? separate : (chosen?.choices ?? new Map<Field, ChosenPlace>());
  const beside = chooseCandidates(
    fieldsAt(operation, 'response').filter(
      (field) => field === 'asOf' || (kind !== 'names' && !isBound(inRows, field)),
    ),
    placesBeside(read).filter((place) => isItem || !isInRows(place, chosen)),
    context,
  );
  if (!chosen && !isApart && !(isItem && [...beside.values()].some(isPossible))) return undefined;
  const fields = new Map<Field, ChosenPlace>([
    ...[...beside].filter(([, choice]) => isPossible(choice)),
    ...[...inRows].filter(([, choice]) => isPossible(choice)),
  ]);
  if (PERFORMANCE_OPERATIONS.includes(operation) && chosen) addFigures(fields, chosen.places);
  return describe(
    first,
    isApart ? undefined : (perWindow?.rows ?? chosen?.list.selector),
    fields,
    context,
    service,
    chosen,
  );
}

const isBound = (choices: ReadonlyMap<Field, ChosenPlace>, field: Field): boolean => {
  const choice = choices.get(field);
  return choice !== undefined && isPossible(choice);
};

/** Whether a place is in the rows, of which an answer has only one. */
const isInRows = ({ selector }: Place, chosen: ChosenList | undefined): boolean =>
  chosen?.list.selector.endsWith('[*]') === true && selector.startsWith(chosen.list.selector.slice(0, -'*]'.length));

/** The lists of names of group D, where each kind of name has a list of its own. */
function namesApart(answers: readonly Answer[], context: BindingContext): Map<Field, ChosenPlace> {
  const [first] = answers;
  const places = rowListsIn(first?.document).flatMap(({ selector, names, nodes }) =>
    placesIn(nodes, '@').flatMap((place): Place[] => {
      if (place.isList || nodes.length < 2) return [];
      const above = names.at(-1) ?? '';
      const own =
        place.names.length === 0 || /^(name|label|title|value|text|id)$/i.test(place.names.at(-1) ?? '')
          ? []
          : place.names;
      return [
        {
          ...place,
          selector: `${selector}${place.selector.slice(1)}`,
          names: own.length > 0 ? own : [singular(above)],
        },
      ];
    }),
  );
  return new Map(
    [...chooseCandidates(['category', 'subCategory', 'manufacturer', 'brand'], places, context)].filter(([, choice]) =>
      isPossible(choice),
    ),
  );
}

const singular = (name: string): string => name.replace(/ies$/i, 'y').replace(/s$/i, '');

/** Adds the figures that rows show by what they have to do with each other, where names do not say which is which. */
function addFigures(fields: Map<Field, ChosenPlace>, places: readonly Place[]): void {
  const found = findFigures(places);
  if (!found) return;
  for (const [field, { place, reading }] of found.places) {
    const named = fields.get(field);
    const isNamed = named && named.candidate.nameBits >= 5;
    if (named?.candidate.place.selector === place.selector) {
      const candidate = {
        ...named.candidate,
        reading,
        otherReadings: field === 'percentChange' ? [] : named.candidate.otherReadings,
        bits: named.candidate.bits + 10,
        reasons: [found.evidence],
      };
      fields.set(field, { ...named, candidate, margin: named.margin + 10 });
      continue;
    }
    const whole = placesCandidate(field, place, reading, found.evidence);
    // A rule judges the equation: it never decides against a name.
    if (isNamed) fields.set(field, { candidate: named.candidate, rival: whole, margin: 0 });
    else fields.set(field, { candidate: whole, margin: 10 });
  }
}

const placesCandidate = (field: Field, place: Place, reading: PlaceReading, evidence: string): Candidate => ({
  field,
  place,
  reading,
  // The percentage fits in one way of reading; whole amounts may be dollars or cents.
  otherReadings: field === 'percentChange' ? [] : readingsOf(field, place).slice(1),
  bits: 12,
  nameBits: 0,
  reasons: [evidence],
});

/** The binding as an author writes it. */
const bindingOf = ({ place: { selector, match } }: Candidate, { as }: PlaceReading): unknown =>
  as === undefined && match === undefined
    ? selector
    : { at: selector, ...(match !== undefined && { match }), ...(as !== undefined && { as }) };

const exampleOf = ({ place }: Candidate): unknown =>
  place.cells.flat().find((each) => each !== undefined && each !== null && typeof each !== 'object');

/** Decides between ways to read a place that its values do not exclude; several: nobody knows. */
function readingsLeft(
  field: Field,
  { reading, otherReadings, place }: Candidate,
  fields: ReadonlyMap<Field, ChosenPlace>,
  { forms }: ServiceForms,
): PlaceReading[] {
  if (otherReadings.length === 0) return [reading];
  const all = [reading, ...otherReadings];
  const { kind } = FIELDS[field];
  const name = place.names.join(' ');
  if (kind === 'money') {
    if (/cents?\b/i.test(name)) return all.filter(({ as }) => as === 'cents');
    const others = SALES_FIGURES.flatMap((each) => fields.get(each)?.candidate ?? []).filter(
      (each) => FIELDS[each.field].kind === 'money',
    );
    const isWhole = others.every(({ otherReadings: rest }) => rest.some(({ as }) => as === 'cents'));
    if (!isWhole) return all.filter(({ as }) => as !== 'cents');
  }
  if (kind === 'percent') {
    const [now, before] = [fields.get('sales52Weeks'), fields.get('salesLastYear')];
    const fitting = all.filter((each) => {
      if (!now || !before) return false;
      const { fits, of } = changeFits({ place, reading: each }, now.candidate, before.candidate);
      return of > 4 && fits / of > 0.9;
    });
    if (fitting.length === 1) return fitting;
    // No service has a median change of more than 150 %.
    const sizes = (reading.values as (number | undefined)[])
      .flatMap((each) => (each === undefined ? [] : [Math.abs(each)]))
      .sort((x, y) => x - y);
    if ((sizes[sizes.length >> 1] ?? 0) > 1.5) return all.filter(({ as }) => as !== 'fraction');
  }
  const form = forms.get(kind);
  const known = all.filter(({ as }) => (as ?? '') === form);
  return known.length === 1 ? known : all;
}

function describe(
  answer: Answer,
  rows: RowsSelector | undefined,
  fields: ReadonlyMap<Field, ChosenPlace>,
  { operation }: BindingContext,
  service: ServiceForms,
  chosen: ChosenList | undefined,
): BoundResponse {
  const at = ['operations', operation, 'response'];
  const settled: Settled[] = [];
  const questions: Question[] = [];
  const open: Open[] = [];
  const defects: LikelyDefect[] = [];
  const named: { names: string; name: string; field: Field }[] = [];
  const bound: Record<string, unknown> = {};
  const likely: Record<string, unknown> = {};
  let bits = 0;
  const order = operationOf(operation).fields;
  for (const field of [...fields.keys()].sort((x, y) => order.indexOf(x) - order.indexOf(y))) {
    const choice = fields.get(field) as ChosenPlace;
    const { candidate, rival } = choice;
    const path = [...at, 'fields', field];
    likely[field] = bindingOf(candidate, candidate.reading);
    const left = readingsLeft(field, candidate, fields, service);
    bits += candidate.bits;
    const evidence = candidate.reasons.join(', ');
    if (isSettled(choice) && left.length === 1) {
      const [reading] = left as [PlaceReading];
      bound[field] = bindingOf(candidate, reading);
      settled.push({ path, evidence });
      const names = placeName(candidate.place);
      if (names !== '') named.push({ names, name: candidate.place.names.at(-1) as string, field });
      if (candidate.otherReadings.length > 0) service.forms.set(FIELDS[field].kind, reading.as ?? '');
      if (reading.fits < reading.of)
        defects.push({ path, sentence: `${reading.of - reading.fits} of ${reading.of} values do not convert` });
      continue;
    }
    const values = left.map((each) => bindingOf(candidate, each));
    const rivals = [
      ...values.map((value) => ({ value, evidence, example: exampleOf(candidate) })),
      ...(rival && !isSettled(choice)
        ? [{ value: bindingOf(rival, rival.reading), evidence: rival.reasons.join(', '), example: exampleOf(rival) }]
        : []),
    ];
    questions.push({ path, rivals });
  }
  const media = declaredMedia(answer);
  if (rows !== undefined) settled.push({ path: [...at, 'rows'], evidence: `${chosen?.list.nodes.length ?? 0} rows` });
  return {
    response: {
      ...(media && { media }),
      ...(answer.csv && { csv: csvOf(answer) }),
      ...(rows !== undefined && { rows }),
      ...(rows !== undefined && chosen?.list.shape && { shape: chosen.list.shape }),
      ...(Object.keys(bound).length > 0 && { fields: bound }),
    },
    settled,
    questions,
    open,
    defects,
    named,
    likely,
    places: chosen?.places ?? [],
    bits,
  };
}

const csvOf = ({ csv }: Answer): PlainObject => ({
  ...(csv?.delimiter && { delimiter: csv.delimiter }),
  ...(csv?.comment && { comment: csv.comment.length === 1 ? csv.comment[0] : csv.comment }),
});

const fieldBindings = (fields: unknown): { [F in Field]?: FieldBinding } =>
  Object.fromEntries(
    Object.entries((fields ?? {}) as Record<string, unknown>).map(([field, value]) => [
      field,
      typeof value === 'string' ? { at: value } : value,
    ]),
  ) as { [F in Field]?: FieldBinding };

/** Reads the rows of an answer as a response binding does; values that do not convert are `Unconverted`. */
export function readRows(
  response: PlainObject,
  { document, head, inputs }: Pick<Answer, 'document' | 'head' | 'inputs'>,
): Row[] {
  const rows = response.rows as RowsSelector | undefined;
  if (rows === undefined || document === undefined) return [];
  const selector = typeof rows === 'string' ? rows : rows[String(inputs.window ?? 13) as '1' | '4' | '13'];
  const { rowBindings } = bindFields(fieldBindings(response.fields), 'row');
  return shapedRows({ selector, shape: response.shape as RowShape | undefined }, { document, head }).map((node) =>
    toRow(rowBindings, node, head),
  );
}

/** Reads a field that a response states once. */
export function readOnce(field: Field, binding: unknown, { document, head, lines }: Answer): unknown {
  const { responseBindings } = bindFields(fieldBindings({ [field]: binding }), 'response');
  const [value] = toValues(responseBindings, document, { ...head, ...(lines && { lines }) })[field] ?? [];
  return value instanceof Unconverted ? undefined : value;
}
