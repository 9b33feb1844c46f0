/**
 * Rules about requests that name a value which no list contains, where the profile states what they get (section 7: not
 * shown): one value at a time, in a request that gets rows with listed values.
 */

import type { Input, OperationKey } from '../contract/index.ts';
import type { InputValue } from '../profile/template.ts';
import { keyOfInputs } from './catalogue-walk.ts';
import {
  type Declarations,
  defineRule,
  describeResponse,
  type Finding,
  failed,
  inconclusive,
  isOk,
  otherStatus,
  passed,
  type Reading,
  type Rule,
  type RuleLiteral,
  type Step,
  type Steps,
  step,
  untested,
} from './index.ts';
import {
  hasContent,
  isProof,
  type Replacement,
  readPart,
  replace,
  replacementsIn,
  type Sent,
  sentFor,
} from './replaced-values.ts';

/** The step of the requests with listed values. */
const LISTED = 'listed values';
const UNKNOWN = 'unknown value';
/** Sends a value of another form, because the service refused that of the first one or may know the value. */
const OTHER_FORM = 'unknown value of another form';
/** Sends a second value, because the service may know the first one. */
const CONFIRMING = 'second unknown value';
const UNKNOWN_STEPS: readonly string[] = [UNKNOWN, OTHER_FORM, CONFIRMING];

interface UnknownValue
  extends Pick<RuleLiteral<Steps>, 'id' | 'statement' | 'demands' | 'how' | 'looksLike' | 'subjects' | 'needs'> {
  /** The inputs whose values are judged, in the order of the draw. */
  readonly inputs: (subject: OperationKey, declarations: Declarations) => readonly Input[];
  /** How many of these inputs are judged. */
  readonly draw: 'unknownValues' | 'unknownNames';
  /** Whether an empty list for an unknown value of each input contradicts the statement; default: it does. */
  readonly isEmptyWrong?: (subject: OperationKey) => boolean;
  /** The request with listed values, and the steps that list values; these have the fold of the items. */
  readonly requests: (
    subject: OperationKey,
    declarations: Declarations,
  ) => { readonly lists: Steps; readonly listed: Step };
}

/** What is replaced in the requests of an operation, and the readings that show it. */
interface Found {
  readonly sources: readonly Reading[];
  readonly found: readonly Replacement[];
}

