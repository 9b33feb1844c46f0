/** How well a place fits a field: by its names, its values, and what other operations list. */
import {
  ALL_CATEGORIES,
  CATALOGUE_GRAPH,
  FIELDS,
  type Field,
  type Input,
  MARKET_NAMES,
  type OperationKey,
  operationOf,
  PRODUCT_NAMES,
  SALES_FIGURES,
} from '../../contract/index.ts';
import type { DescribedValue } from '../../profile/openapi/described-values.ts';
import { scoreField } from '../../profile/openapi/fields.ts';
import { joinWords } from '../../profile/openapi/name-words.ts';
import { EMPTY_SCHEMA } from '../../profile/openapi/resolved-schema.ts';
import { isNameOf, isPhraseOf, singular, withoutPrefix } from '../words.ts';
import type { BindingContext, FieldEvidence } from './binding-context.ts';
import { columnsOf, structuralEvidence } from './columns.ts';
import { type Place, sampled } from './places.ts';
import { differentValues, hasCheckDigit, overlap, type PlaceReading, readingsOf } from './readings.ts';

/** A place that may be bound as a field. The likelihood is a sum of bits: 10 bits are one chance in a thousand. */
export interface Candidate {
  readonly field: Field;
  readonly place: Place;
  /** The likeliest way to read it. */
  readonly reading: PlaceReading;
  /** Other ways to read it, which the values do not exclude. */
  readonly otherReadings: readonly PlaceReading[];
  readonly bits: number;
  /** The part of the bits that names and places give, without equations. */
  readonly nameBits: number;
  /** The part of the bits that values give. */
  readonly valueBits: number;
  readonly reasons: readonly string[];
}

/** The fields whose names lists have. */
const NAMED_LISTS: readonly Field[] = ['category', ...PRODUCT_NAMES];

/** The fields that a response may consist of. A status confirms the id of a job. */
const WHOLE_RESPONSES: readonly Field[] = ['jobId', 'characteristics'];

const NAME_BITS = { 3: 12, 2: 9, 1: 5 } as const;
const PHRASE_BITS = 6;

/** The bits of the names of places so far; a place is asked about many times. */
const knownNameBits = new WeakMap<Place, Map<Field, number>>();

/** The bits of the names of a place, which belongs to one operation. */
function nameBitsOf(field: Field, operation: OperationKey, place: Place): number {
  const known = knownNameBits.get(place) ?? new Map<Field, number>();
  knownNameBits.set(place, known);
  const bits = known.get(field) ?? findNameBits(field, operation, place);
  known.set(field, bits);
  return bits;
}

