/** From observed exchanges to what they ask for: which operation, with which inputs, and who asks. */
import { type Input, OPERATIONS, type OperationKey, operationOf } from '../../contract/index.ts';
import { firstHeader } from '../../exchange/headers.ts';
import { credentialQuery, requestReaderFor } from '../../exchange/read-request.ts';
import type { Exchange, WireRequest } from '../../exchange/types.ts';
import { VOLATILE_HEADERS } from '../../exchange/volatile-headers.ts';
import type { Profile } from '../../profile/schema.ts';
import type { Inputs, InputValue } from '../../profile/template.ts';
import { canonicalBody, canonicalQuery, canonicalTarget } from '../../recording/format/request-key.ts';

/** An exchange that somebody else’s client had with the service. */
export interface ObservedExchange {
  /** Names it in findings, e.g. `entries[12]`. */
  readonly id: string;
  readonly exchange: Exchange;
  /** When it began and ended, in ms since 1970; absent where nobody wrote it down. */
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** The lane of a recording it stands in: sequences of their own. */
  readonly lane?: string;
}

/** What was observed of one service, in the order of time as far as that is known. */
export interface ObservedTraffic {
  /** The base address: origin and base path. */
  readonly base: string;
  readonly witnessed: readonly ObservedExchange[];
  /** The service’s data cannot have changed meanwhile: the simulator’s clock stands still. */
  readonly isStill: boolean;
}

/** An exchange whose request was read back. */
export interface Observed extends ObservedExchange {
  readonly operation: OperationKey;
  /** What was asked for; windows are numbers, all else texts. */
  readonly inputs: Inputs;
  /** Its place in the traffic. */
  readonly order: number;
  /** Equal for requests that ask for the same. */
  readonly key: string;
  /** Equal for requests that come with the same credentials, language and the like. */
  readonly client: string;
}

export interface MappedTraffic {
  readonly observed: readonly Observed[];
  /** Every exchange with the service by its key, whether it is for an operation or not. */
  readonly byKey: ReadonlyMap<string, readonly Observed[]>;
  /** How many are for an operation of the document. */
  readonly mapped: number;
  /** Why requests for operations could not be read back, with counts. */
  readonly unread: ReadonlyMap<string, number>;
}

/** Headers that neither tell who asks nor change what is answered. */
const NEUTRAL = new Set([
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
/** Headers a client draws anew for each request. */
const DRAWN = /^sec-|trace|^x-b3-|request-?id|correlation|span-?id|timestamp|nonce|^x-client-data$/i;

/** @param carrying headers that carry inputs: they tell what is asked for */
const clientOf = (request: WireRequest, carrying: readonly string[]): string =>
  request.headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !NEUTRAL.has(name) && !DRAWN.test(name) && !carrying.includes(name))
    .map(([name, value]) => `${name}: ${value}`)
    .sort()
    .join('\n');

/** Path and query of an absolute URL, byte for byte. */
export const targetIn = (url: string): string => /^[^/?#]*\/\/[^/?#]*([^#]*)/.exec(url)?.[1] || '/';

/** What tells a request from others; the same function names what is sought and what was seen. */
export function observedKeyOf(
  { method, url, headers, body }: WireRequest,
  withoutQuery: readonly string[],
  inputHeaders: readonly string[],
): string {
  const target = canonicalTarget(targetIn(url), withoutQuery);
  const carried = inputHeaders.map((name) => `${name}: ${firstHeader(headers, name) ?? ''}`);
  return [
    `${method} ${target}`,
    ...carried,
    canonicalBody(body ?? new Uint8Array(0), firstHeader(headers, 'content-type')),
  ].join('\n');
}

/** Headers that requests to some operation carry by the profile’s templates, in lower case. */
function templateHeaders(profile: Profile): string[] {
  const names = Object.values(profile.data.operations ?? {}).flatMap((each) =>
    Object.keys(each?.request?.headers ?? {}),
  );
  return [...new Set(names.map((name) => name.toLowerCase()))].sort();
}

/** A function that gives the key of a request under a profile. */
export function keyer(profile: Profile): (request: WireRequest) => string {
  const without = credentialQuery(profile);
  const names = templateHeaders(profile);
  return (request) => observedKeyOf(request, without, names);
}

/** Credentials in a query are part of who asks. */
const credentialsIn = (url: string, names: readonly string[]): string => {
  if (names.length === 0) return '';
  const query = new URLSearchParams(targetIn(url).split('?').slice(1).join('?'));
  return canonicalQuery(new URLSearchParams([...query].filter(([name]) => names.includes(name))).toString());
};

/** Inputs as rules have them: a window is a number of weeks. */
const neutral = (inputs: { readonly [I in Input]?: string }): Inputs =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, value]): [string, InputValue] => [
      name,
      name === 'window' && /^\d{1,3}$/.test(value) ? Number(value) : value,
    ]),
  );

