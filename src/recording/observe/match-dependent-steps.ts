/** Matches observed responses to the steps that are sent once per row, whose requests contain values of the rows. */
import type { Profile } from '../../profile/schema.ts';
import { type Rule, type Step, type Steps, sourceNames } from '../../rule/index.ts';
import { neededOf, repetitionsOf } from './combine-responses.ts';
import { inputsFromRows, isOkResponse, possibleInputs } from './match-step.ts';
import type { ObservedResponses } from './observed-responses.ts';
import type { ObservedResponse } from './response-index.ts';

/** The responses of each step of a probe, by its name. */
export type StepResponses = ReadonlyMap<string, readonly ObservedResponse[]>;

/** Maximum time between the start of a job, or the listing of an item, and its request, in ms. */
const MAX_DELAY_MS = 300_000;

export interface DependentStepsOptions {
  readonly rule: Rule;
  readonly steps: Steps;
  readonly profile: Profile;
  readonly observed: ObservedResponses;
  /** Only responses that are proved to be of the data week of the responses they are compared with. */
  readonly requireSameDataWeek: boolean;
}

/**
 * Adds the responses of the dependent steps to those of the other steps.
 *
 * @param matched the responses of the steps that are sent once
 * @returns the responses of all steps, or why those of a step are missing
 */
export async function matchDependentSteps(
  matched: StepResponses,
  { rule: { repeat }, steps, profile, observed, requireSameDataWeek }: DependentStepsOptions,
): Promise<{ readonly responses: StepResponses } | { readonly because: string }> {
  const responses = new Map(matched);
  const missing: { readonly name: string; readonly step: Step; readonly because: string }[] = [];
  const compared = comparedResponses(steps, matched);
  for (const [name, step] of Object.entries(steps)) {
    // A step without one of several filters has no responses here: the step with all of them matches requests with any.
    if (!step.each || step.alsoMatches || step.variant?.without) continue;
    if (step.variant?.credentials !== undefined) {
      missing.push({
        name,
        step,
        because: 'no observed request with values of rows is known to have other credentials',
      });
      continue;
    }
    const sources = sourceNames(step.each).flatMap((from) => responses.get(from) ?? []);
    const source = sources[0]?.operation ?? 'an earlier response';
    const possible = possibleInputs(profile, step.operation);
    const equal = Object.entries(steps).filter(([, other]) => isRepetition(other, step));
    const repetitions = repetitionsOf(equal);
    const needed = neededOf(equal);
    const isRepeated = repetitions.length > 1;
    const dependent = observed.listsOf(step.operation).flatMap((response) => {
      const isSameClient = sources.some(({ pages: [first] }) => first.client === response.pages[0].client);
      const inputs =
        isSameClient && observed.isConclusive(response, { isRepeated })
          ? inputsFromRows(step, response, sources, possible)
          : undefined;
      return inputs ? [{ response, inputs }] : [];
    });
    // The order of requests that wait for each other through their values is checked by repetition.
    const earlier = (step.after ?? []).flatMap((each) => (steps[each]?.each ? [] : (responses.get(each) ?? [])));
    const inOrder = dependent.filter(({ response: { pages } }) =>
      earlier.every((each) => pages[0].startedAt !== undefined && pages[0].order > each.pages[0].order),
    );
    const comparable = inOrder.filter(({ response }) =>
      requireSameDataWeek
        ? observed.areOfSameDataWeek(...compared, response)
        : // An item that was listed long ago may no longer exist.
          repeat !== 'inconclusive' || isRepeated || isOkResponse(response) || isSoonAfter(sources, response),
    );
    const found = isRepeated
      ? nthRepetition(comparable, repetitions.indexOf(step.repetition ?? 0), needed, sources)
      : comparable;
    if (found.length > 0) {
      responses.set(
        name,
        await Promise.all(found.map(({ response, inputs }) => observed.withInputs(response, inputs))),
      );
      continue;
    }
    const because =
      dependent.length === 0
        ? `${step.operation} was not requested for anything that ${source} lists`
        : isRepeated
          ? `${step.operation} was not requested ${needed} times soon after ${source}`
          : `${step.operation} and the response it is compared with are not proved to be of one data week`;
    missing.push({ name, step, because });
  }
  const necessary = missing.find(({ name, step }) => !step.optional && !isDispensable(name, step, steps, responses));
  return necessary ?? { responses };
}

/** Whether a step may have no responses, because another step with values of the same list has some. */
const isDispensable = (name: string, { each }: Step, steps: Steps, responses: StepResponses): boolean =>
  Object.values(steps).every((other) => !other.each || !sourceNames(other.each).includes(name)) &&
  Object.entries(steps).some(
    ([other, step]) =>
      step.each && each && String(sourceNames(step.each)) === String(sourceNames(each)) && responses.has(other),
  );

/** Whether two steps send the same requests for the same rows. */
const isRepetition = (one: Step, other: Step): boolean =>
  one.each !== undefined &&
  one.operation === other.operation &&
  JSON.stringify(one.each) === JSON.stringify(other.each);

/** The responses that a rule compares; those that only supply values are excluded unless there are no others. */
export function comparedResponses(steps: Steps, matched: StepResponses): readonly ObservedResponse[] {
  const sources = new Set(Object.values(steps).flatMap(({ each }) => (each ? sourceNames(each) : [])));
  const onlyCompared = [...matched].flatMap(([name, found]) => (sources.has(name) || steps[name]?.each ? [] : found));
  return onlyCompared.length > 0
    ? onlyCompared
    : [...matched].flatMap(([name, found]) => (steps[name]?.each ? [] : found));
}

/** Whether a response followed soon after one that supplied its values. */
const isSoonAfter = (sources: readonly ObservedResponse[], { pages: [page] }: ObservedResponse): boolean =>
  sources.some(({ pages: [{ startedAt }] }) => {
    const passed = startedAt === undefined || page.startedAt === undefined ? undefined : page.startedAt - startedAt;
    return passed !== undefined && passed >= 0 && passed <= MAX_DELAY_MS;
  });

/** Whether a request was sent before the response to an earlier one ended. */
const overlap = ({ pages: [earlier] }: ObservedResponse, { pages: [later] }: ObservedResponse): boolean =>
  earlier.endedAt !== undefined && later.startedAt !== undefined && later.startedAt < earlier.endedAt;

/**
 * The response of one of several equal requests; none if there are too few. A server may delete a job after some time, so
 * only requests soon after its start count or, without recorded times, those of a job with at least one 2xx.
 */
function nthRepetition<D extends { readonly response: ObservedResponse }>(
  dependent: readonly D[],
  nth: number,
  needed: number,
  [source]: readonly ObservedResponse[],
): D[] {
  const start = source?.pages[0];
  const inTime = dependent
    .filter(({ response: { pages } }) => {
      const [page] = pages;
      return (
        start?.startedAt === undefined ||
        (page.order > start.order && (page.startedAt ?? 0) - start.startedAt <= MAX_DELAY_MS)
      );
    })
    .toSorted(({ response: x }, { response: y }) => x.pages[0].order - y.pages[0].order);
  // Of requests at the same time, the service may have answered the later one first.
  const inOrder = inTime.filter(
    ({ response }, at) => !inTime.slice(0, at).some((one) => overlap(one.response, response)),
  );
  if (inOrder.length < needed) return [];
  if (start?.startedAt === undefined && !inOrder.some(({ response }) => isOkResponse(response))) return [];
  return inOrder.slice(nth, nth + 1);
}