const PLAIN_NAME = /^(@?name|label|title|text|value|#text)$/i;

/** What the name of a list says about the plain names in its rows. */
function listEvidence(field: Field, { names }: Place, { listName }: BindingContext): FieldEvidence[] {
  if (listName === undefined || !NAMED_LISTS.includes(field) || !PLAIN_NAME.test(names.join())) return [];
  const named = NAMED_LISTS.find((each) => isPhraseOf(each, [singular(listName)]));
  return named === undefined ? [] : [{ bits: named === field ? 4 : -6 }];
}

/** The inputs of the next operations that take an item of a list (section 2). */
export const idNamesOf = (operation: OperationKey): Input[] =>
  CATALOGUE_GRAPH.flatMap(({ parent, as }) => (parent === operation ? [as] : []));

/** The items of a catalogue that have lists of their own: what names one is no id in another list. */
const OTHER_ITEMS: readonly Input[] = [...new Set(CATALOGUE_GRAPH.map(({ as }) => as))];

function findNameBits(field: Field, operation: OperationKey, place: Place): number {
  const names = place.names.map(withoutPrefix);
  const present = place.cells.flat().filter((each) => each !== undefined && each !== null);
  const type =
    place.isList || FIELDS[field].kind === 'list'
      ? 'array'
      : present.every((each) => typeof each === 'number')
        ? 'number'
        : present.every((each) => typeof each === 'string')
          ? 'string'
          : undefined;
  const described: DescribedValue = {
    selector: place.selector,
    names,
    required: false,
    nullable: false,
    schema: { ...EMPTY_SCHEMA, ...(type && { type }), examples: sampled(present, 20) },
  };
  const scored = scoreField(field, operation, described);
  const points = scored ? (Math.ceil(scored.score / 10) as 1 | 2 | 3) : 0;
  const byVocabulary = scored && points > 0 ? (scored.isUnsure ? 5 : NAME_BITS[Math.min(3, points) as 1 | 2 | 3]) : 0;
  const isAccepted = field === 'id' && idNamesOf(operation).some((each) => isNameOf(each, names.at(-1) ?? ''));
  const own = Math.max(byVocabulary, isAccepted || isPhraseOf(field, names) ? PHRASE_BITS : 0);
  // The name of a segment is a segment, and the code of a state is a state.
  const [above, last] = [names.at(-2), names.at(-1) ?? ''];
  const isSame = PLAIN_NAME.test(last) || (field === 'state' && /^@?code$/i.test(last));
  if (above === undefined || !isSame) return own;
  const short = { ...place, names: [...names.slice(0, -2), singular(above)] };
  return Math.max(own, findNameBits(field, operation, short) - 1);
}

const MARKET = new RegExp(
  `^(${Object.values(MARKET_NAMES).join('|')}|total us(a)?|usa?|united states|national|us total)$`,
  'i',
);
/** The share of rows of which the others are rather a defect. */
const NEARLY_ALL = 0.98;

const mostCommon = (values: readonly unknown[]): unknown => {
  const counts = Map.groupBy(
    values.filter((each) => each !== undefined),
    (each) => each,
  );
  return [...counts].sort(([, x], [, y]) => y.length - x.length)[0]?.[0];
};

const KINDS = 'new|add|chang|alter|updat|modif|remov|delet|delist|drop|insert|alta|baja|neu';
const KIND = new RegExp(`^(${KINDS})`, 'i');
const LETTER_OR_KIND = new RegExp(`^[a-z]$|${KINDS}`, 'i');

/** What the values of a place say about a field. */
function valueEvidence(
  field: Field,
  { names }: Place,
  reading: PlaceReading,
  { operation, known, asked }: BindingContext,
): FieldEvidence[] {
  const last = names.at(-1) ?? '';
  const { values, fits, of } = reading;
  const different = differentValues(values);
  const areAll = (pattern: RegExp): boolean => [...different].every((each) => pattern.test(each));
  const evidence: FieldEvidence[] = [];
  const { kind } = FIELDS[field];
  if (kind === 'upc') {
    const checked = values.filter(hasCheckDigit).length;
    evidence.push(
      checked >= fits * 0.98
        ? { bits: Math.min(14, 3 + 3.3 * different.size), reason: `${checked} of ${of} with their check digit` }
        : { bits: 4 },
    );
  } else if (kind === 'date') evidence.push({ bits: 4 });
  // Any list could be characteristics, so their name decides.
  else if (kind === 'list') evidence.push({ bits: 0 });
  else if (kind === 'money' || kind === 'percent') evidence.push({ bits: 2 });
  else if (kind === 'text') {
    const isCode = areAll(/^([a-z]{0,4}[-_.]?\d+|[0-9a-f-]{32,36})$/i);
    if (field === 'categoryId') evidence.push({ bits: isCode || areAll(/^\S*$/) ? 2 : -6 });
    else if (['category', 'subCategory', 'manufacturer', 'brand'].includes(field))
      evidence.push({ bits: isCode ? -8 : 1 });
  }
  if (
    asked?.some((each) => each !== undefined) &&
    asked.length === values.length &&
    ['upc', 'jobId', 'parent', 'parentItem'].includes(field)
  ) {
    const equal = asked.filter((each, at) => each !== undefined && String(values[at]) === each).length;
    const isAll = equal >= fits * 0.9 && equal > 0;
    if (field === 'parentItem') evidence.push({ bits: isAll ? -12 : 0 });
    else if (isAll) evidence.push({ bits: 12, reason: `what ${equal} requests asked for` });
    else evidence.push({ bits: field === 'parent' ? -3 : -12 });
  }
  if (field === 'id' && OTHER_ITEMS.some((each) => !idNamesOf(operation).includes(each) && isNameOf(each, last)))
    evidence.push({ bits: -8 });
  if (field === 'id' && of > 1) {
    const isCode = areAll(/^\S*$/);
    // Lists below different items may repeat their ids.
    evidence.push({ bits: (different.size === of ? 3 : different.size * 8 < of ? -4 : 0) + (isCode ? 2 : -1) });
  }
  if (field === 'name' && of > 1)
    evidence.push({ bits: [...different].some((each) => /[A-Za-z].*\s|[a-z]{3}/.test(each)) ? 2 : -2 });
  // The result of a call is no state of a job.
  if (field === 'state' && areAll(/^(ok|success(ful)?|error|true|false|\d{3})$/i)) evidence.push({ bits: -10 });
  if (field === 'changeKind') {
    const isFew = different.size <= 5 && of >= different.size * 3;
    evidence.push(
      isFew && areAll(LETTER_OR_KIND)
        ? { bits: areAll(KIND) ? 9 : 6, reason: `only ${[...different].map((each) => `“${each}”`).join(', ')}` }
        : { bits: isFew ? 0 : -8 },
    );
  }
  const share = overlap(different, known.get(field));
  if (share !== undefined && kind !== 'date' && kind !== 'list') {
    if (share >= 0.9 && different.size > 1) evidence.push({ bits: 10, reason: 'listed elsewhere' });
    else if (share >= 0.9) evidence.push({ bits: 5, reason: 'listed elsewhere' });
    else if (share === 0 && different.size > 2 && field !== 'upc') evidence.push({ bits: -6 });
  }
  if (field === 'market') {
    const usual = mostCommon(values);
    const isNearlyAll = values.filter((each) => each === usual).length >= fits * NEARLY_ALL;
    const isNamed = MARKET.test(String(usual));
    evidence.push({
      bits: isNearlyAll && isNamed ? (of > 4 ? 9 : 6) : 0,
      ...(isNearlyAll && isNamed && { reason: `${different.size === 1 ? '' : 'nearly '}always “${usual}”` }),
    });
  }
  return evidence;
}

const sumOf = (evidence: readonly FieldEvidence[]): number => evidence.reduce((sum, { bits }) => sum + bits, 0);

/** Whether one of some names is that of a place, alone or with the name around it. */
const isOneOf = (known: ReadonlySet<string> = new Set(), { names }: Place): boolean => {
  const own = [1, 2].map((count) => joinWords(names.slice(-count).join(' ').replaceAll('@', '')));
  return [...known].some((each) => own.includes(joinWords(each)));
};

/** Whether values are some of those of another place, which has more; or as many, where they may be all of them. */
const isAmong = (values: ReadonlySet<string>, others: readonly ReadonlySet<string>[], mayBeAll: boolean): boolean =>
  values.size > 0 &&
  others.some(
    (each) =>
      each !== values && each.size >= values.size + (mayBeAll ? 0 : 1) && [...values].every((value) => each.has(value)),
  );

const knownNames = new WeakMap<Place, string>();

/** The last name of a place that is no position and no key, as other operations may have it. */
export function placeName(place: Place): string {
  const last = place.names.at(-1) ?? '';
  const name = knownNames.get(place) ?? (/^\d*$/.test(last) ? '' : joinWords(withoutPrefix(last)));
  knownNames.set(place, name);
  return name;
}

/** The candidates of a field among places, the likeliest first. */
export function candidatesOf(
  field: Field,
  places: readonly Place[],
  context: BindingContext,
  columns = columnsOf(places, context),
  readings: (place: Place) => readonly PlaceReading[] = (place) => readingsOf(field, place),
): Candidate[] {
  const ids =
    field === 'parentItem' ? places.filter(({ isList }) => !isList).map(({ cells }) => differentValues(cells)) : [];
  const mayBeSeveral =
    FIELDS[field].kind === 'list' || (field === 'subCategory' && context.operation === ALL_CATEGORIES);
  const candidates = places.flatMap((place): { plainBits: number; isNamed: boolean; candidate: Candidate }[] => {
    if ((place.isList && !mayBeSeveral) || (place.code && place.code.field !== field)) return [];
    const [reading, ...otherReadings] = readings(place);
    if (!reading) return [];
    const nameBits = nameBitsOf(field, context.operation, place);
    // A text is one of many characteristics, unless its name says that it has all.
    const isNamed = isPhraseOf(field, place.names.slice(-1).map(withoutPrefix));
    if (FIELDS[field].kind === 'list' && !place.isList && !isNamed && !context.suggested?.has(field)) return [];
    const isSuggested = context.suggested?.get(field) === place.selector;
    const meaning = context.meanings.get(placeName(place));
    const meaningBits = meaning === undefined ? 0 : meaning === field ? 6 : -4;
    const evidence = [...valueEvidence(field, place, reading, context), ...listEvidence(field, place, context)];
    const isMissing = reading.values.includes(undefined);
    if (field === 'parentItem' && isAmong(differentValues(reading.values), ids, isMissing))
      evidence.push({ bits: isMissing ? 9 : 6, reason: 'ids of other rows' });
    if (field === 'jobId' && isOneOf(context.jobIdNames, place))
      evidence.push({ bits: 10, reason: 'a status without it names it' });
    // Each job has an id of its own.
    if (field === 'jobId' && [...differentValues(reading.values)].some((each) => context.ofOtherJobs?.has(each)))
      evidence.push({ bits: -12 });
    if (place.code) evidence.push({ bits: 10, reason: `codes of ${place.code.source.from}` });
    if (place.selector === '@' && WHOLE_RESPONSES.includes(field) && !place.match)
      evidence.push({ bits: 8, reason: 'the whole response' });
    const structural = structuralEvidence(field, { place, reading }, columns, context);
    const coverage = reading.of / Math.max(1, place.cells.length);
    const ownValueBits = sumOf(evidence);
    const plainBits =
      nameBits +
      (isSuggested ? 8 : 0) +
      meaningBits +
      ownValueBits -
      (coverage < 0.5 && operationOf(context.operation).demanded?.includes(field) ? 6 : 0) -
      place.names.length * 0.2 -
      // Rows that look like pairs are rather rows.
      (place.selector.includes('[?') ? 3 : 0);
    const reasons = [
      ...(isSuggested ? ['described'] : []),
      ...[...evidence, ...structural].flatMap(({ reason }) => reason ?? []),
      `${reading.fits} of ${reading.of}`,
    ];
    const bits = plainBits + sumOf(structural);
    const ownBits = nameBits + (isSuggested ? 8 : 0);
    const valueBits = ownValueBits + sumOf(structural);
    const candidate = { field, place, reading, otherReadings, bits, nameBits: ownBits, valueBits, reasons };
    return [{ plainBits, isNamed: ownBits + meaningBits >= 5, candidate }];
  });
  // A rule judges what columns have in common: it never decides against the place that a name prefers.
  const [first] = candidates.toSorted((x, y) => y.plainBits - x.plainBits);
  const limit = first?.isNamed ? first.candidate.bits : Number.POSITIVE_INFINITY;
  return candidates
    .map(({ candidate, plainBits }) => ({
      ...candidate,
      bits: Math.max(Math.min(plainBits, candidate.bits), Math.min(candidate.bits, limit)),
    }))
    .sort((x, y) => y.bits - x.bits || y.nameBits - x.nameBits);
}

const keyOf = ({ selector, match = '', append = [], code }: Place): string =>
  `${selector} ${match} ${append} ${code?.name ?? ''}`;

const isWithin = (inner: Place, { selector }: Place): boolean =>
  inner.selector.startsWith(`${selector}.`) || inner.selector.startsWith(`${selector}[`);

/** A candidate that is chosen, and how far behind the next one is. */
export interface ChosenPlace {
  readonly candidate: Candidate;
  readonly rival?: Candidate | undefined;
  /** In bits. */
  readonly margin: number;
}

const isFigure = (field: Field): boolean => (SALES_FIGURES as readonly Field[]).includes(field);

/**
 * Chooses a place for each field: the likeliest pair of field and place first, each place for one field. A rival that is
 * likelier to be another field counts less.
 */
export function chooseCandidates(
  fields: readonly Field[],
  places: readonly Place[],
  context: BindingContext,
): Map<Field, ChosenPlace> {
  const columns = columnsOf(places, context);
  const all = fields.map((field) => candidatesOf(field, places, context, columns));
  const ranked = all.flat().sort((x, y) => y.bits - x.bits || partsOf(x) - partsOf(y));
  const chosen = new Map<Field, ChosenPlace>();
  const taken = new Map<string, Field>();
  for (const candidate of ranked) {
    const { field, place } = candidate;
    if (chosen.has(field) || taken.has(keyOf(place))) continue;
    // An object with the places of other fields is the row, unless its name and no other place in it says otherwise.
    const isNamed =
      candidate.nameBits >= 5 &&
      !ranked.some((each) => each.field === field && each.bits >= 5 && isWithin(each.place, place));
    if (place.isList && !isNamed && [...chosen.values()].some((each) => isWithin(each.candidate.place, place)))
      continue;
    taken.set(keyOf(place), field);
    chosen.set(field, { candidate, margin: 0 });
  }
  for (const [field, { candidate }] of chosen) {
    const rival = all[fields.indexOf(field)]?.find(
      (each) =>
        each !== candidate &&
        !isSameList(each, candidate) &&
        !isSameValue(each, candidate) &&
        !isBetterElsewhere(each, chosen, taken),
    );
    // Another field that wants this place as much.
    const contender = ranked.find(
      (each) =>
        each.field !== field &&
        each.place === candidate.place &&
        chosen.get(each.field)?.candidate.place !== each.place &&
        !(chosen.get(each.field) && (chosen.get(each.field) as ChosenPlace).candidate.bits >= each.bits - 1),
    );
    const margin = Math.min(
      candidate.bits - (rival?.bits ?? 0),
      contender && !isFigure(field) ? candidate.bits - contender.bits : Number.POSITIVE_INFINITY,
    );
    chosen.set(field, { candidate, rival, margin });
  }
  return chosen;
}

/** How much is done to the text of a place until it is the value. */
const partsOf = ({ place: { match, append }, reading: { as } }: Candidate): number =>
  [match, append, as].filter((each) => each !== undefined).length;

/** The end of the path to the value of a pair; undefined for any other path. */
const endOfPair = ({ selector }: Place): string | undefined => /\[\?.*\](.*)$/.exec(selector)?.[1];

/**
 * Whether two places have one UPC on each row, one date, of which the other place has the week only, or are one value of a
 * list of pairs, found by its code and by its label.
 */
const isSameValue = (one: Candidate, other: Candidate): boolean => {
  const { kind } = FIELDS[one.field];
  const end = endOfPair(one.place);
  const isForm =
    kind === 'upc' ||
    (end !== undefined && end === endOfPair(other.place)) ||
    (kind === 'date' && [one, other].some(({ reading }) => reading.as === 'isoWeek'));
  return isForm && JSON.stringify(one.reading.values) === JSON.stringify(other.reading.values);
};

/** A list and what its items contain show the same values. */
const isSameList = (one: Candidate, other: Candidate): boolean =>
  (other.place.isList && isInList(one, other)) || (one.place.isList && other.place.isList && isInList(other, one));

const isInList = ({ place }: Candidate, { place: { selector: list } }: Candidate): boolean =>
  place.selector.startsWith(list.replace(/\[\*\].*$/, '['));

/** Whether a place is chosen for another field that it fits clearly better. */
const isBetterElsewhere = (
  { place, bits }: Candidate,
  chosen: ReadonlyMap<Field, ChosenPlace>,
  taken: ReadonlyMap<string, Field>,
): boolean => {
  const owner = taken.get(keyOf(place));
  const other = owner && chosen.get(owner);
  return other !== undefined && other.candidate.bits > bits + 2;
};
