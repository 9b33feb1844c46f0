/** Records the requests of a run as they are sent, with the credentials of the profile, so that other programs send the same. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { judgeTarget } from '../src/commands/judge-target.ts';
import { loadProfile } from '../src/profile/load.ts';
import type { Selection } from '../src/run/types.ts';
import type { SentRequest } from './peers.ts';

/** What undici publishes when it has written the head of a request. */
const CHANNEL = 'undici:client:sendHeaders';
interface SentHead {
  readonly request: {
    readonly method: string;
    readonly origin: string;
    readonly path: string;
    readonly body?: unknown;
  };
  /** The head as written, with its request line. */
  readonly headers: string;
}

/** What each sender writes itself. */
const OWN_HEADERS = /^(?:host|connection|content-length|transfer-encoding)$/i;

function toSentRequest({ request: { method, origin, path, body }, headers }: SentHead): SentRequest {
  const fields = headers.trim().split('\r\n').slice(1);
  const pairs = fields.map((field): [string, string] => {
    const colon = field.indexOf(':');
    return [field.slice(0, colon), field.slice(colon + 1).trim()];
  });
  return {
    method,
    url: origin + path,
    headers: pairs.filter(([name]) => !OWN_HEADERS.test(name)),
    ...(body instanceof Uint8Array && { body: new TextDecoder().decode(body) }),
  };
}

/** The requests of one run, in the order sent. */
export async function recordRequests(
  base: string,
  selection: Selection,
  profile = 'reference',
): Promise<SentRequest[]> {
  const sent: SentRequest[] = [];
  const record = (message: unknown) => void sent.push(toSentRequest(message as SentHead));
  subscribe(CHANNEL, record);
  try {
    await judgeTarget({ base, profile: await loadProfile(profile), selection, onProgress: () => undefined });
  } finally {
    unsubscribe(CHANNEL, record);
  }
  return sent;
}
