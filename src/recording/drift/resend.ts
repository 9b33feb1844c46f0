/** Sends the requests of a recording to a service again, as far as the safety class allows. */
import { OPERATIONS, operationOf, type SafetyClass } from '../../contract/index.ts';
import { withoutHopByHop } from '../../exchange/hop-by-hop.ts';
import type { Exchange, Source, WireRequest } from '../../exchange/types.ts';
import type { AuthScheme, Profile } from '../../profile/schema.ts';
import { statusesOf } from '../../profile/statuses.ts';
import { looksLikePlaceholder } from '../../secrets/placeholders.ts';
import { PLACEHOLDER } from '../format/origin.ts';
import { readSideFile } from '../store/read-side-file.ts';
import { carryForward, findLinks, inOrder, type UnsendableError } from './chained-values.ts';
import { nameOf, type RecordedSequence, type RecordedTraffic } from './recorded-requests.ts';
import type { Sendable } from './request-parts.ts';
import { type ScalarValues, scalarValuesOf } from './scalar-values.ts';

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
  readonly silent?: string;
}

/** The pause between two status requests for a job, in ms. */
const JOB_PAUSE = 300;
/** After this many consecutive requests without a response nothing more is sent: the service is down. */
const SILENT_LIMIT = 4;

/** Headers that the client sets itself. */
const OWN_HEADERS = ['accept-encoding', 'authorization', 'content-length', 'cookie'];

const schemesOf = ({ data }: Profile): readonly AuthScheme[] => [data.auth ?? []].flat();

/** Headers and parameters in which a profile sends its credentials. */
function credentialParts(profile: Profile): { readonly headers: readonly string[]; readonly query: readonly string[] } {
  const schemes = schemesOf(profile);
  return {
    headers: schemes.flatMap((each) => {
      if (each.scheme === 'headers') return Object.keys(each.headers).map((name) => name.toLowerCase());
      if (each.scheme === 'apiKey') return each.in === 'header' ? [each.name.toLowerCase()] : [];
      return each.scheme === 'none' || each.scheme === 'mtls' ? [] : ['authorization'];
    }),
    query: schemes.flatMap((each) => (each.scheme === 'apiKey' && each.in === 'query' ? [each.name] : [])),
  };
}

/** Last path segments of operations that do more than read; misspelled paths may contain them. */
const HARMFUL = OPERATIONS.filter(({ safety }) => safety !== 'read').map(({ path, safety }) => ({
  word: path.slice(path.lastIndexOf('/') + 1).toLowerCase(),
  safety,
}));

/**
 * The safety class of a request: that of its operation; for a request for no operation, that of an operation with a similar
 * path. Other GET requests, and POST requests near those of group B (section 4.2), read; any other request is unclear.
 */
export function classOfRequest({
  operation,
  method,
  target,
}: Pick<RecordedSequence, 'operation' | 'method' | 'target'>): SafetyClass {
  if (operation) return operationOf(operation).safety;
  const path = target.split('?', 1)[0]?.toLowerCase() ?? '';
  const harmful = HARMFUL.find(({ word }) => path.includes(word));
  if (harmful) return harmful.safety;
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return 'read';
  return method === 'POST' && path.includes('/data-access/') ? 'read' : 'unclear';
}

const holdsPlaceholder = (text: string): boolean =>
  text.split(/[^\w.-]+/).some((word) => word.length > 5 && looksLikePlaceholder(word));

/**
 * Sends the requests of a recording, each after those whose responses it depends on. The gateway at `baseOf` records the
 * responses; this function only reads ids and cursors from them.
 */
