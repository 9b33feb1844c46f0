/** How a recording was made: which commands asked for what is in it, so that it can be recorded and checked again. */
import { createHash } from 'node:crypto';
import { SAFETY_LADDER } from '../../contract/index.ts';
import type { Profile } from '../../profile/schema.ts';
import type { Provenance } from './schema.ts';

/** One command line, as far as recording again takes it: no name, no folder, no address, no secret. */
export type RecordingCommand = NonNullable<Provenance['made']>[number];

/** Flags that narrow what is asked. */
const FILTERS = ['group', 'operation', 'rule'];
const LADDER = Object.keys(SAFETY_LADDER);

/** The values of one flag, e.g. those of `group`: `['C', 'D']`. */
export const flagValues = ({ flags }: RecordingCommand, name: string): string[] =>
  flags.flatMap((each, at) => (each === `--${name}` ? [flags[at + 1] ?? ''] : []));

const isFiltered = (making: RecordingCommand): boolean => FILTERS.some((name) => flagValues(making, name).length > 0);

const others = ({ flags }: RecordingCommand): string =>
  flags
    .flatMap((each, at) => (at % 2 === 0 ? [`${each} ${flags[at + 1] ?? ''}`] : []))
    .filter((each) => ![...FILTERS, 'safety'].some((name) => each.startsWith(`--${name} `)))
    .sort()
    .join('\n');

const stepOf = (making: RecordingCommand): number => LADDER.indexOf(flagValues(making, 'safety').at(-1) ?? 'read');

/** Whether the first asked for all that the second did. */
function covers(wide: RecordingCommand, narrow: RecordingCommand): boolean {
  if (wide.command !== narrow.command) return false;
  if (JSON.stringify(wide) === JSON.stringify(narrow)) return true;
  return !isFiltered(wide) && others(wide) === others(narrow) && stepOf(wide) >= stepOf(narrow);
}

/** The commands that made a recording; of one that does not say so the widest it may have been. */
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
 * What made a recording when it is refreshed: what is asked again in part still has in it what was asked in full.
 * @example joinMakings([{ command: 'record', flags: [] }], [{ command: 'record', flags: ['--group', 'C'] }]) // the first
 */
export function joinRecordingOptions(
  former: readonly RecordingCommand[],
  now: readonly RecordingCommand[],
): RecordingCommand[] {
  const all = [...former, ...now];
  return all.filter(
    (each, at) =>
      // Of two that ask for the same the later one stays, told as it was told last.
      !all.some((other, place) => place !== at && covers(other, each) && (place > at || !covers(each, other))),
  );
}

/** JSON with sorted members; of functions, which a profile in TypeScript may hold, their text. */
function canonical(value: unknown): unknown {
  if (typeof value === 'function') return value.toString();
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, each]) => [name, canonical(each)]));
}

/**
 * A digest of what a profile says, credentials aside: rotating those changes nothing.
 * @param profile loaded with its environment variables replaced by their names, so that no value of them counts
 */
export function profileDigest({ data }: Pick<Profile, 'data'>): string {
  const { auth: _, ...said } = data;
  return `sha256-${createHash('sha256')
    .update(JSON.stringify(canonical(said)))
    .digest('hex')}`;
}
