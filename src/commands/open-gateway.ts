/** Starts a recording gateway for a profile and a service. */
import { readFileSync } from 'node:fs';
import { basename, isAbsolute, relative } from 'node:path';
import type { Gateway, GatewayOptions } from '../../simulator/gateway/gateway.ts';
import type { UpstreamTls } from '../../simulator/gateway/upstream.ts';
import { schemesIn } from '../profile/auth-schemes.ts';
import { loadProfile } from '../profile/load.ts';
import type { Profile } from '../profile/schema.ts';
import { matchingOf } from '../recording/format/profile-matching.ts';
import { profileDigest, type RecordingCommand } from '../recording/format/recording-options.ts';
import { type Provenance, RecordingError } from '../recording/format/schema.ts';
import { createProfileReader } from '../recording/rerecord/profile-reader.ts';
import { protectionOf } from '../secrets/declared-secrets.ts';
import type { ProtectionOptions } from '../secrets/hide-in-exchange.ts';
import { PlaceholderRegistry } from '../secrets/placeholder-registry.ts';
import { redactionReceipt, type ScrubbedKind } from '../secrets/redaction-receipt.ts';
import { listenError } from '../terminal/system-error.ts';
import { oneOf, UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import type { Network } from './network.ts';

interface RecordingValues {
  readonly name?: string | undefined;
  readonly recordings?: string | undefined;
  readonly secret?: string[] | undefined;
  readonly scrub?: string[] | undefined;
}

function readPem(what: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${what}: ${path} cannot be read (${(error as Error).message})`);
  }
}

/** Returns the certificates that the gateway presents to the service and trusts; its clients use plain HTTP. */
function tlsOf({ data }: Profile, given: string | undefined): UpstreamTls {
  const mtls = schemesIn(data)
    .map(({ scheme }) => scheme)
    .find((each) => each.scheme === 'mtls');
  const ca = given ?? (mtls?.ca === undefined ? undefined : readPem('the profile’s mtls ca', mtls.ca));
  return {
    ...(ca !== undefined && { ca }),
    ...(mtls && {
      cert: readPem('the profile’s mtls cert', mtls.cert),
      key: readPem('the profile’s mtls key', mtls.key),
      ...(mtls.passphrase !== undefined && { passphrase: mtls.passphrase }),
    }),
  };
}

const SCRUBBED = redactionReceipt.shape.scrubbed.unwrap().element.options;

/** Reads and checks `--scrub`: the kinds of data to replace with invented data. */
export function parseScrubbedKinds(values: Pick<RecordingValues, 'scrub'>): ScrubbedKind[] {
  const named = values.scrub?.flatMap((each) => each.split(',')) ?? [];
  return [...new Set(named.map((each) => oneOf('--scrub', each.trim(), SCRUBBED)))];
}

type GatewayContext = Pick<
  GatewayOptions,
  'upstream' | 'port' | 'allowHosts' | 'cors' | 'onMessage' | 'onNotRecorded'
> & {
  readonly profile: Profile;
  readonly source: GatewayOptions['about']['source'];
  readonly safety?: string;
  /** The way to the service; default: no proxy. */
  readonly network?: Network;
  /** The name of the upstream in the provenance; default: its origin. */
  readonly upstreamName?: string;
  /** The recording command, to be repeated when recording again; default: see `recordingOptionsOf`. */
  readonly command?: RecordingCommand;
  /** Whether some requests are sent twice, at the rate of the profile, to learn which parts differ each time. */
  readonly sendsTwice?: boolean;
  /** Ends the second requests early. */
  readonly signal?: AbortSignal;
};

/** Returns the name and the digest of a profile for the provenance. Absolute paths of this machine are not included. */
export async function profileSourceOf({ source, data }: Profile): Promise<NonNullable<Provenance['profileSource']>> {
  const named = source.replace(/^bundled:/, '');
  const path = isAbsolute(named) ? relative('.', named) : named;
  // The digest does not depend on the environment.
  const withoutEnvironment = await loadProfile(named, {}, 'keep').catch(() => ({ data }));
  return {
    as: path.startsWith('..') && isAbsolute(named) ? basename(named) : path,
    digest: profileDigest(withoutEnvironment),
  };
}

/** The most requests that are sent a second time. */
const MAX_SENT_TWICE = 120;

/** Reports which values of `--secret` are not searched for everywhere; provenance.json lists all such secrets. */
function warnOfUnsearchedSecrets(protection: ProtectionOptions): void {
  for (const [name, why] of Object.entries(new PlaceholderRegistry(protection).searchExclusions()))
    if (/^secret\b/.test(name))
      process.stderr.write(
        `mdwi: a value of --secret (${name}) is not hidden everywhere: ${why} (node_modules/mdwi-conformance/docs/recordings.md)\n`,
      );
}

/** Starts a gateway. Throws UsageError if it cannot start; nothing has been sent by then. */
export async function openGateway(
  values: RecordingValues,
  { profile, source, safety, upstreamName, command, sendsTwice = false, signal, network, ...rest }: GatewayContext,
): Promise<Gateway> {
  if (values.name === undefined) throw new UsageError('--name NAME is needed: the name of the recording');
  const kinds = parseScrubbedKinds(values);
  const protection = protectionOf(profile, values.secret);
  warnOfUnsearchedSecrets(protection);
  const { limits } = profile.data;
  // Loaded here only: Polly is slow to load, and most commands do not need it.
  const { startGateway } = await import('../../simulator/gateway/gateway.ts');
  try {
    return await startGateway({
      ...rest,
      dir: values.recordings ?? 'recordings',
      name: values.name,
      protection,
      ...(kinds.length > 0 && { scrub: { kinds, profile } }),
      matching: matchingOf(profile),
      tls: tlsOf(profile, network?.ca),
      ...(network?.proxy && { proxy: network.proxy }),
      profileReader: createProfileReader(profile),
      ...(sendsTwice && {
        resendPolicy: {
          pauseMs: 1000 / (limits?.requestsPerSecond ?? 1000),
          maxRequests: MAX_SENT_TWICE,
          ...(signal && { signal }),
        },
      }),
      about: {
        suite: version(),
        source,
        profile: profile.data.name,
        profileSource: await profileSourceOf(profile),
        ...(command && { made: [command] }),
        ...(safety !== undefined && { safety }),
        ...(upstreamName !== undefined && { upstream: upstreamName }),
      },
    });
  } catch (error) {
    if (error instanceof RecordingError) throw new UsageError(error.message);
    throw listenError(rest.port ?? 0, error);
  }
}
