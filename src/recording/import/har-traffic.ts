/** What of a HAR file is traffic with the service, and what is not and why. */
import { GROUPS } from '../../contract/index.ts';
import type { Profile } from '../../profile/schema.ts';
import { RecordingError } from '../format/schema.ts';
import { type Address, BaseCandidates } from './choose-base.ts';
import { addressOf, type ConvertedEntry, convertEntry, timeOf } from './convert-entry.ts';
import { readHar } from './read-har.ts';
import type { SkipReason } from './skipped.ts';

/** Splits a base address at the end of its origin. */
export function splitBase(base: string): { readonly origin: string; readonly basePath: string } {
  const { origin } = new URL(base);
  return { origin, basePath: base.slice(base.indexOf('//') + 2).replace(/^[^/]*/, '') };
}

export interface HarSurvey {
  /** The base address of the service. */
  readonly base: string;
  /** Other addresses the operations are asked for at, with counts, where none was given. */
  readonly others: readonly string[];
  readonly entries: number;
  /** The place of each entry of each file in the order of time; those without a time stand where they stand. */
  readonly ranks: readonly (readonly number[])[];
}

/**
 * A first look at files of foreign traffic: whose it is, and in which order it was answered. Throws RecordingError with
 * one sentence where no address is the service’s, or several may be.
 * @param given the base address of the service, where it is known
 */
export async function surveyHar(files: readonly string[], profile: Profile, given?: string): Promise<HarSurvey> {
  const census = new BaseCandidates(profile);
  const times: { readonly file: number; readonly index: number; readonly at: number }[] = [];
  for (const [file, name] of files.entries()) {
    let last = Number.NEGATIVE_INFINITY;
    for await (const { index, value } of readHar(name)) {
      const address = addressOf(value);
      if (typeof address !== 'string') census.add(address);
      const { startedAt, endedAt } = timeOf(value);
      last = endedAt ?? startedAt ?? last;
      times.push({ file, index, at: last });
    }
  }
  const ranks = files.map((): number[] => []);
  for (const [rank, { file, index }] of times.sort((x, y) => x.at - y.at).entries())
    (ranks[file] as number[])[index] = rank;
  const entries = times.length;
  if (given !== undefined) return { base: given, others: [], entries, ranks };
  const chosen = census.choose();
  if ('base' in chosen) return { ...chosen, entries, ranks };
  const where = files.length === 1 ? files[0] : `${files.length} files`;
  throw new RecordingError(
    chosen.among.length === 0
      ? `none of the ${entries} requests in ${where} is for a method and path of the interface: check the file, or the profile’s prefixes`
      : `${where} holds traffic with several services: name one with --base-url, of ${chosen.among.join(', ')}`,
  );
}

/** Whether a path is one of the interface, or a sibling of one: below the base, under the prefix of a group. */
function belongs({ data: { prefixes = {} } }: Profile, basePath: string): (target: string) => boolean {
  const known = new Set([
    ...Object.values(GROUPS).map(({ prefix }) => prefix),
    ...Object.values(prefixes).map((each) => `${each}/`),
  ]);
  // A segment is enough: unversioned and otherwise spelled paths are worth keeping.
  const starts = [...known].map((each) => `/${each.split('/')[1]}`.toLowerCase());
  return (target) => {
    if (!target.startsWith(`${basePath}/`)) return false;
    const rest = target.slice(basePath.length).toLowerCase();
    return starts.some((each) => rest === each || rest.startsWith(`${each}/`) || rest.startsWith(`${each}?`));
  };
}

export interface HarTraffic {
  /** Place in the file, counted from 0. */
  readonly index: number;
  readonly file: string;
  readonly taken: ConvertedEntry | SkipReason;
}

/** The entries of a file one at a time, each taken or left out. */
export async function* readHarTraffic(file: string, base: string, profile: Profile): AsyncGenerator<HarTraffic> {
  const { origin, basePath } = splitBase(base);
  const isOurs = belongs(profile, basePath);
  for await (const { index, value } of readHar(file)) {
    const address = addressOf(value);
    const taken = typeof address === 'string' ? address : (whyForeign(address, origin, isOurs) ?? convertEntry(value));
    yield { index, file, taken };
  }
}

function whyForeign(address: Address, origin: string, isOurs: (target: string) => boolean): SkipReason | undefined {
  if (address.origin !== origin) return 'elsewhere';
  return isOurs(address.target) ? undefined : 'unrelated';
}
