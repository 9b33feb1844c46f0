/** Compares response headers. */

import { allHeaders } from '../../exchange/headers.ts';
import { BODY_DIGEST_HEADERS, isVolatileHeader } from '../../exchange/volatile-headers.ts';
import type { RecordedResponse } from '../format/recorded-exchange.ts';
import { type DifferenceKind, type DifferenceWithoutOperation, driftClassOf, shorten } from './classes.ts';
import { formatOf, isFamiliar } from './text-format.ts';
import { isGeneratedId } from './volatile-values.ts';

/** Headers of transport, caches and browsers, which clients of the interface do not read. */
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
/** Headers that are compared elsewhere. */
const COMPARED_ELSEWHERE = new Set(['content-type', 'content-encoding', 'link']);
/** Headers that differ if the body differs. */
const changesWithBody = (name: string): boolean => BODY_DIGEST_HEADERS.has(name) || name === 'last-modified';

const isTransport = (name: string): boolean => isVolatileHeader(name) || TRANSPORT.has(name);

const differenceOf = (
  kind: DifferenceKind,
  path: string,
  count: string,
  was?: string,
  is?: string,
): DifferenceWithoutOperation => ({
  class: driftClassOf(kind),
  kind,
  path,
  count,
  ...(was !== undefined && { was: shorten(was) }),
  ...(is !== undefined && { is: shorten(is) }),
});

/** The relations of a Link header; each is compared like a header. */
const relations = (value: string): string[] =>
  [...value.matchAll(/;\s*rel\s*=\s*"?([\w -]+)"?/g)].flatMap(([, rel = '']) => rel.trim().split(/\s+/));

interface HeaderValues {
  count: number;
  readonly formats: Map<string, number>;
  readonly values: Set<string>;
  first: string;
}

const MAX_VALUES = 1000;

function headerValuesOf(
  responses: readonly RecordedResponse[],
  renameIds?: (text: string) => string,
): Map<string, HeaderValues> {
  const all = new Map<string, HeaderValues>();
  for (const { headers } of responses) {
    const lines = new Map<string, string>();
    for (const [rawName, value] of headers) {
      const name = rawName.toLowerCase();
      if (name === 'link') for (const rel of relations(value)) lines.set(`link rel=${rel}`, '');
      else if (name !== 'content-encoding') lines.set(name, allHeaders(headers, name).join(', '));
    }
    for (const [name, rawName] of lines) {
      const value = renameIds?.(rawName) ?? rawName;
      const known = all.get(name) ?? { count: 0, formats: new Map(), values: new Set(), first: value };
      known.count++;
      known.formats.set(formatOf(value), (known.formats.get(formatOf(value)) ?? 0) + 1);
      if (known.values.size < MAX_VALUES) known.values.add(value);
      all.set(name, known);
    }
  }
  return all;
}

/** The differences between the headers of two groups of responses. */
export function compareHeaders(
  recorded: readonly RecordedResponse[],
  current: readonly RecordedResponse[],
  {
    renameIds,
    createsIds,
  }: { readonly renameIds?: ((text: string) => string) | undefined; readonly createsIds: boolean },
): DifferenceWithoutOperation[] {
  const [before, now] = [headerValuesOf(recorded), headerValuesOf(current, renameIds)];
  const differences: DifferenceWithoutOperation[] = [];
  for (const name of new Set([...before.keys(), ...now.keys()])) {
    if (COMPARED_ELSEWHERE.has(name)) continue;
    const [recordedHeader, currentHeader] = [before.get(name), now.get(name)];
    const path = `header ${name}`;
    const transport = isTransport(name);
    if (!recordedHeader && currentHeader)
      differences.push(
        differenceOf(
          transport ? 'passing header' : 'new header',
          path,
          `${currentHeader.count} of ${current.length}`,
          undefined,
          currentHeader.first,
        ),
      );
    else if (
      recordedHeader &&
      (currentHeader?.count ?? 0) < recordedHeader.count &&
      recordedHeader.count === recorded.length &&
      !name.startsWith('link ')
    ) {
      const gone = transport ? 'passing header' : 'header gone';
      differences.push(
        differenceOf(
          gone,
          path,
          `${current.length - (currentHeader?.count ?? 0)} of ${current.length}`,
          recordedHeader.first,
          'nothing',
        ),
      );
    } else if (recordedHeader && !currentHeader) {
      // A header that the last page lacks is also missing if there is only one page.
      const kind = transport ? 'passing header' : recordedHeader.count >= 2 ? 'header gone' : 'rarely';
      differences.push(
        differenceOf(kind, path, `${recordedHeader.count} of ${current.length}`, recordedHeader.first, 'nothing'),
      );
    } else if (recordedHeader && currentHeader && !sameValues(recordedHeader.values, currentHeader.values)) {
      const isVolatile = transport || changesWithBody(name);
      const isUnknownFormat = [...currentHeader.formats].some(
        ([format]) => !isFamiliar(format, recordedHeader.formats, false),
      );
      const [removed, added] = [
        valueMissingFrom(recordedHeader.values, currentHeader.values),
        valueMissingFrom(currentHeader.values, recordedHeader.values),
      ];
      const kind =
        isVolatile || (createsIds && isGeneratedId(name)) ? 'passing header' : isUnknownFormat ? 'format' : 'value';
      differences.push(
        differenceOf(
          kind,
          path,
          `${currentHeader.count} of ${current.length}`,
          removed ?? recordedHeader.first,
          added ?? currentHeader.first,
        ),
      );
    }
  }
  return differences;
}

const valueMissingFrom = (values: ReadonlySet<string>, others: ReadonlySet<string>): string | undefined =>
  [...values].find((each) => !others.has(each));

const sameValues = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((each) => other.has(each));
