/** Judges what a profile declares by the evidence for all candidates: a declared binding is one of them. */
import { FIELDS, type Field, type Input, OPERATIONS, type OperationKey, SALES_FIGURES } from '../contract/index.ts';
import { counted, quoted } from '../format-values.ts';
import { isPlainObject, memberOf } from '../profile/plain-object.ts';
import type { FieldBinding, OperationProfile } from '../profile/schema.ts';
import { flowText } from '../profile/yaml-flow.ts';
import { bindFields, toRow, toValues } from '../reading/cells.ts';
import { type Cell, Unconverted } from '../reading/types.ts';
import { describeUnconverted, FieldValues } from '../rule/binding-doubts.ts';
import type { Answer } from './ask.ts';
import { type ChosenPlace, candidatesOf } from './candidates.ts';
import { columnsOf } from './columns.ts';
import { bindingOf, isDecided } from './describe-binding.ts';
import { describeScale } from './figures.ts';
import type { Learner } from './learner.ts';
import { type Place, sampled } from './places.ts';
import { seenPromises, WEEKDAYS } from './seen-promises.ts';
import { shapedRows } from './shaped-lists.ts';
import { statedRows } from './stated-binding.ts';
import { columnFact } from './structure.ts';
import type { DeclaredVerdict, ProfilePath } from './types.ts';

/** The values of a declared field: of each row, or of each response. */
interface DeclaredColumn {
  readonly field: Field;
  readonly at: string;
  /** The binding as an author writes it. */
  readonly binding: string;
  readonly cells: readonly Cell[];
  readonly isPerRow: boolean;
  /** `5 rows of 2 responses` */
  readonly amount: string;
}

/** The share of values in which two columns that are one field agree. */
const SAME = 0.95;
/** The distance from which on the values of another place are better, in bits. */
const BETTER = 5;
/** Fewer dates show no weekday. */
const MIN_DATES = 5;

const isFound = (cell: Cell): boolean =>
  cell !== undefined && cell !== null && !(Array.isArray(cell) && cell.length === 0);
const readValue = (cell: Cell): unknown => (isFound(cell) && !(cell instanceof Unconverted) ? cell : undefined);

/** Judges every field, input and example of the operations that answered, and what the profile promises. */
export function judgeDeclared(learner: Learner): DeclaredVerdict[] {
  const { operations = {} } = learner.asker.profile.data;
  return OPERATIONS.flatMap(({ key }) => {
    const declared = operations[key];
    return declared && learner.operation(key).answers.length > 0
      ? [...judgeFields(learner, key, declared), ...judgeRequest(learner, key), ...judgeSchemas(learner, key)]
      : [];
  }).concat(judgeExamples(learner), judgePromises(learner));
}

interface RowNode {
  readonly node: unknown;
  readonly answer: Answer;
}

/** A binding without options is its selector. */
const shortBinding = (binding: FieldBinding | undefined): unknown =>
  binding && Object.keys(binding).length === 1 ? binding.at : binding;

function columnsIn(learner: Learner, key: OperationKey, nodes: readonly RowNode[]): DeclaredColumn[] {
  const { answers } = learner.operation(key);
  const { fields } = learner.asker.planOf(key, {});
  const { rowBindings, responseBindings } = bindFields(fields, 'row');
  const rows = nodes.map(({ node, answer }) => toRow(rowBindings, node, answer.head));
  const responses = counted(answers.length, 'response');
  const once = answers.map(({ document, head, lines }) =>
    toValues(responseBindings, document, { ...head, ...(lines && { lines }) }),
  );
  const column = (field: Field, cells: readonly Cell[], isPerRow: boolean): DeclaredColumn => ({
    field,
    at: String(fields[field]?.at),
    binding: flowText(shortBinding(learner.asker.stated[key]?.response?.fields?.[field])),
    cells,
    isPerRow,
    amount: isPerRow ? `${counted(rows.length, 'row')} of ${responses}` : responses,
  });
  return [
    ...(rows.length > 0
      ? rowBindings.fields.map(({ field }) =>
          column(
            field,
            rows.map((row) => row[field]),
            true,
          ),
        )
      : []),
    ...responseBindings.map(({ field }) => {
      const all = once.map((values) => values[field] ?? []);
      const isSingle = all.every((cells) => cells.length <= 1);
      return column(field, isSingle ? all.map(([cell]) => cell) : all.flat(), false);
    }),
  ];
}

function judgeFields(learner: Learner, key: OperationKey, { response }: OperationProfile): DeclaredVerdict[] {
  const path = ['operations', key, 'response', 'rows'];
  const { answers } = learner.operation(key);
  const { bound } = learner.operation(key);
  const list = statedRows(learner.asker, key, answers)?.list ?? bound?.chosen?.list;
  const nodes = list
    ? sampled(answers.flatMap((answer) => shapedRows(list, answer).map((node) => ({ node, answer }))))
    : [];
  const columns = columnsIn(learner, key, nodes);
  if (response?.rows !== undefined && nodes.length === 0) {
    const better = bound?.chosen;
    const says = `no row is in ${counted(answers.length, 'response')}`;
    if (better && better.list.nodes.length > 0)
      return [doubtOf(path, `${says}; ${better.list.selector} has ${counted(better.list.nodes.length, 'row')}`)];
    return [{ kind: 'unverified', path, sentence: `${says}, so the fields of rows are not verified` }];
  }
  const figures = columns.filter(({ field, cells }) => FIELDS[field].kind === 'money' && cells.some(isFound));
  return columns.flatMap((column) => {
    const verdict = judgeColumn(learner, key, column, figures);
    return verdict ? [{ ...verdict, path: ['operations', key, 'response', 'fields', column.field] }] : [];
  });
}

