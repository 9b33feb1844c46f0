/** What the commands that replay share. */
import { openRecording, type Recording } from '../../simulator/replay/recording.ts';
import { type ReplayOptions, startReplay } from '../../simulator/replay/replay.ts';
import { readsAsOfFromDate, secretsOf } from '../exchange/har/from-profile.ts';
import { RecordingError } from '../exchange/har/schema.ts';
import { loadProfile } from '../profile/load.ts';
import type { Profile } from '../profile/schema.ts';
import type { Target } from './judge-target.ts';
import { type SelectionValues, selectionOf, UsageError } from './options.ts';

const RECORDINGS = 'recordings';

/** The environment, with something in place of what is not set: a recording needs no credentials. */
const OFFLINE_ENV = new Proxy(process.env, {
  get: (env, name) => (typeof name === 'string' ? (env[name] ?? `not-set-${name}`) : undefined),
});

const loadOffline = (profile: string): Promise<Profile> => loadProfile(profile, OFFLINE_ENV);

/** Reads a recording for a command; what is wrong with it is a UsageError. */
export function findRecording(name: string, dir = RECORDINGS): Recording {
  try {
    return openRecording(dir, name);
  } catch (error) {
    if (error instanceof RecordingError) throw new UsageError(error.message);
    throw error;
  }
}

/** What a profile tells a replay: what clients send that does not count, and the day the answers are of. */
export const replayedAs = (profile: Profile, { about }: Recording, secrets: readonly string[] = []) =>
  ({
    secrets: secretsOf(profile, secrets),
    ...(about.dateAsOf !== undefined && readsAsOfFromDate(profile) && { date: about.dateAsOf }),
  }) satisfies Partial<ReplayOptions>;

/** The profile a recording was made with. */
async function recordedWith({ about }: Recording): Promise<Profile> {
  try {
    return await loadOffline(about.profile);
  } catch {
    throw new UsageError(
      `the recording was made with the profile “${about.profile}”, which is none of those bundled: name its file with --profile FILE`,
    );
  }
}

/** The profile given, else the one recorded with as far as it is bundled, else one that fills nothing. */
export const profileFor = (recording: Recording, given: string | undefined): Promise<Profile> =>
  given === undefined ? recordedWith(recording).catch(() => loadOffline('empty')) : loadOffline(given);

export interface TargetValues extends SelectionValues {
  readonly profile?: string | undefined;
  readonly recordings?: string | undefined;
  readonly 'recordings-dir'?: string | undefined;
}

/** Serves a recording on the loopback address, to be judged there: nothing is waited for, and no token is fetched. */
export async function openReplay(name: string, values: TargetValues) {
  if (values['base-url'] !== undefined)
    throw new UsageError('--recordings and --base-url: either a recording or a live server can be judged');
  const recording = findRecording(name, values['recordings-dir']);
  const { about } = recording;
  const profile = await (values.profile === undefined ? recordedWith(recording) : loadOffline(values.profile));
  const safety = values.safety ?? about.safety;
  const selection = selectionOf({ ...values, ...(safety !== undefined && { safety }) });
  const replay = await startReplay({ recording, ...replayedAs(profile, recording) });
  return {
    base: replay.url,
    profile: { ...profile, data: withoutFetching(profile.data) },
    selection,
    name: `recording ${name} (${about.upstream}, ${about.recordedAt.slice(0, 10)})`,
    wait: async () => undefined,
    close: () => replay.close(),
  } satisfies Target & { readonly close: () => Promise<void> };
}

/** Without what reaches for anything beside the service: token servers, certificates, and the pace a live server needs. */
function withoutFetching(data: Profile['data']): Profile['data'] {
  const { auth, limits, ...rest } = data;
  const kept = [auth ?? []].flat().filter(({ scheme }) => scheme !== 'oauth2' && scheme !== 'mtls');
  const { requestsPerSecond: _, ...others } = limits ?? {};
  return { ...rest, ...(auth && { auth: kept }), ...(limits && { limits: others }) };
}
