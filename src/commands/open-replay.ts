/** Finds, checks and serves a recording. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type ReplayOptions, startReplay } from '../../simulator/replay/replay.ts';
import type { SettingValues } from '../config/settings.ts';
import { shellWord } from '../exchange/curl.ts';
import { schemesIn } from '../profile/auth-schemes.ts';
import { bundledProfiles, loadOffline } from '../profile/load.ts';
import { PROFILE_OBJECT } from '../profile/profile-location.ts';
import type { AuthScheme, Profile, ProfileInput } from '../profile/schema.ts';
import { readsAsOfFromDate } from '../recording/format/profile-matching.ts';
import { recordedSampling } from '../recording/format/recording-options.ts';
import { RecordingError } from '../recording/format/schema.ts';
import { openRecording, type Recording } from '../recording/store/open-recording.ts';
import { verifySideFiles } from '../recording/store/read-side-file.ts';
import { PROVENANCE } from '../recording/store/recording-files.ts';
import { protectionOf } from '../secrets/declared-secrets.ts';
import { UsageError } from '../usage-error.ts';
import type { Target } from './judge-target.ts';
import { type SelectionValues, selectionOf } from './selection.ts';
import { withLimits } from './with-limits.ts';

const RECORDINGS = 'recordings';

/** The folder of the recordings that come with the package. */
export const BUNDLED_RECORDINGS = join(import.meta.dirname, '../../recordings');

const isRecording = (dir: string, name: string): boolean => existsSync(join(dir, name, PROVENANCE));

/**
 * Finds the user’s recording of a name, else the bundled one, which is only read.
 * @returns the folder that contains the recording’s folder
 */
export function recordingsFolderOf(name: string, dir = RECORDINGS): string {
  const isBundled = /^[\w-]+$/.test(name) && !existsSync(join(dir, name)) && isRecording(BUNDLED_RECORDINGS, name);
  return isBundled ? BUNDLED_RECORDINGS : dir;
}

/** Reads a recording. Throws UsageError if it is damaged or missing. */
export function findRecording(name: string, dir = RECORDINGS): Recording {
  try {
    return openRecording(recordingsFolderOf(name, dir), name);
  } catch (error) {
    if (error instanceof RecordingError) throw new UsageError(error.message);
    throw error;
  }
}

/** Verifies all side files before they are used. Throws UsageError if one is damaged. */
export async function verifyBodies({ folder, lanes }: Recording): Promise<void> {
  const responses = [...lanes.values()].flatMap((lane) => [...lane.values()].flat());
  try {
    await verifySideFiles(
      folder,
      responses.map(({ response }) => response?.body),
    );
  } catch (error) {
    if (error instanceof RecordingError) throw new UsageError(error.message);
    throw error;
  }
}

/** Returns the replay options of a profile: the credentials that do not count in matching, and the date of the responses. */
export const replayOptionsOf = (profile: Profile, { about }: Recording, secrets: readonly string[] = []) =>
  ({
    protection: protectionOf(profile, secrets),
    ...sourceOf(profile),
    ...(about.dateAsOf !== undefined && readsAsOfFromDate(profile) && { date: about.dateAsOf }),
  }) satisfies Partial<ReplayOptions>;

/** Returns the name or path of a profile on a command line; the empty profile has none. */
const sourceOf = ({ source, data }: Profile): { readonly profile?: string } =>
  data.name === 'empty' || source === PROFILE_OBJECT ? {} : { profile: source.replace(/^bundled:/, '') };

/** Profile files that are data: a third party’s recording must not name code that is then run. */
const DATA_FILE = /\.(?:ya?ml|json)$/i;

/** Loads the profile of a recording: a bundled one, or the file named in its provenance if it exists here. */
export async function profileOfRecording({ about }: Pick<Recording, 'about'>): Promise<Profile> {
  const { as = about.profile } = about.profileSource ?? {};
  if (bundledProfiles().includes(as) || (DATA_FILE.test(as) && existsSync(as))) return loadOffline(as);
  throw new UsageError(
    `the recording was made with the profile “${about.profile}”${as === about.profile ? '' : ` (${as})`}, which is not bundled and does not exist here: name its file with --profile FILE`,
  );
}

