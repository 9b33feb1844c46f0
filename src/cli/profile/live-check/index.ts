/** `mdwi profile check --base-url`: compares what a profile states with the responses of its service. */

import { createLiveSource } from '../../../client/live-source.ts';
import type { Network } from '../../../commands/network.ts';
import { clientAuthOf } from '../../../profile/auth-schemes.ts';
import { formatLocation } from '../../../profile/profile-location.ts';
import type { Profile } from '../../../profile/schema.ts';
import type { ReceivedCredential } from '../../../secrets/received.ts';
import { checkDates } from './check-dates.ts';
import { checkExercised } from './check-exercised.ts';
import { checkFigures } from './check-figures.ts';
import { checkInputs } from './check-inputs.ts';
import { checkMeanings } from './check-meanings.ts';
import { checkParents } from './check-parents.ts';
import { checkValues } from './check-values.ts';
import { collectResponses } from './collect.ts';
import { findUnbound } from './find-unbound.ts';
import type { Remark } from './types.ts';

/** The number of requests without `--max-requests`. */
export const DEFAULT_REQUESTS = 60;

export interface LiveCheck {
  /** The number of requests that were sent, with retries and redirects. */
  readonly requests: number;
  /** Whether the limit of requests ended the check. */
  readonly isLimitReached: boolean;
  /** Whether any response could be read. */
  readonly hasReadableResponse: boolean;
  readonly remarks: readonly Remark[];
  /** Credentials that the service issued. */
  readonly received: readonly ReceivedCredential[];
}

/** Sends harmless requests to a service, at most `maxRequests`, and compares the responses with the profile. */
export async function checkLive(
  base: string,
  profile: Profile,
  network: Partial<Network>,
  maxRequests = DEFAULT_REQUESTS,
): Promise<LiveCheck> {
  const credentials: ReceivedCredential[] = [];
  let requests = 0;
  const source = createLiveSource({
    ...profile.data.limits,
    ...network,
    base,
    ...clientAuthOf(profile.data),
    maxRequests,
    onRequest: () => requests++,
    onCredential: (credential) => credentials.push(credential),
  });
  try {
    const { received, isLimitReached } = await collectResponses({ base, profile, source, tables: new Map() });
    const remarks = [
      checkValues,
      checkInputs,
      checkMeanings,
      checkParents,
      checkFigures,
      checkDates,
      checkExercised,
      findUnbound,
    ].flatMap((check) => check(profile, received));
    return {
      // A request over the limit is announced, but not sent.
      requests: Math.min(requests, maxRequests),
      isLimitReached: isLimitReached(),
      hasReadableResponse: received.some(({ observation }) => observation !== undefined),
      remarks: withoutRepetition(remarks),
      received: credentials,
    };
  } finally {
    await source.close();
  }
}

/** Keeps the first doubt about each key, because the checks are in the order of their certainty. */
function withoutRepetition(remarks: readonly Remark[]): Remark[] {
  const seen = new Set<string>();
  return remarks.filter(({ kind, path }) => {
    const key = `${kind} ${formatLocation(path)}`;
    return !seen.has(key) && Boolean(seen.add(key));
  });
}
