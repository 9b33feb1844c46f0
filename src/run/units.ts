/** The units of a run, and those that are decided without a request. */
import {
  type Input,
  type OpeningId,
  type OperationKey,
  openingById,
  operationOf,
  SAFETY_LADDER,
  type SafetyClass,
} from '../contract/index.ts';
import { isAbsent, isImplemented } from '../profile/filled-openings.ts';
import type { Profile } from '../profile/schema.ts';
import { type Inputs, mentionedInputs } from '../profile/template.ts';
import {
  type Declarations,
  type InputSource,
  type Need,
  type Rule,
  type Step,
  type Steps,
  untested,
  type Verdict,
} from '../rule/index.ts';
import { fixedInputs } from './step-inputs.ts';
import type { Selection, Unit } from './types.ts';
import { stepsBefore } from './unit-execution.ts';

/** All units of a selection in the order of the suites. */
export function selectUnits(rules: readonly Rule[], selection: Selection): Unit[] {
  const { groups, operations, rules: ruleIds, skipRules = [], checks } = selection;
  const names = checks && new Set(checks.map((each) => `${each.rule} ${each.operation}`));
  return rules
    .filter(({ id }) => (!ruleIds || ruleIds.includes(id)) && !skipRules.includes(id))
    .flatMap((rule) => rule.subjects.map((key) => ({ rule, subject: operationOf(key) })))
    .filter(({ subject }) => !groups || groups.includes(subject.group))
    .filter(({ subject }) => !operations || operations.includes(subject.key))
    .filter(({ rule, subject }) => !names || names.has(`${rule.id} ${subject.key}`));
}

/** A verdict that needs no request. */
export interface DecidedUnit {
  readonly verdict: Extract<Verdict, 'untested' | 'not-applicable'>;
  readonly because: string;
  readonly openings?: readonly OpeningId[];
  readonly needsSafety?: SafetyClass;
}

/** The openings of a list of needs that are not filled; of alternatives, the first one. */
export function openNeeds(needs: readonly Need[], declarations: Declarations): OpeningId[] {
  return needs.flatMap((need) => {
    const alternatives = typeof need === 'string' ? [need] : need;
    return alternatives.some((each) => declarations.isFilled(each)) ? [] : alternatives.slice(0, 1);
  });
}

/** Where an example of one catalogue is stated. */
const catalogueOf = ({ catalogueId }: Inputs): string =>
  catalogueId === undefined
    ? ''
    : ` (or, if it exists in this catalogue only, under examples.byCatalogue.${catalogueId})`;

/** Why the request of a step cannot be built: it needs a value for which the profile has no example. */
function missingExample(step: Step, profile: Profile, declarations: Declarations): string | undefined {
  const { operation, inputs = {}, accepts } = step;
  const request = profile.data.operations?.[operation]?.request;
  if (accepts === 'any' || !request) return undefined;
  const mentioned = mentionedInputs(request);
  const fixed = fixedInputs(step, declarations);
  for (const [input, source] of Object.entries(inputs) as [Input, InputSource][]) {
    if ('value' in source || !mentioned.has(input)) continue;
    const stated = declarations.examples(source.example, { operation, catalogueId: fixed.catalogueId }).length;
    if (fixed[input] === undefined && stated > 0)
      return `${operation} needs another value of {${input}}: the examples.${source.example} that apply to it have ${stated} of ${(source.nth ?? 0) + 1}`;
    if (fixed[input] === undefined)
      return `${operation} needs {${input}}: set a value that the service knows under examples.${source.example}${catalogueOf(fixed)}`;
  }
  return undefined;
}

/**
 * Decides a unit by scope, openings and safety class, or returns its steps.
 * @param sends whether requests are sent: recorded traffic of clients needs no example values
 */
