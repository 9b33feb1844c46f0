/**
 * Rules about requests that name a value which no list contains, where the profile states what they get (section 7: not
 * shown): one value at a time, in a request that gets rows with listed values.
 */
import { type Input, type ObservableStatementId, type OperationKey, SALES_FILTERS } from '../contract/index.ts';
import type { Inputs, InputValue } from '../profile/template.ts';
import {
  type Declarations,
  defineRule,
  describeResponse,
  type EditableReading,
  type Finding,
  failed,
  hasStatus,
  inconclusive,
  isBlocking,
  isOk,
  isValue,
  kindOfStatus,
  type Need,
  openingOf,
  passed,
  type Reading,
  type Row,
  type Rule,
  type Step,
  type Steps,
  step,
  untested,
} from './index.ts';
import { unlistedIdsLike } from './unlisted-id.ts';

/** The step of the requests with listed values. */
const LISTED = 'listed values';
const UNKNOWN = 'unknown value';
/** Sends a value of another length, because the service refused the format of the first one. */
const OTHER_FORM = 'unknown value of another form';
/** Sends a second value, because the service may know the first one. */
const CONFIRMING = 'second unknown value';
const UNKNOWN_STEPS: readonly string[] = [UNKNOWN, OTHER_FORM, CONFIRMING];

/** Statuses of a value whose format the service does not accept. */
const MALFORMED: ReadonlySet<number> = new Set([400, 414, 422]);
const NO_CONTENT = 204;

interface UnknownValue {
  readonly id: string;
  readonly statement: ObservableStatementId;
  readonly demands: string;
  readonly how: string;
  readonly looksLike: string;
  readonly subjects: readonly OperationKey[];
  readonly needs: (subject: OperationKey) => readonly Need[];
  /** The inputs whose values are judged, in the order of the draw. */
  readonly inputs: (subject: OperationKey, declarations: Declarations) => readonly Input[];
  /** How many of these inputs are judged. */
  readonly draw: 'unknownValues' | 'unknownNames';
  /** Whether an empty list for an unknown value of each input contradicts the statement. */
  readonly isEmptyWrong: (subject: OperationKey) => boolean;
  /** The request with listed values, and the steps that list values; these have the fold of the items. */
  readonly requests: (
    subject: OperationKey,
    declarations: Declarations,
  ) => { readonly lists: Steps; readonly listed: Step };
}

/** The fields whose values show that a row is one of the list and no message, where the profile reads them. */
const IDENTITY = ['id', 'name', 'date', 'category', 'categoryId', ...SALES_FILTERS] as const;

/** What a profile reads of the responses of an operation: the values of rows, rows only, or nothing. */
type BodyPart = 'values' | 'rows' | 'nothing';

function readPart(operation: OperationKey, declarations: Declarations): BodyPart {
  if (IDENTITY.some((field) => declarations.selector(operation, field) !== undefined)) return 'values';
  return declarations.isFilled(openingOf(operation, 'rows')) ? 'rows' : 'nothing';
}

/** Whether a response has rows with a value that the profile reads, or such a value once; as far as the profile reads it. */
function hasContent(reading: Reading, declarations: Declarations): boolean {
  const { values, problem, rows: count = 0 } = reading.observation ?? {};
  if (!isOk(reading)) return false;
  const part = readPart(reading.operation, declarations);
  if (part === 'nothing') return reading.head?.status !== NO_CONTENT;
  const { rows = [] } = (reading.folds.items as { readonly rows: readonly Row[] } | undefined) ?? {};
  const isFilled =
    part === 'rows'
      ? count > 0
      : rows.some((row) => Object.values(row).some(isValue)) || (values?.id ?? []).some(isValue);
  return !problem && isFilled;
}

const keyOf = (inputs: Inputs): string =>
  JSON.stringify(
    Object.entries(inputs)
      .map(([input, value]) => [input, String(value)])
      .sort(),
  );

/** A request that gets rows, one of its inputs, and the values that replace it. */
interface Replacement {
  readonly input: Input;
  readonly inputs: Inputs;
  readonly first: readonly InputValue[];
  readonly second: readonly InputValue[];
}

const replace = ({ inputs, input }: Replacement, value: InputValue): Inputs => ({ ...inputs, [input]: value });

/** What is replaced in which request: of each judged input the first request that has it. */
const replacementsIn = (
  subject: OperationKey,
  inputs: readonly Input[],
  sources: readonly Reading[],
  declarations: Declarations,
): readonly Replacement[] =>
  inputs.flatMap((input): Replacement[] => {
    const found = sources.find(
      (each) => each.operation === subject && hasContent(each, declarations) && each.inputs[input] !== undefined,
    );
    const value = found?.inputs[input];
    if (!found || value === undefined) return [];
    const [first, second] = [1, 2].map((nth) => unlistedIdsLike(value, 2 * declarations.seed + nth)) as [
      InputValue[],
      InputValue[],
    ];
    return [{ input, inputs: found.inputs, first, second }];
  });

