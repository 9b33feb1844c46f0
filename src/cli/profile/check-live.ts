/** `mdwi profile check --base-url`: what the responses of a service show about the keys of a profile, and about keys that it lacks. */
import type { Network } from '../../commands/network.ts';
import { learnProfile } from '../../learn/index.ts';
import type { Learned } from '../../learn/types.ts';
import { isAbsent, isFilled } from '../../profile/filled-openings.ts';
import type { Profile } from '../../profile/schema.ts';
import { flowText } from '../../profile/yaml-flow.ts';
import type { Remark } from './check.ts';
import { openingsAt, valueAt } from './learn-report.ts';
import { rulesNeeding } from './openings.ts';

export interface LiveCheck extends Pick<Learned, 'requests' | 'isLimitReached' | 'received'> {
  /** Whether any response could be read. */
  readonly hasReadableResponse: boolean;
  readonly remarks: readonly Remark[];
}

/** The number of requests without `--max-requests`. */
const DEFAULT_REQUESTS = 150;

/** Learns from a service, beginning with the requests of the profile, and compares what the responses show with it. */
export async function checkLive(
  base: string,
  profile: Profile,
  network: Partial<Network>,
  maxRequests = DEFAULT_REQUESTS,
): Promise<LiveCheck> {
  const learned = await learnProfile({ base, start: { ...profile.data }, profile, network, maxRequests });
  const { requests, isLimitReached, received, verdicts, answered } = learned;
  return {
    requests,
    isLimitReached,
    received,
    hasReadableResponse: answered.length > 0,
    remarks: [...verdicts, ...findUnbound(profile, learned)],
  };
}

/** What the responses show of openings that the profile leaves open. */
function findUnbound(profile: Profile, { settled, promises, seen }: Learned): Remark[] {
  const shown = [
    ...settled.map(({ path, evidence }) => ({
      path: path[3] === 'counts' ? path.slice(0, 4) : path,
      value: valueAt(seen, path),
      sentence: evidence,
    })),
    // Of promises, only a computed figure is a binding: what it is computed of.
    ...promises
      .filter(({ path }) => path.at(-1) === 'of')
      .map(({ path, value, seen: says }) => ({
        path: path.slice(0, -1),
        value,
        sentence: `of ${says}, if it always is`,
      })),
  ];
  const named = new Set<string>();
  return shown.flatMap(({ path, value, sentence }): Remark[] => {
    if (value === undefined) return [];
    const open = openingsAt(path, [value]).filter(
      ({ id }) => !named.has(id) && !isFilled(profile, id) && !isAbsent(profile, id),
    );
    const rules = [...new Set(open.flatMap(({ id }) => rulesNeeding(id)))];
    for (const { id } of open) named.add(id);
    return rules.length === 0 ? [] : [{ kind: 'unbound', path, sentence: `${flowText(value)}: ${sentence}`, rules }];
  });
}