export function prepare(
  unit: Unit,
  profile: Profile,
  declarations: Declarations,
  allowed: readonly SafetyClass[],
  sends = true,
): DecidedUnit | { readonly steps: Steps } {
  const { rule, subject } = unit;
  if (!isImplemented(profile, subject.key))
    return { verdict: 'not-applicable', because: 'the profile does not claim this operation' };
  const absent = rule
    .needs(subject.key)
    .find((need) => (typeof need === 'string' ? [need] : need).every((each) => isAbsent(profile, each)));
  if (absent)
    return {
      verdict: 'not-applicable',
      because: `the profile states that there is no ${[absent].flat().join(' or ')}`,
    };
  const open = openNeeds(rule.needs(subject.key), declarations);
  // A fact that a profile may add is never missing: it would add a check.
  if (open.some((each) => openingById(each).optional))
    return {
      verdict: 'not-applicable',
      because: `the profile does not state ${open.join(', ')}, which is optional`,
      openings: open,
    };
  if (open.length > 0) {
    return { verdict: 'untested', because: `the profile leaves open ${open.join(', ')}`, openings: open };
  }
  if (rule.notQuick && declarations.depth === 'quick')
    return { verdict: 'untested', because: 'the depth quick leaves this rule out: run with --depth standard' };
  const steps = rule.probe(subject.key, declarations);
  const notImplemented = Object.values(steps).find((step) => !isImplemented(profile, step.operation));
  if (notImplemented)
    return {
      verdict: 'not-applicable',
      because: `it needs ${notImplemented.operation}, which the profile does not claim`,
    };
  const notAllowed = Object.values(steps).find((step) => !allowed.includes(operationOf(step.operation).safety));
  if (notAllowed) {
    const { safety } = operationOf(notAllowed.operation);
    return {
      verdict: 'untested',
      needsSafety: safety,
      because: `${notAllowed.operation} is of safety class ${safety}: run with --safety ${safety === 'unclear' ? 'all' : safety}`,
    };
  }
  if (Object.keys(steps).length === 0) {
    const because = rule.unjudged?.(subject.key, declarations);
    return because === undefined
      ? { verdict: 'not-applicable', because: 'the profile does not state what this rule judges' }
      : { verdict: 'untested', because };
  }
  if (!sends) return { steps };
  const entries = Object.entries(steps).map(([name, step]) => ({
    name,
    step,
    missing: missingExample(step, profile, declarations),
  }));
  const sendable = entries.filter((each) => each.missing === undefined);
  const missing = entries.find((each) => each.missing !== undefined && (!each.step.optional || sendable.length === 0));
  if (missing) return { verdict: 'untested', because: missing.missing as string };
  return { steps: Object.fromEntries(sendable.map(({ name, step }) => [name, step])) };
}

/** A unit with the steps that it sends. */
export interface ReadyUnit {
  readonly unit: Unit;
  readonly steps: Steps;
}

/** The units of a run: those that are decided without a request, and those whose requests are sent. */
export interface PreparedRun {
  /** All selected units in the order of the suites. */
  readonly units: readonly Unit[];
  readonly decided: ReadonlyMap<Unit, DecidedUnit>;
  /** The selected units with requests. */
  readonly ready: readonly ReadyUnit[];
  /** Units whose rule is not selected, and whose results are not shown, but which the selected ones depend on. */
  readonly besides: readonly ReadyUnit[];
}

/** Selects and prepares the units of a run. */
export function prepareRun(
  rules: readonly Rule[],
  selection: Selection,
  profile: Profile,
  declarations: Declarations,
): PreparedRun {
  const allowed = SAFETY_LADDER[selection.safety];
  const prepareAll = (units: readonly Unit[]) =>
    units.map((unit) => ({ unit, prepared: prepare(unit, profile, declarations, allowed) }));
  const withSteps = (units: ReturnType<typeof prepareAll>): ReadyUnit[] =>
    units.flatMap(({ unit, prepared }) => ('steps' in prepared ? [{ unit, steps: prepared.steps }] : []));
  const units = selectUnits(rules, selection);
  const selected = prepareAll(units);
  const ready = withSteps(selected);
  const { groups, safety, operations, skipRules } = selection;
  const isFiltered = selection.rules || selection.checks;
  const scope = { safety, ...(groups && { groups }) };
  const isOutside = ({ rule, subject }: Unit): boolean =>
    !units.some((each) => each.rule === rule && each.subject === subject);
  const judged = new Set(ready.map(({ unit }) => unit.subject.key));
  // The result of a precondition applies to the other checks of its operation.
  const preconditions = selectUnits(
    isFiltered || skipRules ? rules.filter((rule) => rule.precondition) : [],
    operations ? { ...scope, operations } : scope,
  ).filter((unit) => judged.has(unit.subject.key) && isOutside(unit));
  const read = new Set(
    ready.flatMap(({ steps }) => Object.values(steps).flatMap((each) => (each.fromAllRules ? each.operation : []))),
  );
  const others =
    isFiltered && read.size > 0
      ? selectUnits(rules, skipRules ? { ...scope, skipRules } : scope).filter(isOutside)
      : [];
  return {
    units,
    decided: new Map(selected.flatMap(({ unit, prepared }) => ('steps' in prepared ? [] : [[unit, prepared]]))),
    ready,
    besides: [...withSteps(prepareAll(preconditions)), ...requestsTo(read, withSteps(prepareAll(others)))],
  };
}

/** The requests of other units to operations that the selected ones read (`fromAllRules`), with the steps before them. No rule judges them. */
export function requestsTo(read: ReadonlySet<OperationKey>, others: readonly ReadyUnit[]): ReadyUnit[] {
  return others.flatMap(({ unit, steps }) => {
    const names = new Set<string>();
    const include = (name: string): void => {
      const each = steps[name];
      if (!each || names.has(name)) return;
      names.add(name);
      for (const before of stepsBefore(each)) include(before);
    };
    for (const [name, each] of Object.entries(steps)) if (!each.fromAllRules && read.has(each.operation)) include(name);
    if (names.size === 0) return [];
    const rule = { ...unit.rule, judge: () => untested('only its requests are needed') };
    return [
      { unit: { ...unit, rule }, steps: Object.fromEntries([...names].map((name) => [name, steps[name] as Step])) },
    ];
  });
}