/** The texts in the rows of lists. */
const textsIn = (lists: readonly Reading[]): ReadonlySet<string> =>
  new Set(
    lists
      .flatMap(({ folds }) => (folds.items as { rows: readonly object[] } | undefined)?.rows ?? [])
      .flatMap((row) => Object.values(row).map((cell) => String(cell).toLowerCase())),
  );

/** `empty`: an empty list. `format`: the format of the value is refused. `nothing`: the response proves nothing. */
type Result = 'stated' | 'wrong' | 'empty' | 'format' | 'nothing';

/**
 * @param isLast no other value of the request depends on the unknown one, as a level depends on its hierarchy, so that a
 *   refusal is about the unknown value
 */
function resultOf(reading: Reading, declarations: Declarations, isLast: boolean): Result {
  const stated = declarations.statuses(reading.operation);
  const status = reading.head?.status ?? 0;
  const isStated = hasStatus(reading, stated.unknown ?? []);
  if (isStated === true) return 'stated';
  if (status === 0 || isStated === undefined || isBlocking(status, stated)) return 'nothing';
  if (isOk(reading)) {
    // Without a selector of rows nobody knows whether the list is empty.
    if (readPart(reading.operation, declarations) === 'nothing') return 'empty';
    const { problem, complete } = reading.observation ?? {};
    if (hasContent(reading, declarations)) return 'wrong';
    return complete && !problem && reading.observation?.rows === 0 ? 'empty' : 'nothing';
  }
  if (MALFORMED.has(status) || stated.malformed?.includes(status)) return 'format';
  return status >= 500 || (status >= 400 && isLast) ? 'wrong' : 'nothing';
}

/** A value that replaced a listed one, and its response. */
interface Sent {
  readonly value: InputValue;
  readonly reading: Reading;
  readonly result: Result;
}

/** The responses to the values that replaced a listed one. */
function sentFor(
  replacement: Replacement,
  readings: readonly Reading[],
  declarations: Declarations,
  names: readonly Input[],
): readonly Sent[] {
  const sent = (Object.keys(replacement.inputs) as Input[]).filter((each) => names.includes(each));
  const isLast = sent.at(-1) === replacement.input;
  return [...replacement.first, ...replacement.second].flatMap((value): Sent[] => {
    const key = keyOf(replace(replacement, value));
    const reading = readings.find((each) => keyOf(each.inputs) === key);
    return reading ? [{ value, reading, result: resultOf(reading, declarations, isLast) }] : [];
  });
}

/** The value of the same form in the second attempt. */
const secondOf = ({ first, second }: Replacement, { value }: Sent): InputValue | undefined =>
  second[first.map(String).indexOf(String(value))];