const doubtOf = (path: ProfilePath, sentence: string): DeclaredVerdict => ({ kind: 'doubt', path, sentence });

function judgeColumn(
  learner: Learner,
  key: OperationKey,
  column: DeclaredColumn,
  figures: readonly DeclaredColumn[],
): Omit<DeclaredVerdict, 'path'> | undefined {
  const { field, binding, cells, amount } = column;
  const doubt = (sentence: string) => ({ kind: 'doubt', sentence }) as const;
  const rival = learner.operation(key).bound?.choices.get(field);
  const isClear = rival !== undefined && isDecided(rival);
  const better = isClear ? `; ${describeRival(rival)}` : '';
  if (!cells.some(isFound))
    return doubt(
      `${binding} finds nothing in ${amount}${better || '; bind the member that contains the value, or delete the key'}`,
    );
  const values = new FieldValues();
  for (const cell of cells) values.add(field, cell);
  if (values.unconverted > 0) return doubt(describeUnconverted(values));
  const scale = (SALES_FIGURES as readonly Field[]).includes(field) && describeScale(field, figures);
  if (scale) return doubt(scale);
  if (rival && isSame(column, rival)) return { kind: 'confirmed', sentence: rival.candidate.reasons.join(', ') };
  if (FIELDS[field].kind === 'list') return undefined;
  const own = candidateOf(learner, key, column);
  if (!isClear || !own || rival.candidate.valueBits - own.valueBits < BETTER)
    return own && own.valueBits >= BETTER ? { kind: 'confirmed', sentence: own.reasons.join(', ') } : undefined;
  return doubt(`${binding} does not fit as well (${own.reasons.join(', ')})${better}`);
}

const describeRival = ({ candidate }: ChosenPlace): string =>
  `the responses show ${flowText(bindingOf(candidate, candidate.reading))} (${candidate.reasons.join(', ')})`;

/** The power of ten by which the values of one column are those of another one. */
function unitOf(values: readonly unknown[], others: readonly unknown[]): number {
  const at = values.findIndex((each, index) => Number(each) > 0 && Number(others[index]) > 0);
  return at < 0 ? 1 : 10 ** Math.round(Math.log10(Number(others[at]) / Number(values[at])));
}

/** Whether a declared field has the values of the place that the learner chooses. */
function isSame({ field, cells }: DeclaredColumn, { candidate }: ChosenPlace): boolean {
  const read = cells.map(readValue);
  // Whole amounts may be dollars or cents: `describeScale` compares amounts.
  const unit = FIELDS[field].kind === 'money' ? unitOf(read, candidate.reading.values) : 1;
  const textOf = (value: unknown): string =>
    columnFact(typeof value === 'number' ? Number(value.toPrecision(9)) : value);
  const own = read.map((value) => textOf(typeof value === 'number' ? value * unit : value));
  const others = candidate.reading.values.map(textOf);
  if (own.length !== others.length) {
    const known = new Set(others);
    return own.every((each) => known.has(each));
  }
  const shown = own.filter((each, at) => each !== '' || others[at] !== '').length;
  const equal = own.filter((each, at) => each !== '' && each === others[at]).length;
  return equal >= shown * SAME;
}

/** The declared field as one more candidate. */
function candidateOf(learner: Learner, key: OperationKey, { field, at, cells, isPerRow }: DeclaredColumn) {
  const { bound } = learner.operation(key);
  const context = bound?.chosen?.context ?? learner.contextOf(key);
  const known = (isPerRow ? bound?.places : undefined) ?? [];
  const named = known.find(({ selector, match }) => selector === at && match === undefined);
  const values = cells.map(readValue);
  const place: Place = named ?? { selector: at, names: [], cells: values, isList: false };
  const of = values.filter((each) => each !== undefined).length;
  const reading = { values, fits: of, of };
  const others = known.filter((each) => each !== named);
  return candidatesOf(field, [...others, place], context, columnsOf(known, context), (each) =>
    each === place ? [reading] : [],
  )[0];
}

