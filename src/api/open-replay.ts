/** What the commands that replay share. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ReplayOptions, startReplay } from '../../simulator/replay/replay.ts';
import { shellWord } from '../exchange/curl.ts';
import { bundledProfiles, loadProfile } from '../profile/load.ts';
import type { Profile } from '../profile/schema.ts';
import { readsAsOfFromDate } from '../recording/format/matching.ts';
import { RecordingError } from '../recording/format/schema.ts';
import { openRecording, type Recording } from '../recording/store/open-recording.ts';
import { verifySideFiles } from '../recording/store/read-side-file.ts';
import { PROVENANCE } from '../recording/store/recording-files.ts';
import { protectionOf } from '../secrets/declared-secrets.ts';
import { UsageError } from '../usage-error.ts';
import type { Target } from './judge-target.ts';
import { type SelectionValues, selectionOf } from './selection.ts';

const RECORDINGS = 'recordings';

/** A profile for use without a service; variables may be unset, because a recording needs no credentials. */
export const loadOffline = (profile: string): Promise<Profile> => loadProfile(profile, process.env, 'keep');

/** Recordings that come with the package. */
export const BUNDLED_RECORDINGS = join(import.meta.dirname, '../../recordings');

const isThere = (dir: string, name: string): boolean => existsSync(join(dir, name, PROVENANCE));

/**
 * Where a recording is: the user’s own of that name, else a bundled one, which is only read.
 * @returns the folder of all recordings that it is one of
 */
export function recordingsFolderOf(name: string, dir = RECORDINGS): string {
  const isBundled = /^[\w-]+$/.test(name) && !existsSync(join(dir, name)) && isThere(BUNDLED_RECORDINGS, name);
  return isBundled ? BUNDLED_RECORDINGS : dir;
}

/** Reads a recording for a command; what is wrong with it is a UsageError. */
export function findRecording(name: string, dir = RECORDINGS): Recording {
  try {
    return openRecording(recordingsFolderOf(name, dir), name);
  } catch (error) {
    if (error instanceof RecordingError) throw new UsageError(error.message);
    throw error;
  }
}

/** Verifies all bodies before anything is judged by them; what is wrong with them is a UsageError. */
export async function verifyBodies({ folder, lanes }: Recording): Promise<void> {
  const answers = [...lanes.values()].flatMap((lane) => [...lane.values()].flat());
  try {
    await verifySideFiles(
      folder,
      answers.map(({ response }) => response?.body),
    );
  } catch (error) {
    if (error instanceof RecordingError) throw new UsageError(error.message);
    throw error;
  }
}

/** What a profile tells a replay: what clients send that does not count, and the day the answers are of. */
export const replayedAs = (profile: Profile, { about }: Recording, secrets: readonly string[] = []) =>
  ({
    protection: protectionOf(profile, secrets),
    ...sourceOf(profile),
    ...(about.dateAsOf !== undefined && readsAsOfFromDate(profile) && { date: about.dateAsOf }),
  }) satisfies Partial<ReplayOptions>;

/** How a command line names a profile; one that came from nowhere is not named. */
const sourceOf = ({ source, data }: Profile): { readonly profile?: string } =>
  data.name === 'empty' ? {} : { profile: source.replace(/^bundled:/, '') };

/** Profiles in files that are data; a recording of others must not name code that is then run. */
const DATA_FILE = /\.(?:ya?ml|json)$/i;

/** The profile a recording was made with: a bundled one, or the file it was named by, if that is here. */
export async function recordedWith({ about }: Pick<Recording, 'about'>): Promise<Profile> {
  const { as = about.profile } = about.profileSource ?? {};
  if (bundledProfiles().includes(as) || (DATA_FILE.test(as) && existsSync(as))) return loadOffline(as);
  throw new UsageError(
    `the recording was made with the profile “${about.profile}”${as === about.profile ? '' : ` (${as})`}, which is none of those bundled and not here: name its file with --profile FILE`,
  );
}

/** The profile given, else the one recorded with as far as it is bundled, else one that fills nothing. */
export const profileFor = (recording: Recording, given: string | undefined): Promise<Profile> =>
  given === undefined ? recordedWith(recording).catch(() => loadOffline('empty')) : loadOffline(given);

export interface ReplayValues extends SelectionValues {
  readonly profile?: string | undefined;
  readonly recordings?: string | undefined;
  readonly 'recordings-dir'?: string | undefined;
  readonly simulator?: boolean | undefined;
  readonly secret?: string[] | undefined;
}

/** Where what was judged at one address can be asked again. */
export interface ServiceNames {
  /** The origin it was judged at: our own, for so long as that takes. */
  readonly gateway: string;
  /** Stands in its place in all that is told. */
  readonly service: string;
  /** The command that has to run for that; absent: none. */
  readonly needs?: string;
}

const REPLAY_PORT = 9000;

/** How somebody looks on while a recording is judged. */
export interface ReplayWatch {
  /** Gives back the recording with eyes in it. */
  readonly watch?: (recording: Recording) => Recording;
  readonly onMiss?: NonNullable<ReplayOptions['onMiss']>;
}

/** Serves a recording on the loopback address, to be judged there: nothing is waited for, and no token is fetched. */
export async function openReplay(name: string, values: ReplayValues, { watch, onMiss }: ReplayWatch = {}) {
  const dir = values['recordings-dir'];
  const recording = findRecording(name, dir);
  await verifyBodies(recording);
  const { about } = recording;
  const profile = await (values.profile === undefined ? recordedWith(recording) : loadOffline(values.profile));
  const safety = values.safety ?? about.safety;
  const selection = selectionOf({ ...values, ...(safety !== undefined && { safety }) });
  const data = withoutFetching(profile.data);
  const credentials = [data.auth ?? []].flat().some(({ scheme }) => scheme !== 'none') ? 'exact' : 'either';
  const replay = await startReplay({
    recording: watch ? watch(recording) : recording,
    ...replayedAs(profile, recording, values.secret),
    credentials,
    ...(onMiss && { onMiss }),
  });
  return {
    base: replay.url,
    profile: { ...profile, data },
    selection,
    serviceNames: {
      gateway: new URL(replay.url).origin,
      service: `http://127.0.0.1:${REPLAY_PORT}`,
      needs: `mdwi replay ${name}${dir === undefined ? '' : ` --recordings ${shellWord(dir)}`} --port ${REPLAY_PORT}`,
    },
    name: `recording ${name} (${about.upstream}, ${about.recordedAt.slice(0, 10)})`,
    wait: async () => undefined,
    close: () => replay.close(),
  } satisfies Target & { readonly serviceNames: ServiceNames; readonly close: () => Promise<void> };
}

/** Stands for a token that is not fetched: to a recording it matters only that there is one. */
const UNFETCHED = { scheme: 'bearer', token: 'not-fetched' } as const;

/** Without what reaches for anything beside the service: token servers, certificates, and the pace a live server needs. */
function withoutFetching(data: Profile['data']): Profile['data'] {
  const { auth, limits, ...rest } = data;
  const kept = [auth ?? []]
    .flat()
    .filter(({ scheme }) => scheme !== 'mtls')
    .map((each) => (each.scheme === 'oauth2' ? UNFETCHED : each));
  const { requestsPerSecond: _, ...others } = limits ?? {};
  return { ...rest, ...(auth && { auth: kept }), ...(limits && { limits: others }) };
}
