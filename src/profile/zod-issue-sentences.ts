/** Formats zod issues as sentences: the expected value, and the kind of the actual one. */
import type { z } from 'zod';
import { didYouMean } from './did-you-mean.ts';

type Issue = z.core.$ZodIssue;
type Code = Issue['code'];
type IssueOf<C extends Code> = Extract<Issue, { code: C }>;

/** The types of zod, in words. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  bigint: 'a big integer',
  symbol: 'a symbol',
  date: 'a date',
  array: 'a list',
  tuple: 'a list of fixed length',
  object: 'a map of keys and values',
  record: 'a map of keys and values',
  map: 'a Map',
  set: 'a Set',
  file: 'a file',
  function: 'a function',
  null: 'null',
  undefined: 'absent',
  nan: 'NaN',
  never: 'absent',
  void: 'absent',
};
const typeIn = (expected: string): string => TYPES[expected] ?? `of type ${expected}`;

/** The kind of a value, never a text or number itself: it may be a secret. */
function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return 'no finite number';
  if (typeof value === 'number') return Number.isInteger(value) ? 'a whole number' : 'a number with decimals';
  return typeIn(typeof value);
}

const quoted = (value: unknown): string => (typeof value === 'string' ? `“${value}”` : String(value));
const MAX_SHOWN = 30;
const listed = (values: readonly unknown[]): string =>
  values.length <= MAX_SHOWN
    ? values.map(quoted).join(', ')
    : `${values.slice(0, 6).map(quoted).join(', ')} and ${values.length - 6} more`;

/** The unit of a length limit, by the type of the value. */
const UNITS: Readonly<Record<string, string>> = {
  string: ' characters',
  array: ' elements',
  tuple: ' elements',
  set: ' elements',
  map: ' entries',
  file: ' bytes',
};

function bound(word: 'at least' | 'at most', limit: unknown, isInclusive: boolean, origin: string): string {
  const unit = UNITS[origin];
  const shown = origin === 'date' ? new Date(Number(limit)).toISOString() : String(limit);
  if (unit) {
    if (word === 'at least' && Number(limit) === 1) return 'must not be empty';
    return `must have ${isInclusive ? word : word === 'at least' ? 'more than' : 'fewer than'} ${shown}${unit}`;
  }
  return `must be ${isInclusive ? word : word === 'at least' ? 'greater than' : 'less than'} ${shown}`;
}

/** Whether the value is missing; unknown for issues of schemas that do not report their input. */
const isMissing = (issue: object): boolean => 'input' in issue && issue.input === undefined;
const found = (issue: object): string => ('input' in issue ? `, but is ${kindOf(issue.input)}` : '');

/** One sentence per issue code. */
const SENTENCES: { readonly [C in Code]: (issue: IssueOf<C>) => string } = {
  invalid_type: (issue) =>
    isMissing(issue)
      ? `is missing and must be ${typeIn(issue.expected)}`
      : `must be ${typeIn(issue.expected)}${found(issue)}`,
  too_big: ({ maximum, inclusive = true, origin }) => bound('at most', maximum, inclusive, origin),
  too_small: ({ minimum, inclusive = true, origin }) => bound('at least', minimum, inclusive, origin),
  // A message by the schema’s author is more specific than the format.
  invalid_format: ({ format, pattern, message }) =>
    /^Invalid /.test(message) ? `must match ${format === 'regex' ? pattern : `the format ${format}`}` : message,
  not_multiple_of: ({ divisor }) => `must be a multiple of ${divisor}`,
  unrecognized_keys: ({ keys }) =>
    `has the unknown ${keys.length === 1 ? 'key' : 'keys'} ${listed(keys)}, which must be removed`,
  invalid_union: (issue) => unionSentence(issue),
  invalid_key: ({ issues: [first] }) => `must not have this key${first ? `: a key ${sentenceOfIssue(first)}` : ''}`,
  invalid_element: ({ issues: [first] }) =>
    `has an element that ${first ? sentenceOfIssue(first) : 'does not match its schema'}`,
  invalid_value: (issue) => {
    const { values, input } = issue;
    const expected = values.length === 1 ? `must be ${quoted(values[0])}` : `must be one of ${listed(values)}`;
    if (isMissing(issue)) return `is missing and ${expected}`;
    return `${expected}${typeof input === 'string' ? didYouMean(input, values.map(String)) : found(issue)}`;
  },
  custom: ({ message }) => (message === 'Invalid input' ? 'does not match its schema' : message),
};

function unionSentence(issue: IssueOf<'invalid_union'>): string {
  const { discriminator, options } = issue as { discriminator?: string; options?: readonly unknown[] };
  const valueIssue = (values: readonly unknown[], input: object) =>
    SENTENCES.invalid_value({
      ...issue,
      code: 'invalid_value',
      values,
      ...input,
    } as unknown as IssueOf<'invalid_value'>);
  if (discriminator !== undefined && options) {
    const whole = issue.input as Readonly<Record<string, unknown>> | undefined;
    return valueIssue(options, whole ? { input: whole[discriminator] } : {});
  }
  const first = issue.errors.flatMap((branch) => branch.slice(0, 1)) as Issue[];
  if (first.length > 0 && first.every((each): each is IssueOf<'invalid_value'> => each.code === 'invalid_value'))
    return valueIssue(
      first.flatMap(({ values }) => values),
      {},
    );
  const demands = first.map((each) => sentenceOfIssue(each).replace(/^is missing and |, but is .*$/gs, ''));
  const expectation = [...new Set(demands)].join(' or ') || 'must be one of its alternatives';
  return isMissing(issue) ? `is missing and ${expectation}` : `${expectation}${found(issue)}`;
}

/**
 * Describes an issue as the end of a sentence that begins with the location; values are described by their kind.
 * @example `name ${sentenceOfIssue(issue)}` // 'name must be a text, but is a list'
 */
export function sentenceOfIssue(issue: Issue): string {
  const sentence = SENTENCES[issue.code] as ((each: Issue) => string) | undefined;
  return sentence ? sentence(issue) : 'does not match its schema';
}

/** The location of an issue in the document, and its sentence. */
export interface LocatedIssue {
  readonly path: readonly PropertyKey[];
  readonly issue: Issue;
}

/** The depth of an issue; unknown keys rank before other issues of the same depth, because they are the likely typo. */
const rank = ({ path, issue }: LocatedIssue): number => path.length + (issue.code === 'unrecognized_keys' ? 1.5 : 0);

/** The most useful issue: for a union, that of the branch that matched furthest. */
export function mostSpecific(issue: Issue, base: readonly PropertyKey[] = []): LocatedIssue {
  const path = [...base, ...issue.path];
  if (issue.code !== 'invalid_union') return { path, issue };
  const branches = issue.errors.flatMap((branch) => branch.map((each) => mostSpecific(each as Issue, path)));
  const [deepest] = branches.toSorted((x, y) => rank(y) - rank(x));
  return deepest && rank(deepest) > path.length ? deepest : { path, issue };
}
