/** Starts a gateway that records, for a profile and a service. */
import { readFileSync } from 'node:fs';
import { basename, isAbsolute, relative } from 'node:path';
import type { Gateway, GatewayOptions } from '../../simulator/gateway/gateway.ts';
import type { UpstreamTls } from '../../simulator/gateway/upstream.ts';
import { loadProfile } from '../profile/load.ts';
import type { Profile } from '../profile/schema.ts';
import { matchingOf } from '../recording/format/matching.ts';
import { profileDigest, type RecordingCommand } from '../recording/format/recording-options.ts';
import { type Provenance, RecordingError } from '../recording/format/schema.ts';
import { createProfileReading } from '../recording/rerecord/profile-reading.ts';
import { protectionOf } from '../secrets/declared-secrets.ts';
import type { ProtectionOptions } from '../secrets/protection.ts';
import { Pseudonyms } from '../secrets/pseudonyms.ts';
import { redactionReceipt, type ScrubbedKind } from '../secrets/receipt.ts';
import { listenError } from '../terminal/system-error.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';

interface RecordingValues {
  readonly name?: string | undefined;
  readonly recordings?: string | undefined;
  readonly secret?: string[] | undefined;
  readonly scrub?: string[] | undefined;
  readonly ca?: string | undefined;
}

function readPem(what: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${what}: ${path} cannot be read (${(error as Error).message})`);
  }
}

/** What the gateway shows a service in the client’s place, who speaks plain HTTP to it, and whom it trusts. */
function tlsOf({ data }: Profile, ca: string | undefined): UpstreamTls {
  const shown = [data.auth ?? []].flat().find((each) => each.scheme === 'mtls');
  const trusted = ca ?? shown?.ca;
  return {
    ...(trusted !== undefined && { ca: readPem(ca === undefined ? 'the profile’s mtls ca' : '--ca', trusted) }),
    ...(shown && {
      cert: readPem('the profile’s mtls cert', shown.cert),
      key: readPem('the profile’s mtls key', shown.key),
      ...(shown.passphrase !== undefined && { passphrase: shown.passphrase }),
    }),
  };
}

const SCRUBBED = redactionReceipt.shape.scrubbed.unwrap().element.options;

/** What is to be replaced by invented data. */
export function scrubbedOf(values: Pick<RecordingValues, 'scrub'>): ScrubbedKind[] {
  const named = values.scrub?.flatMap((each) => each.split(',')).map((each) => each.trim()) ?? [];
  for (const each of named) {
    if (!(SCRUBBED as string[]).includes(each))
      throw new UsageError(`--scrub ${each}: allowed are ${SCRUBBED.join(', ')}`);
  }
  return [...new Set(named)] as ScrubbedKind[];
}

type Rest = Pick<GatewayOptions, 'upstream' | 'port' | 'allowHosts' | 'cors' | 'tell' | 'refused'> & {
  readonly profile: Profile;
  readonly source: GatewayOptions['about']['source'];
  readonly safety?: string;
  /** What the provenance calls the upstream; default: its origin. */
  readonly label?: string;
  /** The command that records, for whoever records again; default: what `makingsOf` takes it for. */
  readonly made?: RecordingCommand;
  /** Whether some requests are asked twice, at the pace of the profile, to learn what differs anyhow. */
  readonly asksTwice?: boolean;
  /** Ends that early. */
  readonly interrupted?: AbortSignal;
};

/** How a profile is named by those who record again, and what it says: paths of this machine are nobody’s business. */
export async function profileSourceOf({ source, data }: Profile): Promise<NonNullable<Provenance['profileSource']>> {
  const named = source.replace(/^bundled:/, '');
  const within = isAbsolute(named) ? relative('.', named) : named;
  // No value of the environment counts.
  const bare = await loadProfile(named, {}, 'keep').catch(() => ({ data }));
  return { as: within.startsWith('..') && isAbsolute(named) ? basename(named) : within, digest: profileDigest(bare) };
}

/** More requests are not asked a second time. */
const MOST_ASKED_TWICE = 120;

/** Says which values of the command line are not sought everywhere; provenance.json says so of all. */
function warnOfUnsought(protection: ProtectionOptions): void {
  for (const [name, why] of Object.entries(new Pseudonyms(protection).unsought()))
    if (/^secret\b/.test(name))
      process.stderr.write(
        `mdwi: a value of --secret (${name}) is not hidden everywhere: ${why} (node_modules/mdwi-conformance/docs/recordings.md)\n`,
      );
}

/** Starts a gateway for a command; what hinders it is a UsageError, for nothing has been sent yet. */
export async function openGateway(
  values: RecordingValues,
  { profile, source, safety, label, made, asksTwice = false, interrupted, ...rest }: Rest,
): Promise<Gateway> {
  if (values.name === undefined) throw new UsageError('--name NAME is needed: what the recording is to be called');
  const kinds = scrubbedOf(values);
  const protection = protectionOf(profile, values.secret);
  warnOfUnsought(protection);
  const { limits } = profile.data;
  // Loaded here only: Polly takes a while, and most commands do without it.
  const { startGateway } = await import('../../simulator/gateway/gateway.ts');
  try {
    return await startGateway({
      ...rest,
      dir: values.recordings ?? 'recordings',
      name: values.name,
      protection,
      ...(kinds.length > 0 && { scrub: { kinds, profile } }),
      matching: matchingOf(profile),
      tls: tlsOf(profile, values.ca),
      reading: createProfileReading(profile),
      ...(asksTwice && {
        askTwice: {
          pauseMs: 1000 / (limits?.requestsPerSecond ?? 1000),
          most: MOST_ASKED_TWICE,
          ...(interrupted && { signal: interrupted }),
        },
      }),
      about: {
        suite: version(),
        source,
        profile: profile.data.name,
        profileSource: await profileSourceOf(profile),
        ...(made && { made: [made] }),
        ...(safety !== undefined && { safety }),
        ...(label !== undefined && { upstream: label }),
      },
    });
  } catch (error) {
    if (error instanceof RecordingError) throw new UsageError(error.message);
    throw listenError(rest.port ?? 0, error);
  }
}
