/** Requests that show whether an operation is served: the operation between two paths that cannot exist (section 4). */
import { type Input, neededInputs, type OperationKey } from '../contract/index.ts';
import type { Statuses } from '../profile/schema.ts';
import { controlPaths, type InputSource, type Reading, type Step, step } from './index.ts';
import { type Presence, presenceOf } from './served.ts';
import type { ReadingsOf } from './step.ts';

/** Inputs that a request of an operation needs, without the optional filters of groups C and D. */
export const requiredInputs = (operation: OperationKey): { [I in Input]?: InputSource } =>
  Object.fromEntries(
    neededInputs(operation).map((input) => [
      input,
      (input === 'window' ? { value: 4 } : { example: input }) satisfies InputSource,
    ]),
  );

/** The operation and its two controls, in this order, so that values that change with time differ between the controls, too. */
export function servedSteps(operation: OperationKey, method?: string, path?: string) {
  const controls = controlPaths(operation, path);
  // A gateway may require credentials for an unknown path even where the documented one needs none.
  const isAlias = method !== undefined || path !== undefined;
  const request = (at: string | undefined) =>
    step({
      operation,
      inputs: requiredInputs(operation),
      variant: { ...(method && { method }), ...(at && { path: at }), ...(isAlias && { withCredentials: true }) },
      accepts: 'any',
      follow: false,
    });
  return { before: request(controls.before), tested: request(path), after: request(controls.after) };
}

type Response = 'before' | 'tested' | 'after';

const isRedirect = (reading: Reading | undefined): boolean => {
  const status = reading?.head?.status ?? 0;
  return status >= 300 && status < 400 && status !== 304;
};

/**
 * Whether the first responses decide nothing before their redirects are followed: the operation is redirected, or a control
 * is while the other is not, or while the operation gets an error.
 */
function needsFollowing(of: ReadingsOf): boolean {
  const [before, tested, after] = [of('before')[0], of('tested')[0], of('after')[0]];
  if (isRedirect(tested)) return true;
  return isRedirect(before) !== isRedirect(after) || (tested?.head?.status ?? 0) >= 400;
}

/**
 * The steps of `servedSteps`, and those that follow the redirects of their responses where these decide: a service may redirect
 * any request, also one to a path that cannot exist.
 */
export function presenceSteps(operation: OperationKey) {
  const steps = servedSteps(operation);
  const followed = (name: Response): Step =>
    step({
      ...steps[name],
      follow: true,
      optional: true,
      after: ['before', 'tested', 'after'],
      when: (of) => isRedirect(of(name)[0]) && needsFollowing(of),
    });
  return {
    ...steps,
    followedBefore: followed('before'),
    followedTested: followed('tested'),
    followedAfter: followed('after'),
  };
}

/** The readings of `presenceSteps`. */
export type PresenceReadings = {
  readonly [N in keyof ReturnType<typeof presenceSteps>]: readonly Reading[];
};

/** The reading of the operation, after its redirects if they were followed. */
export const finalReading = ({ tested, followedTested }: PresenceReadings): Reading | undefined =>
  followedTested?.[0] ?? tested[0];

/** Whether the operation is served, after redirects where they decide; undefined without a control. */
export function presenceIn(seen: PresenceReadings, stated: Statuses): Presence | undefined {
  const tested = finalReading(seen);
  const before = seen.followedBefore?.[0] ?? seen.before[0];
  const after = seen.followedAfter?.[0] ?? seen.after[0];
  if (!tested || !before || !after) return undefined;
  const presence = presenceOf(tested, before, after, stated);
  // A redirect that leads nowhere is no answer of the operation.
  return presence.is === 'served' && isRedirect(tested)
    ? { is: 'hidden', reason: `status ${tested.head?.status}, a redirect that cannot be followed` }
    : presence;
}