/** Judges the inputs of the declared request: those without effect, and requests in whose place others are accepted. */
function judgeRequest(learner: Learner, key: OperationKey): DeclaredVerdict[] {
  const path = ['operations', key, 'request'];
  const { request } = learner.operation(key);
  const stated = learner.asker.stated[key]?.request;
  if (!stated) return [];
  const evidence = learner.settled.filter((each) => each.path[1] === key && each.path[2] === 'request');
  const says = evidence.map((each) => each.evidence).join(', ');
  const without = learner.withoutEffect.filter(({ operation }) => operation === key);
  const differs = !isPlainObject(request) || JSON.stringify(request) !== JSON.stringify(stated);
  const better = differs && says !== '' ? `; the service accepts ${JSON.stringify(request)} (${says})` : '';
  if (without.length > 0)
    return without.map(({ sentence }) =>
      doubtOf(path, `${sentence}${better || '; check the parameter and its spellings'}`),
    );
  const asked = learner.asker.answersOf(key).filter((answer) => answer.request === stated);
  if (asked.length > 0 && asked.every(({ isSuccess }) => !isSuccess) && better !== '')
    return [doubtOf(path, `no response was successful (the status is ${asked[0]?.status})${better}`)];
  return says !== '' && !differs ? [{ kind: 'confirmed', path, sentence: says }] : [];
}

/** Reports the first violation of a schema. */
function judgeSchemas(learner: Learner, key: OperationKey): DeclaredVerdict[] {
  const breach = learner.asker.answersOf(key).find((each) => each?.breach)?.breach;
  if (!breach) return [];
  const { at, expected, actual, stated } = breach;
  const sentence = `a response violates the schema at ${at || '/'}: expected ${expected}, found ${actual}; correct the schema or the service`;
  return [doubtOf(['operations', key, 'response', 'schemas', stated], sentence)];
}

/** Statuses that are about the values of a request. */
const REFUSED = new Set([400, 404, 406, 409, 410, 422]);

/** The input that a request was sent for: the last one. */
const inputOf = ({ inputs }: Answer): Input | undefined => Object.keys(inputs).at(-1) as Input | undefined;

/** Judges the examples: those that an operation always refuses, while it accepts other values. */
function judgeExamples(learner: Learner): DeclaredVerdict[] {
  const { examples = {} } = learner.asker.profile.data;
  return Object.entries(examples).flatMap(([input, values]): DeclaredVerdict[] => {
    if (!Array.isArray(values)) return [];
    const sent = OPERATIONS.flatMap(({ key }) => learner.asker.answersOf(key)).filter(
      (answer) => answer && inputOf(answer) === input && answer.request === requestOf(learner, answer.operation),
    );
    return [...Map.groupBy(sent, ({ operation }) => operation)].flatMap(([operation, all]): DeclaredVerdict[] => {
      const own = all.filter((answer) =>
        values.some((value) => String(value) === String(answer.inputs[input as Input])),
      );
      if (own.length === 0 || own.some(({ status, refusal }) => !REFUSED.has(status) && !refusal)) return [];
      const sentence = `${operation} refuses ${counted(own.length, 'value')} as {${input}}, such as ${quoted(String(own[0]?.inputs[input as Input]))}, with status ${own[0]?.status}; name the value that this operation accepts, or correct its request`;
      return [doubtOf(['examples', input], sentence)];
    });
  });
}

const requestOf = (learner: Learner, key: OperationKey): unknown => learner.operation(key).request;

/** Judges what the profile promises of statuses, of computed figures and of data weeks. */
function judgePromises(learner: Learner): DeclaredVerdict[] {
  const { data } = learner.asker.profile;
  const stated = [...learner.promises, ...seenPromises(learner)].flatMap(({ path, value, seen }): DeclaredVerdict[] => {
    const own = path.reduce<unknown>((node, step) => memberOf(node, String(step)), data);
    const isOther =
      path[0] === 'statuses'
        ? Array.isArray(own) && (value as unknown[]).some((each) => !own.includes(each))
        : path.at(-1) === 'of' && own !== undefined && own !== value;
    if (!isOther) return [];
    return [doubtOf(path, `${seen}: ${flowText(value)}, not ${flowText(own)}; correct the profile or the service`)];
  });
  return [...stated, ...judgeWeekdays(learner)];
}

/** Reports dates of data weeks of which most are on another weekday than weeks end or begin. */
function judgeWeekdays(learner: Learner): DeclaredVerdict[] {
  const { dataWeek } = learner.asker.profile.data;
  const last = WEEKDAYS.indexOf(dataWeek?.endsOn as (typeof WEEKDAYS)[number]);
  return (['activeOn', 'changedOn', 'firstActiveOn'] as const).flatMap((field): DeclaredVerdict[] => {
    const meaning = dataWeek?.[field] ?? 'day';
    if (last < 0 || meaning === 'day') return [];
    const days = [...learner.operations.values()].flatMap(({ rows }) =>
      rows.flatMap((row) => (typeof row[field] === 'number' ? [row[field]] : [])),
    );
    // A day of difference may be a time zone, and the newest week may not be complete; an ISO week ends on a Sunday.
    const others = days.filter((day) => ![0, 1, 6].includes((day - last + (meaning === 'weekStarting' ? 6 : 7)) % 7));
    if (days.length < MIN_DATES || others.length < days.length / 2) return [];
    const does = meaning === 'weekEnding' ? 'ends' : 'starts';
    const sentence = `the date is in ${others.length} of ${counted(days.length, 'value')} on another weekday than a data week ${does}; correct it (day?) or dataWeek.endsOn`;
    return [doubtOf(['dataWeek', field], sentence)];
  });
}
