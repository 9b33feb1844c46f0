/**
 * A dialect made from a profile: requests are read by its templates turned round, answers written where its selectors
 * read. docs/simulator.md says what of a profile can be turned round.
 */
import { OPERATIONS, type Operation } from '../../../src/contract/index.ts';
import { isImplemented } from '../../../src/profile/filled-openings.ts';
import type { ReadInputs } from '../../../src/profile/read-back/request-reader.ts';
import type { Profile } from '../../../src/profile/schema.ts';
import type { Query, Refused } from '../../model/types.ts';
import type { World } from '../../model/world.ts';
import type { Dialect, DialectRequest } from '../types.ts';
import { carriesCredentials, challengeOf, schemesOf } from './check-credentials.ts';
import { createAliases } from './example-aliases.ts';
import { findUnwritable } from './find-unwritable.ts';
import { localiseWorld } from './localise-world.ts';
import { codecOf, type OperationCodec } from './operation-codec.ts';
import { windowOf } from './paging.ts';
import type { Unwritable } from './unwritable.ts';
import { refuse, writeAnswer } from './write.ts';

/** A profile that cannot be spoken; the message names every part that lies outside, one a line. */
export class OutsideSubset extends Error {
  constructor(source: string, outside: readonly Unwritable[]) {
    const lines = outside.map(({ key, why }) => `  ${key}: ${why}`);
    super(
      `${source} can be judged with, but not simulated as a whole; outside what can be written (node_modules/mdwi-conformance/docs/simulator.md):\n${lines.join('\n')}`,
    );
  }
}

const malformed = (detail: string): Refused => ({ kind: 'refused', reason: 'malformed', detail });

/** Inputs as the world takes them; pages are cut when the answer is written. */
function queryOf(
  { page: _p, offset: _o, cursor: _c, pageSize: _s, window, ...names }: ReadInputs,
  upc: string | undefined,
): Query {
  return {
    ...names,
    ...(window !== undefined && { window: /^\d{1,3}$/.test(window) ? Number(window) : Number.NaN }),
    ...(upc !== undefined && { upc }),
  };
}

/**
 * The dialect of a profile.
 *
 * @example startSimulator({ dialect: dialectOf(await loadProfile('acme.yaml')) })
 * @throws OutsideSubset when a part of the profile cannot be turned round
 */
export function dialectOf(profile: Profile): Dialect {
  const { data, source } = profile;
  const all = new Map<string, OperationCodec>(OPERATIONS.map((each) => [each.key, codecOf(profile, each)]));
  const outside = findUnwritable(profile, all);
  if (outside.length > 0) throw new OutsideSubset(source, outside);
  const schemes = schemesOf(data);
  const prefixOf = ({ key, group }: Operation): string => data.prefixes?.[key] ?? data.prefixes?.[group] ?? '';

  const read = (request: DialectRequest & { readonly operation: Operation }): Query | Refused => {
    const { operation, upc } = request;
    if (!data.authExcept?.includes(operation.key) && !carriesCredentials(request, schemes))
      return { kind: 'refused', reason: 'unauthorized', detail: 'the credentials of the profile are needed' };
    const parts = all.get(operation.key) as OperationCodec;
    const inputs = parts.read(request);
    if (!inputs)
      return { kind: 'refused', reason: 'unreadable', detail: 'the request is not as the profile writes it' };
    if (parts.needsWindow && inputs.window === undefined)
      return { kind: 'refused', reason: 'missing', input: 'window', detail: 'the window is needed' };
    if (parts.paging && !windowOf(parts.paging, inputs, request)) return malformed('there is no such page');
    return queryOf(inputs, upc);
  };
  return {
    name: data.name,
    read,
    write(answer, request) {
      if (answer.kind === 'refused' && answer.reason === 'unauthorized') {
        const reply = refuse(answer, request.operation && all.get(request.operation.key)?.statuses);
        return { ...reply, headers: { ...reply.headers, 'www-authenticate': challengeOf(schemes) } };
      }
      const parts = request.operation && all.get(request.operation.key);
      if (!parts) return refuse(answer);
      const address = request.base + prefixOf(parts.operation) + request.path;
      return writeAnswer(answer, parts, request, address);
    },
    locate: (path) => locate(path, profile, prefixOf),
    localiseWorld(world: World) {
      const aliases = createAliases(data, world);
      if (aliases.lacking.length > 0) throw new OutsideSubset(source, aliases.lacking);
      return localiseWorld(data, world, aliases);
    },
  };
}

/** The documented path behind a prefix; empty where the profile implements nothing there. */
function locate(path: string, profile: Profile, prefixOf: (operation: Operation) => string): string {
  const prefixes = [...new Set(OPERATIONS.map(prefixOf))].toSorted((x, y) => y.length - x.length);
  const prefix = prefixes.find((each) => path.startsWith(`${each}/`));
  if (prefix === undefined) return '';
  const rest = path.slice(prefix.length);
  const above = rest.slice(0, rest.lastIndexOf('/'));
  const documented = OPERATIONS.filter((each) => each.path === rest || each.path === `${above}/{upc}`);
  const served = documented.filter((each) => prefixOf(each) === prefix && isImplemented(profile, each.key));
  return documented.length > 0 && served.length === 0 ? '' : rest;
}
