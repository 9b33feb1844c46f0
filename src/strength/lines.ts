/** Lines for a profile that the responses themselves show: bindings, and promises that only a person makes. */
import { isDeepStrictEqual } from 'node:util';
import { learnProfile } from '../learn/index.ts';
import { loadOffline } from '../profile/load.ts';
import type { PlainObject } from '../profile/plain-object.ts';
import { formatLocation } from '../profile/profile-location.ts';
import type { Profile, ProfileInput } from '../profile/schema.ts';
import type { CapturedRun } from './captured-run.ts';

/** One key of a profile with its value. */
export interface ProfileLine {
  readonly path: readonly PropertyKey[];
  readonly value: unknown;
  /** What the responses show of it. */
  readonly evidence: string;
  /** Only a person states it: the responses cannot show that it will hold. */
  readonly isPromise: boolean;
}

/** The key of a line, e.g. `operations["GET …"].response.fields.upc`. */
export const lineKey = ({ path }: Pick<ProfileLine, 'path'>): string => formatLocation(path);

const at = (node: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key], node);

/** Examples are no statements, and what the profile states already is no line. */
const isNew = (data: Profile['data'], { path, value }: Pick<ProfileLine, 'path' | 'value'>): boolean =>
  path[0] !== 'examples' && value !== undefined && at(data, path) === undefined;

/** Learns lines from the captured responses; sends nothing. None if the responses cannot be learned from. */
export async function learnLines(
  captured: CapturedRun,
  profile: Profile,
  base: string,
  signal: AbortSignal,
): Promise<ProfileLine[]> {
  const start = structuredClone(profile.data) as unknown as PlainObject;
  const recorded = [...captured.calls.values()].flat();
  try {
    const learned = await learnProfile({
      base,
      start,
      profile,
      recorded,
      safety: 'job',
      signal,
      wait: async () => undefined,
    });
    const bindings = learned.settled.map(({ path, evidence }) => ({
      ...{ path, evidence, isPromise: false },
      value: at(learned.profile, path),
    }));
    const promises = learned.promises.map(({ path, value, seen }) => ({
      path,
      value,
      evidence: seen,
      isPromise: true,
    }));
    const lines = [...bindings, ...promises].filter((line) => isNew(profile.data, line));
    return lines.filter(
      (line, index) => lines.findIndex((other) => isDeepStrictEqual(other.path, line.path)) === index,
    );
  } catch {
    // A profile with functions, or responses in no format that is learned.
    return [];
  }
}

/** The profile with lines; undefined if it is then none. */
export async function withLines(profile: Profile, lines: readonly ProfileLine[]): Promise<Profile | undefined> {
  const data = structuredClone(profile.data) as unknown as Record<PropertyKey, unknown>;
  for (const { path, value } of lines) {
    let node = data;
    for (const key of path.slice(0, -1)) {
      node[key] ??= {};
      node = node[key] as Record<PropertyKey, unknown>;
      // What denies a fact has no keys.
      if (typeof node !== 'object' || node === null) return undefined;
    }
    node[path.at(-1) as PropertyKey] = value;
  }
  try {
    const { source } = profile;
    return { ...(await loadOffline(data as unknown as ProfileInput)), source };
  } catch {
    return undefined;
  }
}
