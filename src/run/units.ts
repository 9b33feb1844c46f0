/** Which units a run takes up, and which of them are settled before anything is sent. */
import { type Input, type OpeningId, operationOf, type SafetyClass } from '../contract/index.ts';
import { isAbsent, isImplemented } from '../profile/filled-openings.ts';
import type { Profile } from '../profile/schema.ts';
import { mentionedInputs } from '../profile/template.ts';
import type { Declarations, InputSource, Need, Rule, Steps, Verdict } from '../rule/index.ts';
import type { Selection, Unit } from './types.ts';

/** All units of a selection in the order of the suites. */
export function selectUnits(rules: readonly Rule[], selection: Selection): Unit[] {
  const { groups, operations, rules: wanted } = selection;
  return rules
    .filter((rule) => !wanted || wanted.includes(rule.id))
    .flatMap((rule) => rule.subjects.map((key) => ({ rule, subject: operationOf(key) })))
    .filter(({ subject }) => !groups || groups.includes(subject.group))
    .filter(({ subject }) => !operations || operations.includes(subject.key));
}

/** Units that no selection of rules takes out of a run: what they find bears on the others of their operation. */
export function guardUnits(rules: readonly Rule[], selection: Selection, units: readonly Unit[]): Unit[] {
  if (!selection.rules) return [];
  const { rules: _, ...everything } = selection;
  const judged = new Set(units.map(({ subject }) => subject.key));
  const has = new Set(units.map(({ rule, subject }) => `${rule.id} ${subject.key}`));
  return selectUnits(
    rules.filter((rule) => rule.guards),
    everything,
  ).filter(({ rule, subject }) => judged.has(subject.key) && !has.has(`${rule.id} ${subject.key}`));
}

/** A verdict that stands before anything is sent. */
export interface Settled {
  readonly verdict: Extract<Verdict, 'untested' | 'not-applicable'>;
  readonly because: string;
  readonly openings?: readonly OpeningId[];
}

/** The openings of a list of needs that are not filled; of alternatives, the first stands for all. */
export function openNeeds(needs: readonly Need[], declares: Declarations): OpeningId[] {
  return needs.flatMap((need) => {
    const any = typeof need === 'string' ? [need] : need;
    return any.some((each) => declares.isFilled(each)) ? [] : any.slice(0, 1);
  });
}

/** Why a step that must be answered cannot be asked: its request needs a value that the profile gives no example of. */
function missingExample(steps: Steps, profile: Profile, declares: Declarations): string | undefined {
  for (const { operation, inputs = {}, wants } of Object.values(steps)) {
    const request = profile.data.operations?.[operation]?.request;
    if (wants === 'any' || !request) continue;
    const mentioned = mentionedInputs(request);
    for (const [input, source] of Object.entries(inputs) as [Input, InputSource][]) {
      if ('value' in source || !mentioned.has(input)) continue;
      if (declares.examples(source.example)[source.nth ?? 0] === undefined)
        return `${operation} is asked with {${input}}: give a value the service knows under examples.${source.example}`;
    }
  }
  return undefined;
}

/**
 * Settles a unit by scope, openings and safety, or gives the steps it will take.
 * @param sends whether requests are made: those others made need no example values
 */
export function prepare(
  unit: Unit,
  profile: Profile,
  declares: Declarations,
  allowed: readonly SafetyClass[],
  sends = true,
): Settled | { readonly steps: Steps } {
  const { rule, subject } = unit;
  if (!isImplemented(profile, subject.key))
    return { verdict: 'not-applicable', because: 'the profile does not claim this operation' };
  const lacking = rule
    .needs(subject.key)
    .find((need) => (typeof need === 'string' ? [need] : need).every((each) => isAbsent(profile, each)));
  if (lacking)
    return { verdict: 'not-applicable', because: `the profile says there is no ${[lacking].flat().join(' or ')}` };
  const open = openNeeds(rule.needs(subject.key), declares);
  if (open.length > 0) {
    return { verdict: 'untested', because: `the profile leaves open ${open.join(', ')}`, openings: open };
  }
  const steps = rule.probe(subject.key, declares);
  const foreign = Object.values(steps).find((step) => !isImplemented(profile, step.operation));
  if (foreign)
    return { verdict: 'not-applicable', because: `it needs ${foreign.operation}, which the profile does not claim` };
  const barred = Object.values(steps).find((step) => !allowed.includes(operationOf(step.operation).safety));
  if (barred) {
    const { safety } = operationOf(barred.operation);
    return {
      verdict: 'untested',
      because: `${barred.operation} is of safety class ${safety}: run with --safety ${safety === 'unclear' ? 'all' : safety}`,
    };
  }
  if (Object.keys(steps).length === 0)
    return { verdict: 'not-applicable', because: 'the profile does not state what this judges' };
  const missing = sends ? missingExample(steps, profile, declares) : undefined;
  if (missing) return { verdict: 'untested', because: missing };
  return { steps };
}