/** Defines a rule about values of inputs that no list contains. */
export function unknownValueRule({
  inputs: inputsOf,
  requests,
  draw,
  isEmptyWrong = () => true,
  ...texts
}: UnknownValue): Rule {
  // An unknown value has no code.
  const inputs = (subject: OperationKey, declarations: Declarations): readonly Input[] =>
    inputsOf(subject, declarations).filter((each) => !declarations.codedInputs(subject).includes(each));
  /** The last result for each operation: three steps and the judge ask for the same one. */
  const lastFound = new WeakMap<Declarations, Map<OperationKey, Found>>();
  const replacements = (subject: OperationKey, sources: readonly Reading[], declarations: Declarations) => {
    const bySubject = lastFound.get(declarations) ?? new Map<OperationKey, Found>();
    lastFound.set(declarations, bySubject);
    const last = bySubject.get(subject);
    if (last?.sources.length === sources.length && last.sources.every((each, at) => each === sources[at]))
      return last.found;
    const all = replacementsIn(subject, inputs(subject, declarations), sources, declarations);
    const found = all.slice(0, declarations.draw(draw));
    bySubject.set(subject, { sources, found });
    return found;
  };
  return defineRule<Steps>({
    ...texts,
    promise: 'operations.….statuses.unknown',
    repeat: 'inconclusive',
    notQuick: true,
    isStated: ({ ownStatuses }, subject) => ownStatuses(subject).unknown !== undefined,
    unjudged(subject, declarations) {
      if (inputs(subject, declarations).length > 0) return undefined;
      return inputsOf(subject, declarations).length === 0
        ? 'its request contains no input with values that a list shows, or that the profile gives as examples'
        : 'its request writes each input as a code, and an unknown value has none';
    },
    probe(subject, declarations): Steps {
      const judged = inputs(subject, declarations);
      const last = judged.at(-1);
      if (last === undefined) return {};
      const { lists, listed } = requests(subject, declarations);
      const known = [LISTED, ...Object.keys(lists)];
      const unknownStep = (
        name: string,
        after: readonly string[],
        select: (replacement: Replacement, sent: readonly Sent[]) => readonly (InputValue | undefined)[],
      ): Step =>
        step({
          operation: subject,
          each: {
            from: [...known, ...after],
            as: { id: last },
            max: Math.min(judged.length, declarations.draw(draw)),
            select: (_, of) =>
              replacements(subject, known.flatMap(of), declarations).flatMap((each) =>
                select(each, sentFor(each, after.flatMap(of), declarations, judged)).flatMap((value) =>
                  value === undefined ? [] : [replace(each, value)],
                ),
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
        [UNKNOWN]: unknownStep(UNKNOWN, [], ({ forms: [form] }) => [form?.values[0]]),
        [OTHER_FORM]: unknownStep(OTHER_FORM, [UNKNOWN], ({ forms: [, other] }, [sent]) =>
          sent && ['format', 'wrong', 'empty'].includes(sent.result) && !isProof(sent) ? [other?.values[0]] : [],
        ),
        [CONFIRMING]: unknownStep(CONFIRMING, [UNKNOWN, OTHER_FORM], (_, sent) =>
          sent.filter(isProof).map(({ form }) => form.values[1]),
        ),
      };
    },
    counterexample(seen, { subject, declarations }) {
      const sources = Object.entries(seen).flatMap(([name, found]) => (UNKNOWN_STEPS.includes(name) ? [] : found));
      const readings = sources.map((each): Reading => ({ ...each, folds: { items: { rows: each.rows } } }));
      const [replacement] = replacements(subject, readings, declarations);
      const known = sources.find((each) => replacement && keyOfInputs(each.inputs) === keyOfInputs(replacement.inputs));
      const form = replacement?.forms.find(({ isRare }) => isRare);
      if (!replacement || !known || !form) return {};
      const [first, second] = form.values.map((value) => ({ ...known, inputs: replace(replacement, value) }));
      return { [UNKNOWN]: first ? [first] : [], [CONFIRMING]: second ? [second] : [], [OTHER_FORM]: [] };
    },
    judge(seen, { subject, declarations }) {
      const names = inputs(subject, declarations);
      const isRead = readPart(subject, declarations) !== 'nothing';
      // The order of the probe, so that the values are the same.
      const lists = Object.keys(seen).filter((name) => name !== LISTED && !UNKNOWN_STEPS.includes(name));
      const listed = [LISTED, ...lists].flatMap((name) => seen[name] ?? []);
      const readings = UNKNOWN_STEPS.flatMap((name) => seen[name] ?? []);
      const judged = replacements(subject, listed, declarations).map((replacement) => ({
        replacement,
        sent: sentFor(replacement, readings, declarations, names),
      }));
      const sent = judged.flatMap((each) => each.sent);
      // The statement is about one value of the request at least: that another one gets an empty list is no contradiction.
      const contradictsEmpty =
        isEmptyWrong(subject) && judged.length === names.length && sent.every(({ result }) => result === 'empty');
      const isWrong = (each: Sent): boolean => isProof(each) && (each.result === 'wrong' || contradictsEmpty);
      const findings = judged.flatMap(({ replacement: { input }, sent: ofInput }): Finding[] => {
        if (ofInput.some(({ result }) => result === 'stated')) return [];
        const wrong = ofInput
          .filter(isWrong)
          .filter(
            ({ form }) => ofInput.filter((each) => each.form === form && isWrong(each)).length === form.values.length,
          );
        return wrong.map(({ value, form, reading }) => {
          const isKnown = hasContent(reading, declarations);
          const rows = isKnown ? reading.observation?.rows || 'some' : 'no';
          const about = `the unknown ${input} ${JSON.stringify(value)} (${form.why})`;
          const accepted = `unknown-${input}-${isKnown ? 'known' : 'empty'}`;
          const actual = `${describeResponse(reading)}${isOk(reading) && isRead ? ` with ${rows} rows` : ''}`;
          return otherStatus(reading, 'unknown', { about, accepted, actual }, declarations);
        });
      });
      if (findings.length > 0) return failed(findings);
      const open = judged.filter((each) => !each.sent.some(({ result }) => result === 'stated'));
      const unconfirmed = open.flatMap((each) => each.sent).find((each) => each.result === 'wrong' && isProof(each));
      if (unconfirmed)
        return inconclusive(
          `${describeResponse(unconfirmed.reading)} for ${JSON.stringify(unconfirmed.value)}, but not confirmed`,
        );
      if (open.length < judged.length)
        return passed({
          exchanges: sent.length,
          distinct: sent.length,
          coverage: [{ of: 'inputs', looked: judged.length - open.length, known: names.length }],
        });
      const [first] = open;
      if (!first) return untested('no request with listed values got rows, so an unknown value proves nothing');
      const {
        replacement,
        sent: [nothing],
      } = first;
      return untested(
        nothing
          ? `the unknown ${replacement.input} ${JSON.stringify(nothing.value)} (${nothing.form.why}) got ${describeResponse(nothing.reading)}, which proves nothing: if this is what unknown values get, state it in statuses.unknown; if the service knows the value or refuses its form, set another one in examples.unknown.${replacement.input}`
          : (replacement.because ?? 'the request with an unknown value was not sent'),
      );
    },
  });
}