export async function resend(traffic: RecordedTraffic, options: ResendOptions): Promise<Resent> {
  const { profile, source, allowed, reveal, baseOf, basePath } = options;
  const links = await findLinks(traffic);
  const credentials = credentialParts(profile);
  const hadCredentials = traffic.requests.some((each) => carries(each, credentials));
  const sources = new Set([...links.values()].flat().map(({ from }) => from));
  const scalars = new Map<RecordedSequence, ScalarValues[]>();
  const unsent = new Map<RecordedSequence, Unsent>();
  let [sent, silent, answered] = [0, 0, 0];
  let firstFailure: string | undefined;

  for (const sequence of inOrder(traffic.requests, links)) {
    if (silent >= SILENT_LIMIT) {
      unsent.set(sequence, 'nothing more was sent');
      continue;
    }
    if (!allowed.includes(classOfRequest(sequence))) {
      unsent.set(sequence, 'its safety class is off');
      continue;
    }
    const own = links.get(sequence) ?? [];
    const request = await carryForward(
      sequence,
      own,
      (from) => {
        const known = scalars.get(from);
        return known && Promise.resolve(known);
      },
      basePath,
    );
    const wire = typeof request === 'string' ? request : toWire(sequence, request);
    if (typeof wire === 'string') {
      unsent.set(sequence, wire);
      continue;
    }
    const isPolled = sequence.exchanges.length > 1 && own.some((each) => each.of === 'job');
    for (const [at] of sequence.exchanges.entries()) {
      if (at > 0 && isPolled) await options.wait(JOB_PAUSE);
      const exchange = await source.send(wire);
      if (exchange.failure?.kind === 'budget' || exchange.failure?.kind === 'stopped') {
        if (at === 0) unsent.set(sequence, 'nothing more was sent');
        break;
      }
      sent++;
      options.onProgress?.(sent, nameOf(sequence));
      if (exchange.response) {
        answered++;
        silent = 0;
      } else {
        firstFailure ??= exchange.failure?.message;
        silent++;
      }
      const values = sources.has(sequence) ? await valuesOf(exchange, sequence.lane) : new Map<string, string>();
      scalars.set(sequence, [...(scalars.get(sequence) ?? []), values]);
    }
  }
  return { sent, unsent, ...(answered === 0 && sent > 0 && { silent: firstFailure ?? 'no response' }) };

  function toWire(sequence: RecordedSequence, request: Sendable): WireRequest | Unsent {
    const target = reveal(withoutParameters(request.target, credentials.query));
    const headers = withoutHopByHop(request.headers)
      .filter(
        ([name]) => !OWN_HEADERS.includes(name.toLowerCase()) && !credentials.headers.includes(name.toLowerCase()),
      )
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
      (hadCredentials && !carries(sequence, credentials)) ||
      (sequence.operation !== undefined && (profile.data.authExcept?.includes(sequence.operation) ?? false));
    return {
      method: sequence.method,
      url: `${baseOf(sequence.lane)}${target}`,
      headers,
      ...(body && body.length > 0 && { body }),
      follow: false,
      ...(isAnonymous && { anonymous: true }),
      ...(sequence.operation && { statuses: statusesOf(profile.data, sequence.operation) }),
    };
  }

  /** The values of a response, with the gateway’s origin replaced by the placeholder origin. */
  async function valuesOf({ response, body }: Exchange, lane: string): Promise<ScalarValues> {
    if (!response) return new Map();
    const values = await scalarValuesOf(response, body.bytes > 0 ? { body } : undefined);
    const own = baseOf(lane).slice(0, baseOf(lane).length - basePath.length);
    return new Map([...values].map(([place, value]) => [place, value.replace(own, PLACEHOLDER)]));
  }
}

const withoutParameters = (target: string, names: readonly string[]): string => {
  const mark = target.indexOf('?');
  if (mark < 0 || names.length === 0) return target;
  const kept = target
    .slice(mark + 1)
    .split('&')
    .filter((pair) => !names.includes(new URLSearchParams(pair).keys().next().value ?? ''));
  return kept.length === 0 ? target.slice(0, mark) : `${target.slice(0, mark)}?${kept.join('&')}`;
};

/** Whether a request carried the profile’s credentials. */
function carries(
  { exchanges, target }: RecordedSequence,
  { headers, query }: { readonly headers: readonly string[]; readonly query: readonly string[] },
): boolean {
  const sent = exchanges[0]?.request.headers ?? [];
  const parameters = new URLSearchParams(target.split('?')[1] ?? '');
  return sent.some(([name]) => headers.includes(name.toLowerCase())) || query.some((name) => parameters.has(name));
}
