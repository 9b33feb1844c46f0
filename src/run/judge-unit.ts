/** Judges a unit from the readings of its steps. */

import { INPUT_NAMES, operationOf } from '../contract/index.ts';
import { type BindingValues, bindingDoubt } from '../rule/binding-doubts.ts';
import {
  type Coverage,
  type Declarations,
  describeResponse,
  isBlocking,
  isOk,
  type Judgement,
  quoteSelector,
  type Reading,
  type Step,
  type Steps,
} from '../rule/index.ts';
import { coverageOf } from './coverage.ts';
import type { Unit } from './types.ts';

/** The judgement of a unit, or an error of the suite itself. */
export type UnitVerdict = (Judgement | { readonly verdict: 'error'; readonly because: string }) & {
  /** How many of the items that its steps select (products, categories, …) were inspected. */
  readonly coverage?: readonly Coverage[];
};

/** Why a reading cannot be used for a step; undefined if it can. */
function whyUnusable(reading: Reading, step: Step, { statuses }: Declarations): string | undefined {
  if (reading.unavailable) return reading.failure ?? 'not recorded';
  if (step.accepts === 'any') return undefined;
  if (!reading.head) return reading.failure ?? 'no response';
  const { status, notFollowedTo } = reading.head;
  if (notFollowedTo !== undefined && step.follow !== false)
    return `status ${status} leads to ${notFollowedTo}, another host: --follow-to ${notFollowedTo} follows it`;
  const declared = statuses(reading.operation);
  if (isBlocking(status, declared)) return `status ${status} prevents a judgement`;
  if (step.accepts === 'response') return reading.failure;
  // A server may answer a request for a value without rows with 404 or 204.
  if (step.each && (status === 404 || status === 204 || declared.unknown?.includes(status))) return undefined;
  if (!isOk(reading)) return reading.head.refusal ? describeResponse(reading) : `status ${status}`;
  if (reading.failure) return reading.failure;
  const { observation } = reading;
  if (!observation) return 'the response was not read';
  if (observation.problem) return observation.problem.message;
  return step.accepts === 'complete' && !observation.complete
    ? 'the list was not read to its end (does the profile declare its paging?)'
    : undefined;
}

/** Drops unavailable readings, unless all are: an older recording lacks requests that were added later. */
const recordedOnly = (readings: readonly Reading[]): readonly Reading[] => {
  const recorded = readings.filter((reading) => !reading.unavailable);
  return recorded.length > 0 ? recorded : readings;
};