/** Loads the given profile, else that of the recording if it is available, else the empty profile. */
export const profileForReplay = (recording: Recording, named: string | ProfileInput | undefined): Promise<Profile> =>
  named === undefined ? profileOfRecording(recording).catch(() => loadOffline('empty')) : loadOffline(named);

export type ReplayValues = SelectionValues &
  Pick<SettingValues, 'limits' | 'allow-target-host' | 'recordings' | 'recordings-dir' | 'secret'> & {
    /** A name, a path, or the profile itself. */
    readonly profile?: string | ProfileInput | undefined;
  };

/** The temporary address of a target, and the address to report in its place. */
export interface ServiceNames {
  /** The temporary origin of our own server. */
  readonly temporaryOrigin: string;
  /** The origin to report. */
  readonly reportedOrigin: string;
  /** The address of the simulator behind a gateway; absent: it is a service. */
  readonly simulator?: string;
  /** The command that must run for that origin to respond; absent: none. */
  readonly serverCommand?: string;
}

const REPLAY_PORT = 9000;

/** Observes which parts of a recording are used. */
export interface ReplayObserver {
  /** Returns the recording with its lookups observed. */
  readonly observe?: (recording: Recording) => Recording;
  readonly onMiss?: NonNullable<ReplayOptions['onMiss']>;
}

/** Serves a recording on the loopback address, to be judged there, without pauses and without fetching tokens. */
export async function openReplay(name: string, values: ReplayValues, { observe, onMiss }: ReplayObserver = {}) {
  const dir = values['recordings-dir'];
  const recording = findRecording(name, dir);
  await verifyBodies(recording);
  const { about } = recording;
  const profile = await (values.profile === undefined ? profileOfRecording(recording) : loadOffline(values.profile));
  const safety = values.safety ?? about.safety;
  const selection = selectionOf({
    ...values,
    ...(safety !== undefined && { safety }),
    sampling: recordedSampling(about),
  });
  const data = offlineData(withLimits(profile, values.limits).data);
  const credentials = schemesIn(data).some(({ scheme: { scheme } }) => scheme !== 'none') ? 'exact' : 'either';
  const replay = await startReplay({
    recording: observe ? observe(recording) : recording,
    ...replayOptionsOf(profile, recording, values.secret),
    credentials,
    ...(onMiss && { onMiss }),
  });
  return {
    base: replay.url,
    profile: { ...profile, data },
    selection,
    serviceNames: {
      temporaryOrigin: new URL(replay.url).origin,
      reportedOrigin: `http://127.0.0.1:${REPLAY_PORT}`,
      serverCommand: `mdwi replay ${name}${dir === undefined ? '' : ` --recordings ${shellWord(dir)}`} --port ${REPLAY_PORT}`,
    },
    name: `recording ${name} (${about.upstream}, ${about.recordedAt.slice(0, 10)})`,
    wait: async () => undefined,
    issuedToken: 'not-fetched',
    close: () => replay.close(),
  } satisfies Target & { readonly serviceNames: ServiceNames; readonly close: () => Promise<void> };
}

/** Removes what a recording does not need: client certificates and rate limits. */
function offlineData(data: Profile['data']): Profile['data'] {
  const { auth, authFor, limits, ...rest } = data;
  const offline = (declared: AuthScheme | readonly AuthScheme[]): AuthScheme[] =>
    [declared].flat().filter(({ scheme }) => scheme !== 'mtls');
  const offlineFor = Object.fromEntries(Object.entries(authFor ?? {}).map(([key, each]) => [key, offline(each)]));
  const { requestsPerSecond: _, ...otherLimits } = limits ?? {};
  return {
    ...rest,
    ...(auth && { auth: offline(auth) }),
    ...(authFor && { authFor: offlineFor }),
    ...(limits && { limits: otherLimits }),
  };
}
