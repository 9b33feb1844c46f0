/**
 * Matches observed responses to the steps of a probe, in every possible combination: one response for a step that is sent
 * once, all matching ones for a step that is sent once per row.
 */
import type { OperationKey } from '../../contract/index.ts';
import type { Profile } from '../../profile/schema.ts';
import type { Inputs } from '../../profile/template.ts';
import type { Declarations, Rule, Step, Steps } from '../../rule/index.ts';
import { pagerOf } from '../../run/pager.ts';
import { stepInputs } from '../../run/step-inputs.ts';
import {
  combineSequences,
  groupSteps,
  isOptionalGroup,
  repetitionsOf,
  type StepGroup,
  sequencesOf,
} from './combine-responses.ts';
import { namesKnownItems } from './known-items.ts';
import { type MappedTraffic, requestKeyOf } from './map-traffic.ts';
import { comparedResponses, matchDependentSteps, type StepResponses } from './match-dependent-steps.ts';
import { isCompleteFor, isOkResponse, matchesAlso, matchesExactly, possibleInputs } from './match-step.ts';
import type { ObservedResponses } from './observed-responses.ts';
import type { ObservedResponse } from './response-index.ts';

/** One match: the responses of each step. */
export interface ProbeMatch {
  readonly responses: StepResponses;
  /** Whether all responses are proved to be of the same data week. */
  readonly isSameDataWeek: boolean;
}

export type ProbeMatches = { readonly matches: readonly ProbeMatch[] } | { readonly because: string };

/** Maximum number of matches of one rule. */
const MAX_MATCHES = 2000;

export interface MatchOptions {
  readonly profile: Profile;
  readonly base: string;
  readonly declarations: Declarations;
  readonly traffic: MappedTraffic;
  readonly observed: ObservedResponses;
}

/** All matches of the steps of a rule, or why there is none. */
export async function matchProbe(options: MatchOptions, rule: Rule, steps: Steps): Promise<ProbeMatches> {
  const { profile, observed } = options;
  const matchedDirectly = Object.entries(steps).filter(([, step]) => !step.each || step.alsoMatches);
  const candidates = new Map<string, readonly ObservedResponse[]>();
  const repeatedCandidates = new Map<string, readonly ObservedResponse[]>();
  for (const [name, step] of matchedDirectly) {
    const found = await candidatesOf(step, options);
    if (step.each) repeatedCandidates.set(name, found);
    else candidates.set(name, found);
    if (found.length === 0 && !step.optional) return { because: whyNotObserved(step, steps, observed) };
  }
  const groups = groupSteps(matchedDirectly.filter(([name]) => candidates.has(name)));
  const sequences = groups.map((group) => sequencesOf(group, candidates.get(firstOf(group)[0]) ?? []));
  const incompleteGroup = groups.find((group, at) => sequences[at]?.length === 0 && !isOptionalGroup(group));
  if (incompleteGroup) {
    const { operation } = firstOf(incompleteGroup)[1];
    return { because: `${operation} was not requested ${repetitionsOf(incompleteGroup).length} times` };
  }
  const matches = new Map<string, ProbeMatch>();
  let because = '';
  for (const combined of combineSequences(groups, sequences, (...each) => observed.areOfSameDataWeek(...each))) {
    const matched = new Map([...combined, ...repeatedCandidates].filter(([, found]) => found.length > 0));
    // The data week of each dependent response is checked separately. If the weeks are unknown, a pass still counts; a
    // failure does not.
    const isSameDataWeek = observed.areOfSameDataWeek(...comparedResponses(steps, matched));
    for (const requireProof of rule.repeat === 'pass' ? [true, false] : [true]) {
      const requireSameDataWeek = rule.repeat === 'pass' && requireProof;
      const match = await matchDependentSteps(matched, { rule, steps, profile, observed, requireSameDataWeek });
      if ('because' in match) because ||= match.because;
      else {
        const matchId = matchIdOf(match.responses);
        matches.set(matchId, {
          responses: match.responses,
          isSameDataWeek: isSameDataWeek && (requireProof || matches.get(matchId)?.isSameDataWeek === true),
        });
      }
    }
    if (matches.size >= MAX_MATCHES) break;
  }
  if (matches.size === 0) return { because: because || 'no observed responses can be compared' };
  return { matches: [...matches.values()] };
}

/** The observed responses that match a step by themselves. */
async function candidatesOf(
  step: Step,
  { profile, base, declarations, traffic, observed }: MatchOptions,
): Promise<readonly ObservedResponse[]> {
  const { operation, variant } = step;
  // No recorded request is known to have the credentials of another operation.
  if (variant?.credentials !== undefined && variant.credentials !== 'none') return [];
  if (variant?.method !== undefined || variant?.path !== undefined || variant?.credentials !== undefined) {
    const [inputs = {}] = stepInputs({ ...step, each: undefined } as unknown as Step, () => [], declarations);
    const spec = { operation, inputs: withUpc(operation, inputs), variant, repetition: 0 };
    const key = requestKeyOf(profile)(pagerOf({ base, profile }, spec).first());
    return Promise.all((traffic.byKey.get(key) ?? []).map((each) => observed.readAs(each, operation, inputs)));
  }
  const possible = possibleInputs(profile, operation);
  const all = [...observed.listsOf(operation), ...(step.alsoMatches ? observed.pagesOf(operation) : [])];
  const matching = all.filter(
    (response) =>
      (matchesExactly(step, response, possible, declarations) && isCompleteFor(step, response)) ||
      (matchesAlso(step, response) &&
        namesKnownItems(operation, response.inputs, observed, declarations) &&
        (step.accepts === 'any' || step.accepts === 'response' || isOkResponse(response))),
  );
  return [...new Set(matching)].filter((response) => observed.isConclusive(response, { isRepeated: false }));
}

function whyNotObserved({ operation, inputs = {}, variant }: Step, steps: Steps, observed: ObservedResponses): string {
  if (variant?.path !== undefined)
    return `${operation} was not requested together with the control requests to non-existent paths that this rule sends`;
  const necessary = Object.entries(inputs).map(([input, source]) =>
    'value' in source
      ? `${input} ${JSON.stringify(source.value)}`
      : `one of the example values of ${input} in the profile`,
  );
  const what =
    observed.pagesOf(operation).length === 0
      ? 'was not observed'
      : `was not observed with the necessary inputs (${necessary.join(', ') || 'without filters'})`;
  return `${operation} ${what}${Object.keys(steps).length > 1 ? ', together with the other requests of this rule' : ''}`;
}

const firstOf = (group: StepGroup): StepGroup[number] => group[0] as StepGroup[number];

/** The identity of a match. */
const matchIdOf = (responses: StepResponses): string =>
  JSON.stringify(
    [...responses].map(([name, found]) => [name, found.map(({ pages, inputs }) => [pages[0].order, inputs])]),
  );

const withUpc = (operation: OperationKey, inputs: Inputs): Inputs =>
  operation.includes('{upc}') && inputs.upc === undefined ? { ...inputs, upc: '012345678905' } : inputs;
