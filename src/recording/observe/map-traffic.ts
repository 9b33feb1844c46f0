/** Maps observed exchanges to operations, inputs and clients. */

import { type Input, OPERATIONS, type OperationKey, operationOf } from '../../contract/index.ts';
import { operationLocator } from '../../exchange/operation-finder.ts';
import type { Exchange, WireRequest } from '../../exchange/types.ts';
import type { Profile } from '../../profile/schema.ts';
import type { Inputs, InputValue } from '../../profile/template.ts';
import { canonicalQuery, requestKey } from '../format/request-key.ts';
import { VOLATILE_HEADERS } from '../format/volatile-headers.ts';
import { credentialQuery, requestReaderFor } from './read-request.ts';

/** Headers that neither identify a client nor change the response. */
const IGNORED_HEADERS = new Set([
  ...VOLATILE_HEADERS,
  'accept-encoding',
  'cache-control',
  'content-length',
  'content-type',
  'dnt',
  'host',
  'if-modified-since',
  'if-none-match',
  'origin',
  'pragma',
  'priority',
  'proxy-connection',
  'referer',
  'te',
  'transfer-encoding',
  'upgrade-insecure-requests',
  'user-agent',
]);

/** Headers with a new value for each request. */
const PER_REQUEST_HEADERS = /^sec-|trace|^x-b3-|request-?id|correlation|span-?id|timestamp|nonce|^x-client-data$/i;

/** @param inputHeaders headers that contain inputs, and so do not identify a client */
const clientOf = (request: WireRequest, inputHeaders: readonly string[]): string =>
  request.headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !IGNORED_HEADERS.has(name) && !PER_REQUEST_HEADERS.test(name) && !inputHeaders.includes(name))
    .map(([name, value]) => `${name}: ${value}`)
    .sort()
    .join('\n');

/** Path and query of an absolute URL, byte for byte. */
const targetIn = (url: string): string => /^[^/?#]*\/\/[^/?#]*([^#]*)/.exec(url)?.[1] || '/';

/** Headers in the request templates of the profile, in lower case. */
function templateHeaders(profile: Profile): string[] {
  const names = Object.values(profile.data.operations ?? {}).flatMap((each) =>
    Object.keys(each?.request?.headers ?? {}),
  );
  return [...new Set(names.map((name) => name.toLowerCase()))].sort();
}

/** Returns the function that computes the key of a request under a profile; used for expected and observed ones. */
export function requestKeyOf(profile: Profile): (request: WireRequest) => string {
  const matching = { headers: templateHeaders(profile), withoutQuery: credentialQuery(profile) };
  return ({ method, url, headers, body = '' }) =>
    requestKey({ method, target: targetIn(url), headers, body }, matching);
}

/** The credentials in a query, which identify a client. */
const credentialsIn = (url: string, names: readonly string[]): string => {
  if (names.length === 0) return '';
  const query = new URLSearchParams(targetIn(url).split('?').slice(1).join('?'));
  return canonicalQuery(new URLSearchParams([...query].filter(([name]) => names.includes(name))).toString());
};

/** An exchange between any client and the service. */
export interface ObservedExchange {
  /** Its id in findings, e.g. `entries[12]`. */
  readonly id: string;
  readonly exchange: Exchange;
  /** Start and end in ms since 1970; absent if not recorded. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Its lane in the recording, which is a separate sequence. */
  readonly lane?: string;
}

/** The observed exchanges with one service, in the order of time where known. */
export interface ObservedTraffic {
  /** The base address: origin and base path. */
  readonly base: string;
  readonly exchanges: readonly ObservedExchange[];
  /** Whether the data cannot change, as in the simulator with its fixed clock. */
  readonly hasFixedData: boolean;
}

/** An exchange with the inputs of its request. */
export interface Observed extends ObservedExchange {
  readonly operation: OperationKey;
  /** The inputs of the request; windows are numbers, all others texts. */
  readonly inputs: Inputs;
  /** Its index in the traffic. */
  readonly order: number;
  /** Equal for equal requests. */
  readonly key: string;
  /** Equal for requests with the same credentials, language and similar headers. */
  readonly client: string;
}

export interface MappedTraffic {
  readonly observed: readonly Observed[];
  /** All exchanges with the service by key, those of no operation included. */
  readonly byKey: ReadonlyMap<string, readonly Observed[]>;
  /** Number of exchanges of documented operations. */
  readonly mapped: number;
  /** Why the inputs of requests could not be read back, with counts. */
  readonly unread: ReadonlyMap<string, number>;
}

/** Inputs in the form of the rules: a window is a number of weeks. */
const neutralInputs = (inputs: { readonly [I in Input]?: string }): Inputs =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, value]): [string, InputValue] => [
      name,
      name === 'window' && /^\d{1,3}$/.test(value) ? Number(value) : value,
    ]),
  );

