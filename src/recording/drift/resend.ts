/** Asks a service again what a recording was asked, as far as that does no harm. */
import { OPERATIONS, operationOf, type SafetyClass } from '../../contract/index.ts';
import { endToEnd } from '../../exchange/hop-by-hop.ts';
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
  /** The base address of a lane, the service’s base path included. */
  readonly baseOf: (lane: string) => string;
  /** The path of the service’s base address. */
  readonly basePath: string;
  readonly allowed: readonly SafetyClass[];
  /** Puts the credentials of today in place of the placeholders. */
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
  /** How the first request without an answer failed, where none was answered. */
  readonly silent?: string;
}

/** Between two looks at the state of a job, in ms. */
const JOB_PAUSE = 300;
/** After so many requests without an answer in a row nothing more is sent: the service is gone. */
const SILENT_LIMIT = 4;

/** What the client says itself, or says anew. */
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

/** Names of operations that do more than read, as a path of another spelling may hold them. */
const HARMFUL = OPERATIONS.filter(({ safety }) => safety !== 'read').map(({ path, safety }) => ({
  word: path.slice(path.lastIndexOf('/') + 1).toLowerCase(),
  safety,
}));

/**
 * The safety class of a request: its operation’s; of any other, that of the operation its path is a spelling of. GETs that
 * are none read, and so do POSTs beside those of group B (section 4.2); any other request might do anything.
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
 * Sends the requests of a recording in an order in which each comes behind those whose answers it goes on with. What comes
 * back is recorded by whoever listens at `baseOf`; here only ids and cursors are taken out of it.
 */
export async function resend(traffic: RecordedTraffic, options: ResendOptions): Promise<Resent> {
  const { profile, source, allowed, reveal, baseOf, basePath } = options;
  const links = await findLinks(traffic);
  const credentials = credentialParts(profile);
  const hadCredentials = traffic.asked.some((each) => carries(each, credentials));
  const sources = new Set([...links.values()].flat().map(({ from }) => from));
  const answers = new Map<RecordedSequence, ScalarValues[]>();
  const unsent = new Map<RecordedSequence, Unsent>();
  let [sent, silent, answered] = [0, 0, 0];
  let firstFailure: string | undefined;

  for (const asked of inOrder(traffic.asked, links)) {
    if (silent >= SILENT_LIMIT) {
      unsent.set(asked, 'nothing more was sent');
      continue;
    }
    if (!allowed.includes(classOfRequest(asked))) {
      unsent.set(asked, 'its safety class is off');
      continue;
    }
    const own = links.get(asked) ?? [];
    const request = await carryForward(
      asked,
      own,
      (from) => {
        const known = answers.get(from);
        return known && Promise.resolve(known);
      },
      basePath,
    );
    const wire = typeof request === 'string' ? request : toWire(asked, request);
    if (typeof wire === 'string') {
      unsent.set(asked, wire);
      continue;
    }
    const isPolled = asked.exchanges.length > 1 && own.some((each) => each.of === 'job');
    for (const [at] of asked.exchanges.entries()) {
      if (at > 0 && isPolled) await options.wait(JOB_PAUSE);
      const exchange = await source.send(wire);
      if (exchange.failure?.kind === 'budget' || exchange.failure?.kind === 'stopped') {
        if (at === 0) unsent.set(asked, 'nothing more was sent');
        break;
      }
      sent++;
      options.onProgress?.(sent, nameOf(asked));
      if (exchange.response) {
        answered++;
        silent = 0;
      } else {
        firstFailure ??= exchange.failure?.message;
        silent++;
      }
      const values = sources.has(asked) ? await valuesOf(exchange, asked.lane) : new Map<string, string>();
      answers.set(asked, [...(answers.get(asked) ?? []), values]);
    }
  }
  return { sent, unsent, ...(answered === 0 && sent > 0 && { silent: firstFailure ?? 'no answer' }) };

  function toWire(asked: RecordedSequence, request: Sendable): WireRequest | Unsent {
    const target = reveal(withoutParameters(request.target, credentials.query));
    const headers = endToEnd(request.headers)
      .filter(
        ([name]) => !OWN_HEADERS.includes(name.toLowerCase()) && !credentials.headers.includes(name.toLowerCase()),
      )
      .map(([name, value]): [string, string] => [name, reveal(value)])
      // A secret of another client’s own: the service is asked without it.
      .filter(([, value]) => !holdsPlaceholder(value));
    const stored = asked.exchanges[0]?.request.body;
    const body =
      request.body !== undefined
        ? Buffer.from(reveal(request.body), 'utf8')
        : stored && 'file' in stored
          ? readSideFile(traffic.folder, stored)
          : undefined;
    if (holdsPlaceholder(target) || (body && body.length < 1e6 && holdsPlaceholder(body.toString('latin1'))))
      return 'a secret it carries is not known';
    const isAnonymous =
      (hadCredentials && !carries(asked, credentials)) ||
      (asked.operation !== undefined && (profile.data.authExcept?.includes(asked.operation) ?? false));
    return {
      method: asked.method,
      url: `${baseOf(asked.lane)}${target}`,
      headers,
      ...(body && body.length > 0 && { body }),
      follow: false,
      ...(isAnonymous && { anonymous: true }),
      ...(asked.operation && { statuses: statusesOf(profile.data, asked.operation) }),
    };
  }

  /** What an answer says, with the origin of recordings in place of the one it came through. */
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

/** Whether a request carried what the profile proves itself with. */
function carries(
  { exchanges, target }: RecordedSequence,
  { headers, query }: { readonly headers: readonly string[]; readonly query: readonly string[] },
): boolean {
  const sent = exchanges[0]?.request.headers ?? [];
  const parameters = new URLSearchParams(target.split('?')[1] ?? '');
  return sent.some(([name]) => headers.includes(name.toLowerCase())) || query.some((name) => parameters.has(name));
}