/** Defines a rule about values of inputs that no list contains. */
export function unknownValueRule({ inputs: inputsOf, requests, draw, isEmptyWrong, ...texts }: UnknownValue): Rule {
  // An unknown value has no code.
  const inputs = (subject: OperationKey, declarations: Declarations): readonly Input[] =>
    inputsOf(subject, declarations).filter((each) => !declarations.codedInputs(subject).includes(each));
  const replacements = (subject: OperationKey, sources: readonly Reading[], declarations: Declarations) =>
    replacementsIn(subject, inputs(subject, declarations).slice(0, declarations.draw(draw)), sources, declarations);
  return defineRule<Steps>({
    ...texts,
    basis: 'profile',
    since: '0.2.0',
    promise: 'operations.….statuses.unknown',
    repeat: 'inconclusive',
    notQuick: true,
    unjudged(subject, declarations) {
      if (declarations.ownUnknown(subject) === undefined || inputs(subject, declarations).length > 0) return undefined;
      return inputsOf(subject, declarations).length === 0
        ? 'its request contains no input with values that a list shows, or that the profile gives as examples'
        : 'its request writes each input as a code, and an unknown value has none';
    },
    probe(subject, declarations): Steps {
      const judged = inputs(subject, declarations);
      const last = judged.at(-1);
      if (declarations.ownUnknown(subject) === undefined || last === undefined) return {};
      const { lists, listed } = requests(subject, declarations);
      const known = [LISTED, ...Object.keys(lists)];
      const max = Math.min(judged.length, declarations.draw(draw));
      const unknownStep = (
        from: readonly string[],
        select: (replacement: Replacement, sources: readonly Reading[]) => readonly InputValue[],
        name: string,
      ): Step =>
        step({
          operation: subject,
          each: {
            from,
            as: { id: last },
            max,
            select: (sources) =>
              replacements(subject, sources, declarations).flatMap((each) =>
                select(each, sources).map((value) => replace(each, value)),
              ),
            key: `${name} of ${subject}`,
          },
          accepts: 'any',
          optional: true,
          mayBeUnknown: true,
          ...(listed.folds && { folds: listed.folds }),
        });
      return {
        ...lists,
        [LISTED]: { ...listed, optional: true },
        [UNKNOWN]: unknownStep(
          known,
          ({ first }, sources) => {
            const isListed = textsIn(sources);
            return first.filter((value) => !isListed.has(String(value).toLowerCase())).slice(0, 1);
          },
          UNKNOWN,
        ),
        [OTHER_FORM]: unknownStep(
          [...known, UNKNOWN],
          (each, sources) =>
            sentFor(each, sources, declarations, judged).some(({ result }) => result === 'format')
              ? each.first.slice(1)
              : [],
          OTHER_FORM,
        ),
        [CONFIRMING]: unknownStep(
          [...known, UNKNOWN, OTHER_FORM],
          (each, sources) =>
            sentFor(each, sources, declarations, judged)
              .filter(({ result }) => result === 'wrong' || result === 'empty')
              .flatMap((sent) => secondOf(each, sent) ?? []),
          CONFIRMING,
        ),
      };
    },
    counterexample(seen, { subject, declarations }) {
      const sources = Object.entries(seen).flatMap(([name, found]) => (UNKNOWN_STEPS.includes(name) ? [] : found));
      const readings = sources.map((each): Reading => ({ ...each, folds: { items: { rows: each.rows } } }));
      const [replacement] = replacements(subject, readings, declarations);
      const known = sources.find((each) => replacement && keyOf(each.inputs) === keyOf(replacement.inputs));
      if (!replacement || !known) return {};
      const as = (value: InputValue | undefined): EditableReading[] =>
        value === undefined ? [] : [{ ...known, inputs: replace(replacement, value) }];
      return { [UNKNOWN]: as(replacement.first[0]), [CONFIRMING]: as(replacement.second[0]), [OTHER_FORM]: [] };
    },
    judge(seen, { subject, declarations }) {
      const { unknown = [] } = declarations.statuses(subject);
      const names = inputs(subject, declarations);
      const isRead = readPart(subject, declarations) !== 'nothing';
      const lists = Object.entries(seen).filter(([name]) => !UNKNOWN_STEPS.includes(name));
      const listed = [...(seen[LISTED] ?? []), ...lists.flatMap(([, found]) => found)];
      const isListed = textsIn(listed);
      const readings = UNKNOWN_STEPS.flatMap((name) => seen[name] ?? []);
      const judged = replacements(subject, listed, declarations).map((replacement) => ({
        replacement,
        sent: sentFor(replacement, readings, declarations, names).filter(
          ({ value }) => !isListed.has(String(value).toLowerCase()),
        ),
      }));
      const sent = judged.flatMap((each) => each.sent);
      // The statement is about one value of the request at least: that another one gets an empty list is no contradiction.
      const contradictsEmpty =
        isEmptyWrong(subject) && judged.length === names.length && sent.every(({ result }) => result === 'empty');
      const findings = judged.flatMap(({ replacement: { input }, sent: ofInput }): Finding[] => {
        const wrong = ofInput.filter(({ result }) => result === 'wrong' || (contradictsEmpty && result === 'empty'));
        if (wrong.length < 2 || ofInput.some(({ result }) => result === 'stated')) return [];
        return wrong.map(({ value, reading }) => ({
          kind: hasContent(reading, declarations)
            ? `unknown-${input}-known`
            : isOk(reading)
              ? `unknown-${input}-empty`
              : kindOfStatus(reading),
          expected: `status ${unknown.join(' or ')} for ${input} ${JSON.stringify(value)}, which no list contains, as the profile states in statuses.unknown of ${subject}`,
          actual: `${describeResponse(reading)}${isOk(reading) && isRead ? ` with ${hasContent(reading, declarations) ? reading.observation?.rows || 'some' : 'no'} rows` : ''}`,
          exchange: reading.exchange,
        }));
      });
      if (findings.length > 0) return failed(findings);
      const stated = judged.filter((each) => each.sent.some(({ result }) => result === 'stated'));
      const wrong = judged.find((each) => !stated.includes(each) && each.sent.some(({ result }) => result === 'wrong'))
        ?.sent[0];
      if (wrong)
        return inconclusive(`${describeResponse(wrong.reading)} for ${JSON.stringify(wrong.value)}, but not confirmed`);
      if (stated.length > 0)
        return passed({
          exchanges: sent.length,
          distinct: sent.length,
          coverage: [{ of: 'inputs', looked: stated.length, known: names.length }],
        });
      const [nothing] = sent;
      return untested(
        nothing
          ? `the request with an unknown value got ${describeResponse(nothing.reading)}, which proves nothing: if this is what unknown values get, state it in statuses.unknown`
          : 'no request with listed values got rows, so an unknown value proves nothing',
      );
    },
  });
}
