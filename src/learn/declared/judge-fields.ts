/** Judges the declared fields: each is one more candidate beside the place that the learner chooses. */
import { FIELDS, type Field, OPERATIONS, type OperationKey, SALES_FIGURES } from '../../contract/index.ts';
import { counted } from '../../format-values.ts';
import { exampleValuesOf } from '../../profile/example-values.ts';
import { flowText } from '../../profile/yaml-flow.ts';
import { type Cell, Unconverted } from '../../reading/types.ts';
import { BindingValues, describeMismatch, describeUnconverted, LEVELS } from '../../rule/binding-doubts.ts';
import { normaliseName } from '../../rule/choose-names.ts';
import { type ChosenPlace, candidatesOf } from '../binding/candidates.ts';
import { columnsOf } from '../binding/columns.ts';
import { bindingOf, isDecided } from '../binding/describe-binding.ts';
import { describeScale } from '../binding/figures.ts';
import type { Place } from '../binding/places.ts';
import { columnFact } from '../binding/structure.ts';
import type { Learner } from '../learner.ts';
import type { DeclaredVerdict } from '../types.ts';
import { type DeclaredColumn, declaredColumns } from './declared-columns.ts';

/** The share of values in which two columns that are one field agree. */
const SAME = 0.95;
/** The distance from which on the values of another place are better, in bits. */
const BETTER = 5;
const isFound = (cell: Cell): boolean =>
  cell !== undefined && cell !== null && !(Array.isArray(cell) && cell.length === 0);
const readValue = (cell: Cell): unknown => (isFound(cell) && !(cell instanceof Unconverted) ? cell : undefined);

/** Judges every field of the operations that answered. */
export function judgeFields(learner: Learner): DeclaredVerdict[] {
  const { stated } = learner.asker;
  const operations = OPERATIONS.flatMap(({ key }) =>
    stated[key] && learner.operation(key).answers.length > 0 ? [{ key, ...declaredColumns(learner, key) }] : [],
  );
  const valuesOf = (some: typeof operations): BindingValues => {
    const values = new BindingValues();
    for (const { key, columns } of some)
      for (const { field, cells } of columns) for (const cell of cells) if (isFound(cell)) values.add(key, field, cell);
    return values;
  };
  const values = valuesOf(operations);
  // The beginnings of two lists may have no value in common.
  const whole = valuesOf(operations.filter(({ key }) => learner.operation(key).paging === undefined));
  return operations.flatMap(({ key, columns, rows }) => {
    const figures = columns.filter(({ field, cells }) => FIELDS[field].kind === 'money' && cells.some(isFound));
    return [
      ...(stated[key]?.response?.rows === undefined ? [] : judgeRows(learner, key, rows)),
      ...columns.flatMap((column) => {
        const verdict = judgeColumn(learner, key, column, { figures, values, whole });
        return verdict ? [{ ...verdict, path: ['operations', key, 'response', 'fields', column.field] }] : [];
      }),
    ];
  });
}

/** Reports declared rows that no response has. */
function judgeRows(learner: Learner, key: OperationKey, rows: number): DeclaredVerdict[] {
  if (rows > 0) return [];
  const path = ['operations', key, 'response', 'rows'];
  const { answers, bound } = learner.operation(key);
  const says = `no row is in ${counted(answers.length, 'response')}`;
  const { list } = bound?.chosen ?? {};
  if (list && list.nodes.length > 0)
    return [{ kind: 'doubt', path, sentence: `${says}; ${list.selector} has ${counted(list.nodes.length, 'row')}` }];
  return [{ kind: 'unverified', path, sentence: `${says}, so the fields of rows are not verified` }];
}

/** What a column is compared with. */
interface Others {
  /** The amounts of the same rows. */
  readonly figures: readonly DeclaredColumn[];
  /** What the profile reads of all operations. */
  readonly values: BindingValues;
  /** What it reads of lists with one page. */
  readonly whole: BindingValues;
}

function judgeColumn(
  learner: Learner,
  key: OperationKey,
  column: DeclaredColumn,
  { figures, values, whole }: Others,
): Omit<DeclaredVerdict, 'path'> | undefined {
  const { field, binding, cells, amount } = column;
  const doubt = (sentence: string) => ({ kind: 'doubt', sentence }) as const;
  const rival = learner.operation(key).bound?.choices.get(field);
  const isClear = rival !== undefined && isDecided(rival);
  const better = isClear ? `; ${describeRival(rival)}` : '';
  if (!isClear && !cells.some(isFound) && cells.some((cell) => cell !== undefined))
    return { kind: 'unverified', sentence: `${binding} has no value in ${amount}` };
  // Rows may have a field only if a filter asks for it.
  if (!cells.some(isFound) && isFiltered(learner, key, field)) return undefined;
  if (!cells.some(isFound))
    return doubt(
      `${binding} finds nothing in ${amount}${better || '; bind the member that contains the value, or delete the key'}`,
    );
  const own = values.of(key, field);
  if (own.unconverted > 0) return doubt(describeUnconverted(own));
  const scale = (SALES_FIGURES as readonly Field[]).includes(field) && describeScale(field, figures);
  if (scale) return doubt(scale);
  if (rival && isSame(column, rival)) return { kind: 'confirmed', sentence: rival.candidate.reasons.join(', ') };
  if (FIELDS[field].kind === 'list') return undefined;
  const candidate = candidateOf(learner, key, column);
  if (!candidate) return undefined;
  if (isClear && rival.candidate.valueBits - candidate.valueBits >= BETTER)
    return doubt(`${binding} does not fit as well (${candidate.reasons.join(', ')})${better}`);
  if (candidate.valueBits >= BETTER) return { kind: 'confirmed', sentence: candidate.reasons.join(', ') };
  const isLevel = (LEVELS as readonly Field[]).includes(field);
  const examples = exampleValuesOf(learner.asker.profile.data, field as (typeof LEVELS)[number], { operation: key });
  const mismatch = isLevel && describeMismatch(values, key, field, examples.map(String), whole);
  return mismatch ? doubt(mismatch) : undefined;
}

/** Whether a field has a value in an answer to a filter. */
function isFiltered(learner: Learner, key: OperationKey, field: Field): boolean {
  const filtered = learner.asker.successes().filter(({ operation }) => operation === key);
  return declaredColumns(learner, key, filtered).columns.some(
    (each) => each.field === field && each.cells.some(isFound),
  );
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
    normaliseName(columnFact(typeof value === 'number' ? Number(value.toPrecision(9)) : value));
  const own = read.map((value) => textOf(typeof value === 'number' ? value * unit : value));
  const others = candidate.reading.values.map(textOf);
  if (own.length !== others.length) {
    const known = new Set(others);
    return own.every((each) => each === '' || known.has(each));
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
