/** Limits of a run that replace those of the profile. */
import { MAX_REQUESTS } from '../client/limits.ts';
import { type LimitValues, SETTINGS, type SettingValues } from '../config/settings.ts';
import { DEFAULT_SAMPLING } from '../contract/index.ts';
import type { Profile } from '../profile/schema.ts';
import type { Selection } from '../run/types.ts';
import { UsageError } from '../usage-error.ts';

/** Returns the profile with these limits, each in place of the profile's own. */
export const withLimits = (profile: Profile, limits: LimitValues | undefined): Profile =>
  limits === undefined
    ? profile
    : { ...profile, data: { ...profile.data, limits: { ...profile.data.limits, ...limits } } };

/** The most requests of a run: those that the profile states, or those of the depth. */
export const maxRequestsOf = ({ data }: Profile, { sampling = DEFAULT_SAMPLING }: Selection): number =>
  data.limits?.maxRequests ?? MAX_REQUESTS[sampling.depth];

const MS = { s: 1000, m: 60_000, h: 3_600_000 };

/** How the text of each unit is read, and what a text must be. */
const UNITS = {
  count: { read: (text: string) => (/^\d+$/.test(text) ? Number(text) : 0), needed: 'a whole number from 1 is needed' },
  rate: {
    read: (text: string) => (/^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0),
    needed: 'a number above 0 is needed, e.g. 5 or 0.5',
  },
  duration: {
    read(text: string) {
      const [, number, unit] = /^(\d+)([smh])$/.exec(text) ?? [];
      const ms = Number(number) * MS[unit as keyof typeof MS];
      return ms <= 24 * MS.h ? ms : 0;
    },
    needed: 'a duration up to 24h is needed, e.g. 60s or 20m',
  },
};

/** The limits that flags set. Throws UsageError. */
export function limitsOf(values: SettingValues): LimitValues | undefined {
  const given = Object.entries(SETTINGS.limits.members).flatMap(([member, { flag, unit }]) => {
    const text = values[flag];
    if (text === undefined) return [];
    const { read, needed } = UNITS[unit];
    const value = read(text);
    if (!(value > 0)) throw new UsageError(`--${flag} ${text}: ${needed}`);
    return [[member, value] as const];
  });
  return given.length === 0 ? values.limits : { ...values.limits, ...Object.fromEntries(given) };
}

/** Checks limits that a program gives. Throws UsageError. */
export async function checkLimits(given: LimitValues | undefined): Promise<LimitValues | undefined> {
  if (given === undefined) return undefined;
  const { limits } = await import('../profile/schema/limits.ts');
  const checked = limits.safeParse(given, { reportInput: true });
  if (checked.success) return checked.data;
  const { describeIssue } = await import('../profile/first-issue.ts');
  const { formatLocation } = await import('../profile/profile-location.ts');
  const { path, sentence } = describeIssue(limits, checked.error.issues);
  throw new UsageError(`${formatLocation(['limits', ...path])}: ${sentence}`);
}
