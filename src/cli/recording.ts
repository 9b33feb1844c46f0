/** What the commands that record share. */
import { join } from 'node:path';
import type { Gateway, GatewayOptions } from '../../simulator/gateway/gateway.ts';
import { matchingOf, secretsOf } from '../exchange/har/from-profile.ts';
import { RecordingError } from '../exchange/har/schema.ts';
import { protectionOf } from '../exchange/secrets/declared.ts';
import { Protection } from '../exchange/secrets/protection.ts';
import { describeLeaks, quarantine } from '../exchange/secrets/quarantine.ts';
import { scanForLeaks } from '../exchange/secrets/scan.ts';
import type { Profile } from '../profile/schema.ts';
import { UsageError } from './options.ts';
import { version } from './version.ts';

export const RECORDING_FLAGS = {
  name: { type: 'string' },
  recordings: { type: 'string' },
  secret: { type: 'string', multiple: true },
} as const;

export const RECORDING_USAGE = `  --name NAME          the recording: it goes to the folder NAME among the recordings
  --recordings DIR     where recordings are (default recordings)
  --secret VALUE       a value that is never to be written (may be repeated); credentials of the profile never are`;

interface RecordingValues {
  readonly name?: string | undefined;
  readonly recordings?: string | undefined;
  readonly secret?: string[] | undefined;
}

type Rest = Pick<GatewayOptions, 'upstream' | 'port' | 'tell'> & {
  readonly profile: Profile;
  readonly source: GatewayOptions['about']['source'];
  readonly safety?: string;
  /** What the provenance calls the upstream; default: its origin. */
  readonly label?: string;
};

/** Starts a gateway for a command; what hinders it is a UsageError, for nothing has been sent yet. */
export async function openGateway(
  values: RecordingValues,
  { profile, source, safety, label, ...rest }: Rest,
): Promise<Gateway> {
  if (values.name === undefined) throw new UsageError('--name NAME is needed: what the recording is to be called');
  // Loaded here only: Polly takes a while, and most commands do without it.
  const { startGateway } = await import('../../simulator/gateway/gateway.ts');
  try {
    return await startGateway({
      ...rest,
      dir: values.recordings ?? 'recordings',
      name: values.name,
      secrets: secretsOf(profile, values.secret),
      matching: matchingOf(profile),
      about: {
        suite: version(),
        source,
        profile: profile.data.name,
        ...(safety !== undefined && { safety }),
        ...(label !== undefined && { upstream: label }),
      },
    });
  } catch (error) {
    if (error instanceof RecordingError) throw new UsageError(error.message);
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' || code === 'EACCES') throw new UsageError(`--port: cannot be listened on (${message})`);
    throw error;
  }
}

/**
 * The last look at a recording that was closed: when a secret stands in it all the same, in whatever form, it is set
 * aside and the sentence that says so is returned; undefined when there is none.
 */
export async function setAsideLeaks(values: RecordingValues, profile: Profile): Promise<string | undefined> {
  const folder = join(values.recordings ?? 'recordings', values.name ?? '');
  const { pseudonyms } = new Protection(protectionOf(profile, values.secret));
  const { leaks } = await scanForLeaks(folder, pseudonyms);
  return leaks.length === 0 ? undefined : describeLeaks(leaks, await quarantine(folder));
}
