/** Headers of answers laid side by side. */

import { allHeaders } from '../../exchange/headers.ts';
import { isVolatileHeader } from '../../exchange/volatile-headers.ts';
import type { RecordedResponse } from '../format/recorded-exchange.ts';
import { type DifferenceKind, driftClassOf, short, type UnassignedDifference } from './classes.ts';
import { formatOf, isFamiliar } from './text-format.ts';
import { isGeneratedId } from './volatile-values.ts';

/** Matters of transport, of caches and of browsers: no client of the interface reads them to work. */
const TRANSPORT = new Set([
  'accept-ranges',
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-max-age',
  'alt-svc',
  'cache-control',
  'content-length',
  'content-security-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'permissions-policy',
  'pragma',
  'referrer-policy',
  'server',
  'set-cookie',
  'strict-transport-security',
  'trailer',
  'transfer-encoding',
  'vary',
  'via',
  'warning',
  'x-content-type-options',
  'x-frame-options',
  'x-powered-by',
  'x-xss-protection',
]);
/** Told by themselves. */
const OWN = new Set(['content-type', 'content-encoding', 'link']);
/** Made of the body. */
const OF_BODY = new Set(['etag', 'last-modified', 'content-md5', 'digest', 'content-digest', 'repr-digest']);

const isTransport = (name: string): boolean => isVolatileHeader(name) || TRANSPORT.has(name);

const found = (kind: DifferenceKind, path: string, count: string, was?: string, is?: string): UnassignedDifference => ({
  class: driftClassOf(kind),
  kind,
  path,
  count,
  ...(was !== undefined && { was: short(was) }),
  ...(is !== undefined && { is: short(is) }),
});

/** Relations a Link header names, as if each were a header. */
const relations = (value: string): string[] =>
  [...value.matchAll(/;\s*rel\s*=\s*"?([\w -]+)"?/g)].flatMap(([, rel = '']) => rel.trim().split(/\s+/));

interface Lines {
  count: number;
  readonly formats: Map<string, number>;
  readonly values: Set<string>;
  first: string;
}

const MOST_VALUES = 1000;

function linesOf(answers: readonly RecordedResponse[], rename?: (text: string) => string): Map<string, Lines> {
  const all = new Map<string, Lines>();
  for (const { headers } of answers) {
    const lines = new Map<string, string>();
    for (const [given, value] of headers) {
      const name = given.toLowerCase();
      if (name === 'link') for (const rel of relations(value)) lines.set(`link rel=${rel}`, '');
      else if (name !== 'content-encoding') lines.set(name, allHeaders(headers, name).join(', '));
    }
    for (const [name, said] of lines) {
      const value = rename?.(said) ?? said;
      const known = all.get(name) ?? { count: 0, formats: new Map(), values: new Set(), first: value };
      known.count++;
      known.formats.set(formatOf(value), (known.formats.get(formatOf(value)) ?? 0) + 1);
      if (known.values.size < MOST_VALUES) known.values.add(value);
      all.set(name, known);
    }
  }
  return all;
}

/** What became of the headers of paired answers. */
export function compareHeaders(
  was: readonly RecordedResponse[],
  is: readonly RecordedResponse[],
  { rename, mints }: { readonly rename?: ((text: string) => string) | undefined; readonly mints: boolean },
): UnassignedDifference[] {
  const [before, now] = [linesOf(was), linesOf(is, rename)];
  const told: UnassignedDifference[] = [];
  for (const name of new Set([...before.keys(), ...now.keys()])) {
    if (OWN.has(name)) continue;
    const [had, has] = [before.get(name), now.get(name)];
    const path = `header ${name}`;
    const transport = isTransport(name);
    if (!had && has)
      told.push(
        found(transport ? 'passing header' : 'new header', path, `${has.count} of ${is.length}`, undefined, has.first),
      );
    else if (had && (has?.count ?? 0) < had.count && had.count === was.length && !name.startsWith('link ')) {
      const gone = transport ? 'passing header' : 'header gone';
      told.push(found(gone, path, `${is.length - (has?.count ?? 0)} of ${is.length}`, had.first, 'nothing'));
    } else if (had && !has) {
      // What a last page lacks, the only page lacks, too.
      const kind = transport ? 'passing header' : had.count >= 2 ? 'header gone' : 'rarely';
      told.push(found(kind, path, `${had.count} of ${is.length}`, had.first, 'nothing'));
    } else if (had && has && !sameValues(had.values, has.values)) {
      const passes = transport || OF_BODY.has(name);
      const strange = [...has.formats].some(([format]) => !isFamiliar(format, had.formats, false));
      const [old, fresh] = [besides(had.values, has.values), besides(has.values, had.values)];
      const kind = passes || (mints && isGeneratedId(name)) ? 'passing header' : strange ? 'format' : 'value';
      told.push(found(kind, path, `${has.count} of ${is.length}`, old ?? had.first, fresh ?? has.first));
    }
  }
  return told;
}

const besides = (values: ReadonlySet<string>, others: ReadonlySet<string>): string | undefined =>
  [...values].find((each) => !others.has(each));

const sameValues = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((each) => other.has(each));