/** Tells for every exchange which operation it asks for, and reads its request back. */
export function mapTraffic({ base, witnessed }: ObservedTraffic, profile: Profile): MappedTraffic {
  const basePath = targetIn(base).replace(/\/$/, '');
  const readers = new Map(OPERATIONS.map(({ key }) => [key, requestReaderFor(profile, key)]));
  const find = finder(profile);
  const keyed = keyer(profile);
  const secret = credentialQuery(profile);
  const carrying = templateHeaders(profile);
  const observed: Observed[] = [];
  const byKey = new Map<string, Observed[]>();
  const unread = new Map<string, number>();
  let mapped = 0;
  const broken = brokenOff(witnessed, keyed);
  for (const [order, each] of witnessed.entries()) {
    const { request } = each.exchange;
    const whole = targetIn(request.url);
    const key = keyed(request);
    const client = [each.lane ?? '', clientOf(request, carrying), credentialsIn(request.url, secret)].join('\n');
    const target = whole.startsWith(`${basePath}/`) ? whole.slice(basePath.length) : undefined;
    const operation = target === undefined ? undefined : find(request.method, target);
    const known: Observed = {
      ...each,
      operation: operation ?? 'GET /webservices/testService',
      inputs: {},
      order,
      key,
      client,
    };
    byKey.set(key, [...(byKey.get(key) ?? []), known]);
    if (!operation || target === undefined) continue;
    mapped++;
    if (each.exchange.failure && !broken.has(key)) {
      unread.set(BROKEN_OFF, (unread.get(BROKEN_OFF) ?? 0) + 1);
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
    observed.push({ ...known, inputs: neutral(read.inputs) });
  }
  return { observed, byKey, mapped, unread };
}

const BROKEN_OFF = 'the answer broke off, and nobody can tell who ended it';

/** Requests whose answers always broke off, each time they were asked: that is the service’s doing. */
function brokenOff(
  witnessed: readonly ObservedExchange[],
  keyed: (request: WireRequest) => string,
): ReadonlySet<string> {
  const times = new Map<string, { broken: number; all: number }>();
  for (const { exchange } of witnessed) {
    const key = keyed(exchange.request);
    const known = times.get(key) ?? { broken: 0, all: 0 };
    known.all++;
    if (exchange.failure?.kind === 'truncated') known.broken++;
    times.set(key, known);
  }
  return new Set([...times].flatMap(([key, { broken, all }]) => (all > 1 && broken === all ? [key] : [])));
}

/** Finds the operation of a method and target below the base path. */
function finder({ data: { prefixes } }: Profile): (method: string, target: string) => OperationKey | undefined {
  const shapes = OPERATIONS.map(({ key, method, group, path }) => ({
    key,
    method,
    shape: new RegExp(
      `^${`${prefixes?.[key] ?? prefixes?.[group] ?? ''}${path}`.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace('{upc}', '[^/]*')}$`,
    ),
  }));
  return (method, target) => {
    const [path = ''] = target.split('?', 1);
    return shapes.find((each) => each.method === method && each.shape.test(path))?.key;
  };
}

/** Whether an operation’s path carries an input. */
export const carriesUpc = (operation: OperationKey): boolean => operationOf(operation).path.includes('{upc}');