/** Finds the operation of every exchange and reads its inputs back. */
export function mapTraffic({ base, exchanges }: ObservedTraffic, profile: Profile): MappedTraffic {
  const basePath = targetIn(base).replace(/\/$/, '');
  const readers = new Map(OPERATIONS.map(({ key }) => [key, requestReaderFor(profile, key)]));
  const locate = operationLocator(profile.data.prefixes);
  const keyOf = requestKeyOf(profile);
  const credentialNames = credentialQuery(profile);
  const inputHeaders = templateHeaders(profile);
  const observed: Observed[] = [];
  const byKey = new Map<string, Observed[]>();
  const unread = new Map<string, number>();
  let mapped = 0;
  const incompleteKeys = alwaysIncomplete(exchanges, keyOf);
  for (const [order, each] of exchanges.entries()) {
    const { request } = each.exchange;
    const fullTarget = targetIn(request.url);
    const key = keyOf(request);
    const client = [each.lane ?? '', clientOf(request, inputHeaders), credentialsIn(request.url, credentialNames)].join(
      '\n',
    );
    const target = fullTarget.startsWith(`${basePath}/`) ? fullTarget.slice(basePath.length) : undefined;
    const located = target === undefined ? undefined : locate(request.method, target);
    const operation = located?.basePath === '' ? located.key : undefined;
    const mappedExchange: Observed = {
      ...each,
      operation: operation ?? 'GET /webservices/testService',
      inputs: {},
      order,
      key,
      client,
    };
    byKey.set(key, [...(byKey.get(key) ?? []), mappedExchange]);
    if (!operation || target === undefined) continue;
    mapped++;
    if (each.exchange.failure && !incompleteKeys.has(key)) {
      unread.set(INCOMPLETE_RESPONSE, (unread.get(INCOMPLETE_RESPONSE) ?? 0) + 1);
      continue;
    }
    const read = readers.get(operation)?.({
      method: request.method,
      target,
      headers: request.headers,
      body: request.body ?? new Uint8Array(0),
    });
    if (!read || 'unread' in read) {
      const why = read?.unread ?? 'the request';
      unread.set(why, (unread.get(why) ?? 0) + 1);
      continue;
    }
    observed.push({ ...mappedExchange, inputs: neutralInputs(read.inputs) });
  }
  return { observed, byKey, mapped, unread };
}

const INCOMPLETE_RESPONSE = 'the response is incomplete, and it is unknown which side closed the connection';

/** Keys of requests whose responses were incomplete each of several times: the service causes this. */
function alwaysIncomplete(
  exchanges: readonly ObservedExchange[],
  keyOf: (request: WireRequest) => string,
): ReadonlySet<string> {
  const counts = new Map<string, { incomplete: number; all: number }>();
  for (const { exchange } of exchanges) {
    const key = keyOf(exchange.request);
    const known = counts.get(key) ?? { incomplete: 0, all: 0 };
    known.all++;
    if (exchange.failure?.kind === 'truncated') known.incomplete++;
    counts.set(key, known);
  }
  return new Set([...counts].flatMap(([key, { incomplete, all }]) => (all > 1 && incomplete === all ? [key] : [])));
}

/** Whether the path of an operation contains a UPC. */
export const hasUpcInPath = (operation: OperationKey): boolean => operationOf(operation).path.includes('{upc}');
