/** What the learned profile proves and catches, beside the true profile without promises and the start alone. */
import { judgeTarget } from '../../src/commands/judge-target.ts';
import { DEFAULT_SAMPLING, type Group } from '../../src/contract/index.ts';
import { withoutPromises } from '../../src/learn/promises.ts';
import type { Profile } from '../../src/profile/schema.ts';
import type { Run } from '../../src/run/types.ts';
import { RULES } from '../../suites/index.ts';
import { checkedProfile, type Service, startOf } from './services.ts';

/** Judges a service, or a faulty variant of it, with a profile. */
export async function judge(
  service: Service,
  profile: Profile,
  groups: readonly Group[],
  fault?: string,
): Promise<Run> {
  const opened = await service.open('first', fault);
  try {
    return await judgeTarget({
      base: opened.base,
      network: opened.network,
      profile,
      rules: RULES,
      selection: { safety: 'all', groups, sampling: DEFAULT_SAMPLING },
      strict: service.kind !== 'strangers',
      ...(service.kind !== 'strangers' && { wait: async () => undefined }),
      onProgress: () => undefined,
    });
  } finally {
    await opened.close();
  }
}

/** The true profile without its promises. */
export const ceilingOf = ({ data, name, truth }: Service): Profile =>
  checkedProfile(withoutPromises(data), truth.source.startsWith('/') ? truth.source : `${name}, without promises`);

export const passesOf = ({ results }: Run): Set<string> =>
  new Set(results.filter(({ verdict }) => verdict === 'pass').map(checkOf));

/** The gating checks that fail. */
export const failuresOf = ({ results }: Run): Run['results'] =>
  results.filter(({ verdict, gating }) => verdict === 'fail' && gating);

export const checkOf = ({ rule, operation }: Run['results'][number]): string => `${rule} ${operation}`;

/** What the ceiling proves of a service beyond the start alone. */
export async function provableChecks(service: Service, groups: readonly Group[]): Promise<Set<string>> {
  const ceiling = passesOf(await judge(service, ceilingOf(service), groups));
  const empty = passesOf(await judge(service, checkedProfile(startOf(service), service.name), groups));
  return new Set([...ceiling].filter((check) => !empty.has(check)));
}
