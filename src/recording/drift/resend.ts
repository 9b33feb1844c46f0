/** Sends the requests of a recording to a service again, as far as the safety class allows. */

import type { SafetyClass } from '../../contract/index.ts';
import { withoutHopByHop } from '../../exchange/headers.ts';
import type { Exchange, Source, WireRequest } from '../../exchange/types.ts';
import { authKeyOf, placesOf, schemesIn, schemesOfKey } from '../../profile/auth-schemes.ts';
import type { AuthScheme, Profile } from '../../profile/schema.ts';
import { statusesOf } from '../../profile/statuses.ts';
import { looksLikePlaceholder } from '../../secrets/placeholders.ts';
import { RECORDED_ORIGIN } from '../format/origin.ts';
import { readSideFile } from '../store/read-side-file.ts';
import { findLinks, inDependencyOrder, type UnsendableError, withCurrentValues } from './chained-values.ts';
import {
  mapParts,
  requestPartsOf,
  type ScalarValues,
  type Sendable,
  scalarValuesOf,
  sendableOf,
} from './message-values.ts';
import { classOfRequest, nameOf, type RecordedSequence, type RecordedTraffic } from './recorded-requests.ts';

export interface ResendOptions {
  readonly profile: Profile;
  readonly source: Source;
  /** The base address of a lane, including the service’s base path. */
  readonly baseOf: (lane: string) => string;
  /** The path of the service’s base address. */
  readonly basePath: string;
  readonly allowed: readonly SafetyClass[];
  /** Replaces placeholders by the current credentials. */
  readonly reveal: (text: string) => string;
  readonly wait: (ms: number) => Promise<unknown>;
  readonly onProgress?: (requests: number, what: string) => void;
}

/** Why a request was not sent. */
export type Unsent =
  | UnsendableError
  | 'its safety class is off'
  | 'a secret it carries is not known'
  | 'nothing more was sent';

export interface Resent {
  readonly sent: number;
  readonly unsent: ReadonlyMap<RecordedSequence, Unsent>;
  /** How the first request failed, if no request got a response. */
  readonly firstFailure?: string;
}

/** The pause between two status requests for a job, in ms. */
const JOB_PAUSE_MS = 300;

/** After this many consecutive requests without a response nothing more is sent: the service is down. */
const MAX_CONSECUTIVE_FAILURES = 4;

/** Headers that the client sets itself. */
const OWN_HEADERS = ['accept-encoding', 'authorization', 'content-length', 'cookie'];

/** The parts of requests in which schemes send their credentials. */
const credentialParts = (schemes: readonly AuthScheme[]): ReadonlySet<string> =>
  new Set(
    schemes
      .map(placesOf)
      .flatMap(({ headers, query, members = [] }) => [
        ...headers.map((name) => `header ${name.toLowerCase()}`),
        ...query.map((name) => `query ${name}`),
        ...members.map((name) => `body ${name}`),
      ]),
  );

/** The key of `authFor` with the credentials of a request; of no operation: those that the recorded request carries. */
function authKeyFor(sequence: RecordedSequence, { data }: Profile): string | undefined {
  if (sequence.operation) return authKeyOf(data, sequence.operation);
  const keys = [undefined, ...Object.keys(data.authFor ?? {})];
  return keys.find((key) => sendsCredentials(sequence, credentialParts(schemesOfKey(data, key))));
}

const holdsPlaceholder = (text: string): boolean =>
  text.split(/[^\w.-]+/).some((segment) => segment.length > 5 && looksLikePlaceholder(segment));

/**
 * Sends the requests of a recording, each after those whose responses it depends on. The gateway at `baseOf` records the
 * responses; this function only reads ids and cursors from them.
 */
