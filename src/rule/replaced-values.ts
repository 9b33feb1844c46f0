/** Requests in which a value that no list contains replaces a listed one, and what their responses show about it. */
import { type Input, type OperationKey, SALES_FILTERS } from '../contract/index.ts';
import type { Inputs, InputValue } from '../profile/template.ts';
import type { Cell } from '../reading/types.ts';
import { isId, keyOfInputs } from './catalogue-walk.ts';
import { type Declarations, isOk, isValue, type Reading, type Row, statusResult } from './index.ts';
import { type Invention, unlistedLike } from './unlisted-value.ts';

/** Statuses of a value whose format the service does not accept. */
export const MALFORMED: ReadonlySet<number> = new Set([400, 414, 422]);
export const NO_CONTENT = 204;

const itemsIn = ({ folds }: Pick<Reading, 'folds'>): readonly Row[] =>
  (folds.items as { readonly rows: readonly Row[] } | undefined)?.rows ?? [];

/** The fields whose values show that a row is one of the list and no message, where the profile reads them. */
const IDENTITY = ['id', 'name', 'date', 'category', 'categoryId', ...SALES_FILTERS] as const;

/** What a profile reads of the responses of an operation: the values of rows, rows only, or nothing. */
type BodyPart = 'values' | 'rows' | 'nothing';

export function readPart(operation: OperationKey, declarations: Declarations): BodyPart {
  if (IDENTITY.some((field) => declarations.selector(operation, field) !== undefined)) return 'values';
  return declarations.binds(operation, 'rows') ? 'rows' : 'nothing';
}

/** Whether a response has rows with a value that the profile reads, or such a value once; as far as the profile reads it. */
export function hasContent(reading: Reading, declarations: Declarations): boolean {
  const { values, problem, rows = 0 } = reading.observation ?? {};
  if (!isOk(reading)) return false;
  const part = readPart(reading.operation, declarations);
  if (part === 'nothing') return reading.head?.status !== NO_CONTENT;
  const isFilled =
    part === 'rows'
      ? rows > 0
      : itemsIn(reading).some((row) => Object.values(row).some(isValue)) || (values?.id ?? []).some(isValue);
  return !problem && isFilled;
}

const normalise = (value: unknown): string => String(value).toLowerCase();

/** A request that gets rows, one of its inputs, and the values that replace it: of the form of listed ones, then others. */
export interface Replacement {
  readonly input: Input;
  readonly inputs: Inputs;
  readonly forms: readonly Invention[];
  /** Why no value can replace it. */
  readonly because?: string;
}

export const replace = ({ inputs, input }: Replacement, value: InputValue): Inputs => ({ ...inputs, [input]: value });

/** The values of the lists and fields that contain a value. */
function listedWith(value: InputValue, lists: readonly Reading[]): InputValue[] {
  const columns = new Map<string, Cell[]>();
  for (const list of lists)
    for (const row of itemsIn(list))
      for (const [field, cell] of Object.entries(row)) {
        const column = `${list.operation} ${field}`;
        const cells = columns.get(column);
        if (cells) cells.push(cell);
        else columns.set(column, [cell]);
      }
  const wanted = normalise(value);
  return [...columns.values()]
    .filter((cells) => cells.some((cell) => normalise(cell) === wanted))
    .flatMap((cells) => cells.filter(isId));
}

/**
 * What is replaced in which request: of each input the first request that has it and gets rows; inputs whose form can be
 * learned first.
 */
export function replacementsIn(
  subject: OperationKey,
  inputs: readonly Input[],
  sources: readonly Reading[],
  declarations: Declarations,
): readonly Replacement[] {
  const taken = new Set(sources.flatMap(itemsIn).flatMap(Object.values).map(normalise));
  const all = inputs.flatMap((input): Replacement[] => {
    const found = sources.find(
      (each) => each.operation === subject && hasContent(each, declarations) && each.inputs[input] !== undefined,
    );
    const value = found?.inputs[input];
    if (!found || value === undefined) return [];
    const key = `examples.unknown.${input}`;
    const stated = declarations.unknownExample(input, subject);
    const { catalogueId } = found.inputs;
    const examples = [{}, { operation: subject, catalogueId }].flatMap((use) => declarations.examples(input, use));
    const known = new Set([...taken, ...examples.map(normalise)]);
    const isTaken = (text: string): boolean => known.has(normalise(text));
    if (stated !== undefined && isTaken(String(stated)))
      return [{ input, inputs: found.inputs, forms: [], because: `the ${input} of ${key} exists: set another one` }];
    const listed = [...listedWith(value, sources), ...examples];
    const forms =
      stated === undefined
        ? unlistedLike(value, listed, isTaken, declarations.seed)
        : [{ values: [stated], why: `which ${key} of the profile states`, isRare: true, isLearned: true }];
    const because = `the form of the ${input} ${JSON.stringify(value)} cannot be learned from ${new Set(listed).size} listed values: set one that does not exist in ${key}`;
    return [{ input, inputs: found.inputs, forms, ...(forms.length === 0 && { because }) }];
  });
  return [...all.filter(({ because }) => !because), ...all.filter(({ because }) => because)];
}

/** `empty`: an empty list. `format`: the format of the value is refused. `nothing`: the response proves nothing. */
type Result = 'stated' | 'wrong' | 'empty' | 'format' | 'nothing';

/** A value that replaced a listed one, and its response. */
export interface Sent {
  readonly value: InputValue;
  readonly form: Invention;
  readonly reading: Reading;
  readonly result: Result;
}

/**
 * @param isLast no other value of the request depends on the unknown one, as a level depends on its hierarchy, so that a
 *   refusal is about the unknown value
 */
function resultOf(reading: Reading, declarations: Declarations, isLast: boolean): Result {
  const shown = statusResult(reading, 'unknown', declarations);
  if (shown !== 'wrong') return shown;
  if (isOk(reading)) {
    // Without a selector of rows it is unknown whether the list is empty.
    if (readPart(reading.operation, declarations) === 'nothing') return 'empty';
    const { problem, complete } = reading.observation ?? {};
    if (hasContent(reading, declarations)) return 'wrong';
    return complete && !problem && reading.observation?.rows === 0 ? 'empty' : 'nothing';
  }
  const status = reading.head?.status ?? 0;
  const { malformed = [] } = declarations.statuses(reading.operation);
  if (MALFORMED.has(status) || malformed.includes(status)) return 'format';
  return status >= 500 || isLast ? 'wrong' : 'nothing';
}

/** The responses to the values that replaced a listed one. */
export function sentFor(
  replacement: Replacement,
  readings: readonly Reading[],
  declarations: Declarations,
  names: readonly Input[],
): readonly Sent[] {
  const sent = (Object.keys(replacement.inputs) as Input[]).filter((each) => names.includes(each));
  const isLast = sent.at(-1) === replacement.input;
  return replacement.forms.flatMap((form) =>
    form.values.flatMap((value): Sent[] => {
      const key = keyOfInputs(replace(replacement, value));
      const reading = readings.find((each) => keyOfInputs(each.inputs) === key);
      return reading ? [{ value, form, reading, result: resultOf(reading, declarations, isLast) }] : [];
    }),
  );
}

/** Whether the response contradicts the statement about unknown values, also if the service knows more than it lists. */
export const isProof = ({ result, form, reading }: Sent): boolean =>
  result === 'wrong'
    ? isOk(reading)
      ? form.isRare
      : form.isLearned
    : result === 'empty' && form.isRare && form.isLearned;
