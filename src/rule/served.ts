/** Distinguishes a served operation from one that is not, without knowledge of the server (section 4). */
import { type Input, neededInputs, type OperationKey, operationOf } from '../contract/index.ts';
import { isRefusedStatus } from '../exchange/refused-status.ts';
import type { Statuses } from '../profile/schema.ts';
import { comparable, differences, type Signature } from '../reading/signature.ts';
import { type InputSource, type Reading, type ReadingsOf, type Step, step } from './step.ts';

/** A path segment that cannot exist: letters that depend only on the seed, in the case pattern of `like`. */
function nonexistentSegment(like: string, seed: string): string {
  let state = 2166136261;
  for (const char of `${seed}|${like}`) state = Math.imul(state ^ char.charCodeAt(0), 16777619) >>> 0;
  const letters = 'zxqjkvwz';
  return [...like]
    .map((char) => {
      state = Math.imul(state ^ (state >>> 13), 1274126177) >>> 0;
      const letter = letters[state % letters.length] as string;
      return /[A-Z]/.test(char) ? letter.toUpperCase() : letter;
    })
    .join('');
}

/**
 * The path of a control: it differs from the documented one only in its last fixed segment, which has the same length
 * and case pattern, so that a response that contains the path differs only there.
 */
export function controlPath(path: string, seed: string): string {
  const segments = path.split('/');
  const at = segments.findLastIndex((segment) => segment !== '' && !segment.startsWith('{'));
  return segments.with(at, nonexistentSegment(segments[at] as string, seed)).join('/');
}

export const controlPaths = (operation: OperationKey, path: string = operationOf(operation).path) => ({
  before: controlPath(path, 'before'),
  after: controlPath(path, 'after'),
});

/** Statuses of overload and time-outs, which do not depend on the resource. */
const TRANSIENT = new Set([408, 425, 429, 502, 503, 504]);
/** Statuses that a server may return before routing: credentials, overload, time-outs. */
export const BLOCKED: ReadonlySet<number> = new Set([401, 403, ...TRANSIENT]);

/**
 * Whether a status prevents a judgement of the operation (credentials, overload, time-out): as the profile states its
 * meaning, otherwise as HTTP defines it.
 */
export const isBlocking = (status: number, stated: Statuses): boolean => isRefusedStatus(status, stated, BLOCKED);

const statusText = ({ status, wireStatus: sent }: Signature): string =>
  sent === undefined ? `status ${status}` : `status ${sent} with a refusal like ${status}`;

export type Presence =
  | { readonly is: 'served'; readonly reason: string }
  | { readonly is: 'absent'; readonly reason: string; readonly isCertain: boolean }
  | {
      readonly is: 'hidden';
      readonly reason: string;
      /** Every path returns the same page, so that nothing in it is content of the operation. */
      readonly isOnEveryPath?: boolean;
    };

/** The target of a redirect, without query and fragment. */
function redirectTarget({ location, url }: Signature): string | undefined {
  if (location === '' || !URL.canParse(location, url)) return undefined;
  const { origin, pathname } = new URL(location, url);
  return origin + pathname;
}

/**
 * Compares the response of an operation with those of two controls, paths that cannot exist. `served`: it differs where
 * the controls agree. `absent`, certain: 405 or 501 where the controls have another status. `absent`, not certain: the
 * same response as the controls. `hidden`: the response was probably produced before routing.
 *
 * @param stated the meanings of statuses that the profile states
 */
export function presenceOf(tested: Reading, before: Reading, after: Reading, stated: Statuses = {}): Presence {
  const [own, first, second] = [tested.signature, before.signature, after.signature];
  const status = own && statusText(own);
  if (!own || !first || !second) {
    const failed = [tested, before, after].find((reading) => !reading.head);
    return { is: 'hidden', reason: `no response: ${failed?.failure ?? 'no request was sent'}` };
  }
  // A server may require credentials for any method of a path; overload proves nothing.
  const isEverywhere = own.status === first.status || own.status === second.status;
  if (isBlocking(own.status, stated) || (BLOCKED.has(own.status) && isEverywhere))
    return { is: 'hidden', reason: `status ${own.status} prevents a judgement` };
  const overloaded = [first, second].find(({ status }) => TRANSIENT.has(status));
  if (overloaded) return { is: 'hidden', reason: `paths that cannot exist return ${overloaded.status}` };
  const refused = own.status === 405 || own.status === 501;
  if (refused && first.status !== own.status && second.status !== own.status) {
    return {
      is: 'absent',
      isCertain: true,
      reason: `${status}, while paths that cannot exist return ${first.status}`,
    };
  }
  // 410 means that the resource no longer exists; an invalid request may cause it.
  if (own.status === 410 && !stated.unknown?.includes(410))
    return { is: 'absent', isCertain: false, reason: 'status 410, gone' };
  if (own.status !== first.status && first.status === second.status) {
    return { is: 'served', reason: `${status}, while paths that cannot exist return ${first.status}` };
  }
  const [pairs, one, other] = comparable([own, first, second]) as [Signature, Signature, Signature];
  const shared = differences(one, other);
  const distinctive = differences(pairs, one).filter((feature) => !shared.includes(feature));
  if (distinctive.length > 0) {
    return {
      is: 'served',
      reason: `${status}; ${distinctive.join(', ')} differs from paths that cannot exist`,
    };
  }
  if (first.status !== second.status) {
    const reason = `paths that cannot exist return ${first.status} and ${second.status}`;
    const isSuccess = own.status >= 200 && own.status < 300;
    return isSuccess && first.status >= 400 && second.status >= 400
      ? { is: 'served', reason: `${status}, while ${reason}` }
      : { is: 'hidden', reason };
  }
  if (own.status >= 200 && own.status < 400) {
    // A redirect to another host has one target per path, a redirect to a login page one for all paths.
    const isOnEveryPath = own.status < 300 || redirectTarget(own) === redirectTarget(first);
    return { is: 'hidden', reason: `paths that cannot exist return the same ${own.status}`, isOnEveryPath };
  }
  return { is: 'absent', isCertain: false, reason: `${status}, the same response as paths that cannot exist` };
}

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

/** Recorded clients send no requests to paths that cannot exist, so the rules also work without these steps. */
export const withOptionalControls = <S extends { readonly before: Step; readonly after: Step }>(steps: S): S => ({
  ...steps,
  before: { ...steps.before, optional: true },
  after: { ...steps.after, optional: true },
});

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
