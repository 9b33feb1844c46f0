/** Binds the response of an operation: its rows, the fields in them and beside them, from one or several answers. */
import {
  type Field,
  type OperationKey,
  operationOf,
  PERFORMANCE_OPERATIONS,
  placeOfField,
  REFRESH_DATES,
} from '../../contract/index.ts';
import type { Answer } from '../ask.ts';
import { singular } from '../words.ts';
import { placesBeside } from './beside.ts';
import type { BindingContext } from './binding-context.ts';
import { type Candidate, type ChosenPlace, chooseCandidates } from './candidates.ts';
import { type ChosenList, chooseList, isBound, isPossible, listsPerWindow } from './choose-list.ts';
import { type BoundResponse, describeBinding, type ServiceForms } from './describe-binding.ts';
import { findFigures } from './figures.ts';
import { type Place, placesIn, type RowList, rowListsIn, singleNodesIn } from './places.ts';
import { type PlaceReading, readingsOf } from './readings.ts';
import { pivotedPairs, withShapes } from './shaped-lists.ts';
import { areCodes } from './structure.ts';

/** The fields that rows may have, and those that a response states once. */
const fieldsAt = (operation: OperationKey, where: 'row' | 'response'): Field[] =>
  operationOf(operation).fields.filter((field) => [where, 'either'].includes(placeOfField(operation, field) ?? ''));

/** A list or an element without content. */
const EMPTY = /:(\[\]|\{\}|\{"#text":""\})/;

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
  const isValue = (text: string): boolean => [...context.known.values()].some((values) => values.has(text));
  const lists = isItem
    ? [...singleNodesIn(first.document), ...(kind === 'item' ? [...pivotedPairs(first), ...linesOfItem(first)] : [])]
    : withShapes(rowListsIn(longest.document, isValue), longest);
  const perWindow = operation.endsWith('/updateProducts') ? listsPerWindow(lists) : undefined;
  const whole = lists.filter(({ isPartOfMap }) => !isPartOfMap || kind === 'names');
  const candidates = longest.media === 'xml' && !isItem ? whole.filter(({ names }) => names.length > 1) : whole;
  const { stated } = context;
  const fields = fieldsAt(operation, 'row');
  const chosen =
    (stated && chooseList([stated], fields, read, context)) ??
    chooseList(perWindow ? [perWindow.list] : candidates, fields, read, context) ??
    // The dates of one catalogue may be an object, but not one with a list that is empty.
    (operation === REFRESH_DATES && !EMPTY.test(JSON.stringify(first.document))
      ? chooseList(singleNodesIn(first.document), fields, read, context)
      : undefined);
  const found = [...(chosen?.choices.values() ?? [])].filter(isPossible).length;
  const separate = kind === 'names' && found < 3 ? namesApart(read, context) : undefined;
  const isApart = separate !== undefined && separate.fields.size > found;
  const inRows = isApart ? separate.fields : (chosen?.choices ?? new Map<Field, ChosenPlace>());
  const beside = chooseCandidates(
    fieldsAt(operation, 'response').filter(
      (field) => field === 'asOf' || (kind !== 'names' && !isBound(inRows, field)),
    ),
    [
      ...placesBeside(read).filter((place) => (isItem || !isInRows(place, chosen)) && !isTaken(place, chosen)),
      ...(isItem ? [] : placesOfFirstRow(chosen)),
    ],
    context,
  );
  if (!chosen && !isApart && !(isItem && [...beside.values()].some(isPossible))) return undefined;
  const bound = new Map<Field, ChosenPlace>([
    ...[...beside].filter(([, choice]) => isPossible(choice)),
    ...[...inRows].filter(([, choice]) => isPossible(choice)),
  ]);
  if (PERFORMANCE_OPERATIONS.includes(operation) && chosen) addFigures(bound, chosen.places);
  const rows = isApart ? undefined : (perWindow?.rows ?? chosen?.list.selector);
  const described = describeBinding(first, rows, bound, context, service, chosen);
  // The columns of all lists show what operations have in common.
  return isApart ? { ...described, places: separate.places } : described;
}

/** Whether a place is in the rows, of which an answer has only one. */
const isInRows = ({ selector }: Place, chosen: ChosenList | undefined): boolean =>
  chosen?.list.selector.endsWith('[*]') === true && selector.startsWith(chosen.list.selector.slice(0, -'*]'.length));

