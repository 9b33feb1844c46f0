/** The commands that made a recording, so that it can be recorded again and its coverage checked. */
import { createHash } from 'node:crypto';
import { DEFAULT_SAMPLING, DEPTHS, SAFETY_LADDER, type Sampling, UNSTRATIFIED_SEED } from '../../contract/index.ts';
import type { Profile } from '../../profile/schema.ts';
import type { Provenance } from './schema.ts';

/** One command line, reduced to what recording again needs: no name, no folder, no URL, no secret. */
export type RecordingCommand = NonNullable<Provenance['made']>[number];

/** Flags that restrict which requests are sent. */
const FILTERS = ['group', 'operation', 'rule', 'skip-rule'];
/** Flags that select the subjects. */
const SAMPLING = ['depth', 'sample-seed'];
const SAFETY_LEVELS = Object.keys(SAFETY_LADDER);

/** The values of one flag, e.g. those of `group`: `['C', 'D']`. */
export const flagValues = ({ flags }: RecordingCommand, name: string): string[] =>
  flags.flatMap((each, at) => (each === `--${name}` ? [flags[at + 1] ?? ''] : []));

const isFiltered = (options: RecordingCommand): boolean => FILTERS.some((name) => flagValues(options, name).length > 0);

const otherFlags = ({ flags }: RecordingCommand): string =>
  flags
    .flatMap((each, at) => (at % 2 === 0 ? [`${each} ${flags[at + 1] ?? ''}`] : []))
    .filter((each) => ![...FILTERS, ...SAMPLING, 'safety'].some((name) => each.startsWith(`--${name} `)))
    .sort()
    .join('\n');

const safetyRank = (options: RecordingCommand): number =>
  SAFETY_LEVELS.indexOf(flagValues(options, 'safety').at(-1) ?? 'read');

const samplingFlags = (options: RecordingCommand): string =>
  SAMPLING.map((name) => flagValues(options, name).at(-1)).join();

/**
 * Whether the first command sends every request that the second one sends, or, as the later of the two, the same with
 * another draw: a replay uses the last one.
 */
function covers(wide: RecordingCommand, narrow: RecordingCommand, isLater: boolean): boolean {
  if (wide.command !== narrow.command) return false;
  if (JSON.stringify(wide) === JSON.stringify(narrow)) return true;
  if (!isLater && samplingFlags(wide) !== samplingFlags(narrow)) return false;
  return !isFiltered(wide) && otherFlags(wide) === otherFlags(narrow) && safetyRank(wide) >= safetyRank(narrow);
}

/**
 * The depth and the seed of the last command that judged while it recorded; without them, those of version 0.1.0. Traffic
 * of clients has none.
 */
export function recordedSampling(about: Pick<Provenance, 'made' | 'safety' | 'source'>): Sampling {
  const command = recordingOptionsOf(about).findLast((each) => each.command === 'record');
  if (!command) return DEFAULT_SAMPLING;
  const depth = DEPTHS.find((each) => each === flagValues(command, 'depth').at(-1)) ?? DEFAULT_SAMPLING.depth;
  return { depth, seed: Number(flagValues(command, 'sample-seed').at(-1) ?? UNSTRATIFIED_SEED) };
}

/** The commands that made a recording; for a recording that does not state them, the widest possible command. */
export function recordingOptionsOf({
  made,
  safety,
  source,
}: Pick<Provenance, 'made' | 'safety' | 'source'>): readonly RecordingCommand[] {
  if (made) return made;
  if (source === 'import') return [{ command: 'import', flags: [] }];
  return [
    safety === undefined ? { command: 'gateway', flags: [] } : { command: 'record', flags: ['--safety', safety] },
  ];
}

/**
 * The commands of a refreshed recording: refreshing a part of it keeps the exchanges of the former, wider command.
 * @example joinRecordingOptions([{ command: 'record', flags: [] }], [{ command: 'record', flags: ['--group', 'C'] }]) // the first
 */
export function joinRecordingOptions(
  former: readonly RecordingCommand[],
  current: readonly RecordingCommand[],
): RecordingCommand[] {
  const all = [...former, ...current];
  return all.filter(
    (each, at) =>
      // Of two commands that cover each other, the later one remains.
      !all.some(
        (other, place) => place !== at && covers(other, each, place > at) && (place > at || !covers(each, other, true)),
      ),
  );
}

/** A JSON value with sorted members. A function (in a TypeScript profile) counts by its source text. */
export function withSortedMembers(value: unknown): unknown {
  if (typeof value === 'function') return value.toString();
  if (Array.isArray(value)) return value.map(withSortedMembers);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, each]) => [name, withSortedMembers(each)]));
}

/**
 * A digest of a profile without its credentials: rotating those does not change it.
 * @param profile loaded with its environment variables replaced by their names, so that their values do not count
 */
export function profileDigest({ data }: Pick<Profile, 'data'>): string {
  const { auth: _, authFor: __, ...withoutAuth } = data;
  return `sha256-${createHash('sha256')
    .update(JSON.stringify(withSortedMembers(withoutAuth)))
    .digest('hex')}`;
}