/** Judges the readings of a unit. Without a usable reading of a step it stays undecided, without a call of the judge. */
export function judgeUnit(
  { rule, subject }: Unit,
  steps: Steps,
  readingsOf: (name: string) => readonly Reading[],
  declarations: Declarations,
  values: BindingValues,
): UnitVerdict {
  const seen: Record<string, readonly Reading[]> = {};
  let undecided: { readonly verdict: 'inconclusive' | 'untested'; readonly because: string } | undefined;
  // The reason of a check that is not decided without the optional requests that an older recording lacks.
  let unrecorded: typeof undecided;
  for (const [name, step] of Object.entries(steps)) {
    const isSelectedFromOthers = step.fromAllRules !== undefined || step.each?.select !== undefined;
    const readings = isSelectedFromOthers ? recordedOnly(readingsOf(name)) : readingsOf(name);
    const reasons = readings.map((reading) => whyUnusable(reading, step, declarations));
    const usable = readings.filter((_, at) => reasons[at] === undefined);
    const others = readings.filter((_, at) => reasons[at] !== undefined);
    const unusable = others.find((reading) => !reading.unavailable) ?? others[0];
    if (unusable) {
      const because = `${unusable.exchange} ${unusable.operation}: ${reasons[readings.indexOf(unusable)]}`;
      // The judge of an optional step does without it.
      if (step.optional && unusable.unavailable) {
        unrecorded ??= { verdict: 'untested', because };
        seen[name] = usable;
        continue;
      }
      // Unusable readings do not hide a failure in the usable ones.
      const verdict = unusable.unavailable ? 'untested' : 'inconclusive';
      if (!step.each || (usable.length === 0 && !step.optional)) return { verdict, because };
      if (undecided?.verdict !== 'inconclusive') undecided = { verdict, because };
    }
    if (step.each && readings.length === 0 && !step.optional)
      return (
        undecided ?? {
          verdict: 'untested',
          because: `no values for a request of ${step.operation}: the list that supplies them has no usable row`,
        }
      );
    seen[name] = usable;
  }
  try {
    const judged = rule.judge(seen, { subject: subject.key, declarations });
    const isEmptyPass = judged.verdict === 'pass' && !judged.evidence.exchanges && !judged.evidence.rows;
    if (unrecorded && (isEmptyPass || judged.verdict === 'inconclusive')) return unrecorded;
    if (isEmptyPass) {
      return { verdict: 'error', because: 'the rule passed without evidence' };
    }
    const coverage = coverageOf(steps, readingsOf, seen);
    const doubt =
      judged.verdict === 'fail'
        ? (unknownCodeReason({ rule, subject }, steps, seen) ??
          doubtfulBindingReason({ rule, subject }, steps, values, declarations))
        : undefined;
    if (doubt !== undefined && judged.verdict === 'fail') {
      const [first] = judged.findings;
      const because = `${doubt}, which may be the cause of: ${first?.expected}: ${first?.actual}`;
      return { verdict: 'inconclusive', because, doubted: judged, ...(coverage.length > 0 && { coverage }) };
    }
    return {
      ...(undecided && judged.verdict !== 'fail' ? undecided : judged),
      ...(coverage.length > 0 && { coverage }),
    };
  } catch (error) {
    return { verdict: 'error', because: `the rule threw an error: ${(error as Error).message}` };
  }
}

/** Whether a rule reads a field of a step: its needs name the opening, or a fold names the field. */
function readsField({ rule, subject }: Unit, step: Steps[string], field: string): boolean {
  const opening = `${operationOf(step.operation).name}.fields.${field}`;
  const needs: readonly string[] = rule.needs(subject.key).flat();
  const word = new RegExp(`\\b${field}\\b`);
  return needs.includes(opening) || Object.values(step.folds ?? {}).some(({ key }) => word.test(key));
}

/** Why a failure of a unit proves nothing; undefined if no code of unknown meaning can be its cause. */
function unknownCodeReason(
  unit: Unit,
  steps: Steps,
  seen: { readonly [name: string]: readonly Reading[] },
): string | undefined {
  for (const [name, step] of Object.entries(steps))
    for (const { observation, exchange } of seen[name] ?? [])
      for (const { codes = [] } of observation?.pageMetadata ?? []) {
        const found = codes.find(({ field, unknown }) => unknown > 0 && readsField(unit, step, field));
        if (found)
          return `${exchange} contains ${found.unknown} codes at ${found.field} without a known meaning (${found.unread ?? `the table of ${found.from ?? 'the profile'} does not list them, or lists several meanings`})`;
      }
  return undefined;
}

/** Why a failure of a unit proves nothing; undefined if no binding that it reads is in doubt. */
function doubtfulBindingReason(
  unit: Unit,
  steps: Steps,
  values: BindingValues,
  { examples, selector }: Declarations,
): string | undefined {
  for (const { operation, ...step } of Object.values(steps))
    for (const field of values.fieldsOf(operation)) {
      if (!readsField(unit, { operation, ...step }, field)) continue;
      const input = INPUT_NAMES.find((name) => name === field);
      const doubt = bindingDoubt(values, operation, field, input ? examples(input, { operation }).map(String) : []);
      if (doubt !== undefined)
        return `the profile probably reads another value as ${field} at ${quoteSelector(operation, selector(operation, field))}: ${doubt}`;
    }
  return undefined;
}
