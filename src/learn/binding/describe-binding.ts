/** Writes what is chosen as a binding, or as a question where several values are possible. */
import { FIELDS, type Field, operationOf, SALES_FIGURES } from '../../contract/index.ts';
import type { PlainObject } from '../../profile/plain-object.ts';
import { type Answer, declaredMedia } from '../ask.ts';
import type { LikelyDefect, Open, Question, Settled } from '../types.ts';
import type { BindingContext } from './binding-context.ts';
import { type Candidate, type ChosenPlace, placeName } from './candidates.ts';
import type { ChosenList } from './choose-list.ts';
import { codedBinding } from './code-tables.ts';
import { changeFits } from './figures.ts';
import { MAP_KEY, memberStep, type Place } from './places.ts';
import type { RowsSelector } from './read-rows.ts';
import type { PlaceReading } from './readings.ts';
import { keepsZeros } from './structure.ts';

/** What the answers of an operation show. Paths begin in `response` of the operation. */
export interface BoundResponse {
  readonly response: PlainObject;
  /** The part of `response` that the answers decide. */
  readonly learned: PlainObject;
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
  /** The list of the rows. */
  readonly chosen?: ChosenList | undefined;
  /** The likeliest place of each field. */
  readonly choices: ReadonlyMap<Field, ChosenPlace>;
  /** The sum of the bits of its fields: how well the rows fit. */
  readonly bits: number;
}

/** Ways to read values that one place of the service decides for all others. */
export interface ServiceForms {
  readonly forms: Map<string, string>;
}

/** Whether the runner-up is far behind. */
export const isDecided = ({ candidate: { bits }, margin }: ChosenPlace): boolean =>
  (bits >= 8 && margin >= 3) || (bits >= 5.4 && margin >= 5);

/** The binding as an author writes it. */
export const bindingOf = ({ place: { selector, match, append, code } }: Candidate, { as }: PlaceReading): unknown =>
  code
    ? codedBinding(selector, code)
    : as === undefined && match === undefined && append === undefined
      ? selector
      : {
          at: selector,
          ...(append && { append }),
          ...(match !== undefined && { match }),
          ...(as !== undefined && { as }),
        };

const exampleOf = ({ place }: Candidate): unknown =>
  place.cells.flat().find((each) => each !== undefined && each !== null && typeof each !== 'object');

/** Whether texts of digits lack the leading zeros of UPCs. */
const isShort = ({ as }: PlaceReading, candidate: Candidate): boolean =>
  as === 'upcNumber' && typeof exampleOf(candidate) === 'string';

/** The ways to read a place that nothing excludes. */
function readingsLeft(
  field: Field,
  candidate: Candidate,
  fields: ReadonlyMap<Field, ChosenPlace>,
  { forms }: ServiceForms,
  context: BindingContext,
): PlaceReading[] {
  const { reading, otherReadings, place } = candidate;
  const { as, ...plain } = reading;
  if (FIELDS[field].kind === 'upc' && typeof exampleOf(candidate) === 'string') {
    // A service that writes leading zeros does not lose them elsewhere, unless that is its defect.
    if (as === 'upcNumber' && context.keepsZeros) return [reading, plain];
    // A few values without leading zeros are written as all others are.
    if (as === undefined && !context.keepsZeros && forms.get('upc') === 'upcNumber')
      return [{ ...reading, as: 'upcNumber' }];
  }
  if (otherReadings.length === 0) return [reading];
  const all = [reading, ...otherReadings];
  const { kind } = FIELDS[field];
  if (kind === 'upc' && keepsZeros(place)) return all.filter((each) => each.as !== 'upcNumber');
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
  if (known.length === 1) return known;
  // Whole numbers of dollars or of cents: the figures of a row are in one unit, whichever it is.
  return kind === 'money' && all.every((each) => ['', 'cents'].includes(each.as ?? ''))
    ? [{ ...reading, as: 'amount' }]
    : all;
}

/** Writes the chosen places of an operation as its `response`: what is decided as bindings, the others as questions. */
export function describeBinding(
  answer: Answer,
  rows: RowsSelector | undefined,
  fields: ReadonlyMap<Field, ChosenPlace>,
  context: BindingContext,
  service: ServiceForms,
  chosen: ChosenList | undefined,
): BoundResponse {
  const { operation } = context;
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
    const left = readingsLeft(field, candidate, fields, service, context);
    bits += candidate.bits;
    const evidence = candidate.reasons.join(', ');
    if (isDecided(choice) && left.length === 1) {
      const [reading] = left as [PlaceReading];
      bound[field] = bindingOf(candidate, reading);
      settled.push({ path, evidence });
      const names = placeName(candidate.place);
      if (names !== '' && !candidate.place.code)
        named.push({ names, name: candidate.place.names.at(-1) as string, field });
      if (candidate.otherReadings.length > 0 || isShort(reading, candidate))
        if (reading.as !== 'amount') service.forms.set(FIELDS[field].kind, reading.as ?? '');
      if (reading.fits < reading.of)
        defects.push({ path, sentence: `${reading.of - reading.fits} of ${reading.of} values do not convert` });
      continue;
    }
    const values = left.map((each) => bindingOf(candidate, each));
    const rivals = [
      ...values.map((value) => ({ value, evidence, example: exampleOf(candidate) })),
      ...(rival && !isDecided(choice)
        ? [{ value: bindingOf(rival, rival.reading), evidence: rival.reasons.join(', '), example: exampleOf(rival) }]
        : []),
    ];
    questions.push({ path, rivals });
  }
  const media = declaredMedia(answer);
  const response = {
    ...(media && { media }),
    ...(answer.csv && { csv: csvOf(answer) }),
    ...(rows !== undefined && { rows }),
    ...(rows !== undefined && chosen && shapeOf(chosen, likely)),
    ...(Object.keys(bound).length > 0 && { fields: bound }),
  };
  if (rows !== undefined) settled.push({ path: [...at, 'rows'], evidence: `${chosen?.list.nodes.length ?? 0} rows` });
  return {
    response,
    learned: response,
    settled,
    questions,
    open,
    defects,
    named,
    likely,
    places: chosen?.places ?? [],
    chosen,
    choices: fields,
    bits,
  };
}

/** The shape of a list; keys of maps only where a field is one. */
const shapeOf = ({ list: { shape } }: ChosenList, likely: PlainObject): PlainObject =>
  !shape || (shape.keys && !JSON.stringify(likely).includes(`@${memberStep(MAP_KEY)}`)) ? {} : { shape };

const csvOf = ({ csv }: Answer): PlainObject => ({
  ...(csv?.delimiter && { delimiter: csv.delimiter }),
  ...(csv?.comment && { comment: csv.comment.length === 1 ? csv.comment[0] : csv.comment }),
});