export async function resend(traffic: RecordedTraffic, options: ResendOptions): Promise<Resent> {
  const { profile, source, allowed, reveal, baseOf, basePath } = options;
  const links = await findLinks(traffic);
  const credentials = credentialParts(schemesIn(profile.data).map(({ scheme }) => scheme));
  const sentCredentials = traffic.requests.some((each) => sendsCredentials(each, credentials));
  const sources = new Set([...links.values()].flat().map(({ issuer }) => issuer));
  const scalars = new Map<RecordedSequence, ScalarValues[]>();
  const unsent = new Map<RecordedSequence, Unsent>();
  let [sent, consecutiveFailures, responses] = [0, 0, 0];
  let firstFailure: string | undefined;

  for (const sequence of inDependencyOrder(traffic.requests, links)) {
    if (consecutiveFailures >= MAX_CONSECUTIVE_FAILURES) {
      unsent.set(sequence, 'nothing more was sent');
      continue;
    }
    if (!allowed.includes(classOfRequest(sequence))) {
      unsent.set(sequence, 'its safety class is off');
      continue;
    }
    const sequenceLinks = links.get(sequence) ?? [];
    const request = await withCurrentValues(
      sequence,
      sequenceLinks,
      (from) => {
        const issuerValues = scalars.get(from);
        return issuerValues && Promise.resolve(issuerValues);
      },
      basePath,
    );
    const wireRequest = typeof request === 'string' ? request : toWire(sequence, request);
    if (typeof wireRequest === 'string') {
      unsent.set(sequence, wireRequest);
      continue;
    }
    const isPolled = sequence.exchanges.length > 1 && sequenceLinks.some((each) => each.kind === 'job');
    for (const [at] of sequence.exchanges.entries()) {
      if (at > 0 && isPolled) await options.wait(JOB_PAUSE_MS);
      const exchange = await source.send(wireRequest);
      if (exchange.failure?.kind === 'budget' || exchange.failure?.kind === 'stopped') {
        if (at === 0) unsent.set(sequence, 'nothing more was sent');
        break;
      }
      sent++;
      options.onProgress?.(sent, nameOf(sequence));
      if (exchange.response) {
        responses++;
        consecutiveFailures = 0;
      } else {
        firstFailure ??= exchange.failure?.message;
        consecutiveFailures++;
      }
      const values = sources.has(sequence) ? await valuesOf(exchange, sequence.lane) : new Map<string, string>();
      scalars.set(sequence, [...(scalars.get(sequence) ?? []), values]);
    }
  }
  return { sent, unsent, ...(responses === 0 && sent > 0 && { firstFailure: firstFailure ?? 'no response' }) };

  function toWire(sequence: RecordedSequence, given: Sendable): WireRequest | Unsent {
    const request = mapParts(given, (part, value) => (credentials.has(part) ? undefined : value));
    const target = reveal(request.target);
    const headers = withoutHopByHop(request.headers)
      .filter(([name]) => !OWN_HEADERS.includes(name.toLowerCase()))
      .map(([name, value]): [string, string] => [name, reveal(value)])
      // An unknown secret of another client: the header is not sent.
      .filter(([, value]) => !holdsPlaceholder(value));
    const stored = sequence.exchanges[0]?.request.body;
    const body =
      request.body !== undefined
        ? Buffer.from(reveal(request.body), 'utf8')
        : stored && 'file' in stored
          ? readSideFile(traffic.folder, stored)
          : undefined;
    if (holdsPlaceholder(target) || (body && body.length < 1e6 && holdsPlaceholder(body.toString('latin1'))))
      return 'a secret it carries is not known';
    const isAnonymous =
      (sentCredentials && !sendsCredentials(sequence, credentials)) ||
      (sequence.operation !== undefined && (profile.data.authExcept?.includes(sequence.operation) ?? false));
    const authKey = authKeyFor(sequence, profile);
    return {
      method: sequence.method,
      url: `${baseOf(sequence.lane)}${target}`,
      headers,
      ...(body && body.length > 0 && { body }),
      follow: false,
      ...(isAnonymous && { anonymous: true }),
      ...(authKey !== undefined && { authKey }),
      ...(sequence.operation && { statuses: statusesOf(profile.data, sequence.operation) }),
    };
  }

  /** The values of a response, with the gateway’s origin replaced by the placeholder origin. */
  async function valuesOf({ response, body }: Exchange, lane: string): Promise<ScalarValues> {
    if (!response) return new Map();
    const values = await scalarValuesOf(response, body.bytes > 0 ? { body } : undefined);
    const sequenceLinks = baseOf(lane).slice(0, baseOf(lane).length - basePath.length);
    return new Map([...values].map(([place, value]) => [place, value.replace(sequenceLinks, RECORDED_ORIGIN)]));
  }
}

/** Whether a request carried the profile’s credentials. */
const sendsCredentials = (sequence: RecordedSequence, credentials: ReadonlySet<string>): boolean =>
  [...requestPartsOf(sendableOf(sequence)).keys()].some((part) => credentials.has(part));