/** Lists with a line for each characteristic of the product that was asked for. */
const linesOfItem = ({ document, inputs }: Answer): RowList[] =>
  rowListsIn(document).filter(
    ({ nodes }) =>
      nodes.length > 1 &&
      placesIn(nodes, '@').some((place) =>
        readingsOf('upc', place).some(({ values }) => values.every((each) => each === inputs.upc)),
      ),
  );

/** What a table repeats in each row: the first row has it for the whole response. */
const placesOfFirstRow = (chosen: ChosenList | undefined): Place[] =>
  chosen?.list.selector.endsWith('[*]') !== true
    ? []
    : chosen.places.flatMap((place): Place[] => {
        const isShared = place.cells.length > 1 && new Set(place.cells).size === 1;
        const isField = [...chosen.choices.values()].some(
          (choice) => isPossible(choice) && choice.candidate.place.selector === place.selector,
        );
        if (!isShared || isField || place.isList || readingsOf('asOf', place).length === 0) return [];
        const selector = `${chosen.list.selector.slice(0, -'*]'.length)}0]${place.selector.slice(1)}`;
        return [{ ...place, selector, cells: place.cells.slice(0, 1) }];
      });

/** Whether a place of a response that is a row itself is a field of that row. */
const isTaken = ({ selector }: Place, chosen: ChosenList | undefined): boolean =>
  chosen?.list.selector === '$' &&
  [...chosen.choices.values()].some(
    (choice) => isPossible(choice) && `$${choice.candidate.place.selector.slice(1)}` === selector,
  );

/** The lists of names of group D, where each kind of name has a list of its own, with the columns of all lists. */
function namesApart(
  answers: readonly Answer[],
  context: BindingContext,
): { readonly fields: Map<Field, ChosenPlace>; readonly places: readonly Place[] } {
  const [first] = answers;
  const lists = rowListsIn(first?.document);
  // Where a list says which column is which, positions may change.
  const tables = new Set(
    first ? withShapes(lists, first).flatMap(({ shape, selector }) => (shape ? [selector] : [])) : [],
  );
  const plain = lists.filter(({ selector }) => !tables.has(selector));
  const places = plain.flatMap(({ selector, names, nodes }) =>
    placesIn(nodes, '@').flatMap((place): Place[] => {
      if (place.isList || nodes.length < 2) return [];
      const above = names.at(-1) ?? '';
      const own =
        place.names.length === 0 || /^(name|label|title|value|text|id)$/i.test(place.names.at(-1) ?? '')
          ? []
          : place.names;
      const at = `${selector}${place.selector.slice(1)}`;
      return [{ ...place, selector: at, names: own.length > 0 ? own : [singular(above)] }];
    }),
  );
  const found = new Map(
    [...chooseCandidates(['category', 'subCategory', 'manufacturer', 'brand'], places, context)].filter(([, choice]) =>
      isPossible(choice),
    ),
  );
  for (const [above, below] of [
    ['category', 'subCategory'],
    ['manufacturer', 'brand'],
  ] as const) {
    const list = found.get(above)?.candidate.place.selector.replace(/\[\*\][^*]*$/, '[*]') ?? ' ';
    const [place, ...others] = places.filter(
      ({ selector, cells }) =>
        selector.startsWith(list) && selector.slice(list.length).includes('[*]') && !areCodes(cells.map(String)),
    );
    const [reading] = place ? readingsOf(below, place) : [];
    if (found.has(below) || !place || !reading || others.length > 0) continue;
    const candidate = placesCandidate(below, place, reading, `the only names below each ${above}`);
    found.set(below, { candidate, margin: candidate.bits });
  }
  return { fields: found, places };
}

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
        valueBits: named.candidate.valueBits + 10,
        reasons: [found.evidence],
      };
      fields.set(field, { ...named, candidate, margin: named.margin + 10 });
      continue;
    }
    const whole = placesCandidate(field, place, reading, found.evidence);
    // A rule judges the equation: it never decides against a name, nor against the usual order of the windows.
    const usual = found.inOrder.get(field);
    if (isNamed) fields.set(field, { candidate: named.candidate, rival: whole, margin: 0 });
    else if (usual && usual.place !== place) {
      const rival = placesCandidate(field, usual.place, usual.reading, 'the order of the columns');
      fields.set(field, { candidate: whole, rival, margin: 0 });
    } else fields.set(field, { candidate: whole, margin: 10 });
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
  valueBits: 12,
  reasons: [evidence],
});
