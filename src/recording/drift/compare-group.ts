/** Compares responses of one operation with the same status class and media type. */
import { isOperationKey, operationOf } from '../../contract/index.ts';
import { allHeaders } from '../../exchange/headers.ts';
import type { ProfileData, ResponseProfile } from '../../profile/schema.ts';
import type { RecordedResponse } from '../format/recorded-exchange.ts';
import { BODY_DIGEST_HEADERS, isVolatileHeader } from '../format/volatile-headers.ts';
import { type DifferenceKind, type DifferenceWithoutOperation, differenceAt, shorten } from './classes.ts';
import { compareShapes } from './compare-shapes.ts';
import { bodyId, hasResponseBody } from './pair-requests.ts';
import { readShape, storedBody } from './read-shape.ts';
import { Shape } from './shape.ts';
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

/** What the kinds of header differences depend on. */
interface HeaderComparison {
  readonly name: string;
  /** The numbers of responses. */
  readonly all: { readonly before: number; readonly now: number };
  /** Whether responses hold newly issued ids. */
  readonly createsIds: boolean;
}

/** The difference of one header, which at least one side has. */
function headerDifference(
  before: HeaderValues | undefined,
  now: HeaderValues | undefined,
  { name, all, createsIds }: HeaderComparison,
): DifferenceWithoutOperation | undefined {
  const isPassing = isVolatileHeader(name) || TRANSPORT.has(name);
  const report = (kind: DifferenceKind, count: number, was?: string, is?: string): DifferenceWithoutOperation =>
    differenceAt(isPassing ? 'passing header' : kind, `header ${name}`, `${count} of ${all.now}`, was, is);
  if (!before) return now && report('new header', now.count, undefined, now.first);
  const count = now?.count ?? 0;
  if (count < before.count && before.count === all.before && !name.startsWith('link '))
    return report('header gone', all.now - count, before.first, 'nothing');
  // A header that the last page lacks is also missing if there is only one page.
  if (!now) return report(before.count >= 2 ? 'header gone' : 'rarely', before.count, before.first, 'nothing');
  const [removed, added] = [missingFrom(before.values, now.values), missingFrom(now.values, before.values)];
  if (removed === undefined && added === undefined) return undefined;
  const isNew = [...now.formats].some(([format]) => !isFamiliar(format, before.formats, false));
  const isIssued = changesWithBody(name) || (createsIds && isGeneratedId(name));
  const kind = isIssued ? 'passing header' : isNew ? 'format' : 'value';
  return report(kind, now.count, removed ?? before.first, added ?? now.first);
}

/** The differences between the headers of two groups of responses. */
function compareHeaders(
  recorded: readonly RecordedResponse[],
  current: readonly RecordedResponse[],
  {
    renameIds,
    createsIds,
  }: { readonly renameIds?: ((text: string) => string) | undefined; readonly createsIds: boolean },
): DifferenceWithoutOperation[] {
  const [before, now] = [headerValuesOf(recorded), headerValuesOf(current, renameIds)];
  const all = { before: recorded.length, now: current.length };
  return [...new Set([...before.keys(), ...now.keys()])]
    .filter((name) => !COMPARED_ELSEWHERE.has(name))
    .flatMap((name) => headerDifference(before.get(name), now.get(name), { name, all, createsIds }) ?? []);
}

const missingFrom = (values: ReadonlySet<string>, others: ReadonlySet<string>): string | undefined =>
  [...values].find((each) => !others.has(each));

/** Responses of both recordings, those of pairs first. */
export interface ResponseGroup {
  readonly statusClass: string;
  readonly type: string;
  readonly recorded: readonly RecordedResponse[];
  readonly current: readonly RecordedResponse[];
  readonly pairs: readonly (readonly [recorded: RecordedResponse, current: RecordedResponse])[];
}

export interface GroupOptions {
  /** The folders of the two recordings. */
  readonly folders: readonly [recorded: string, current: string];
  readonly profile: ProfileData;
  /** Replaces ids that the service issued anew by the recorded ones. */
  readonly renameIds?: ((text: string) => string) | undefined;
  readonly report: (difference: DifferenceWithoutOperation) => void;
}

interface CommonShape {
  readonly shape: Shape;
  readonly bodies: number;
  readonly unreadable: number;
  /** Why the last of the unreadable bodies cannot be read. */
  readonly reason: string;
}

/** The common shape of all bodies of one recording. */
async function readCommonShape(
  responses: readonly RecordedResponse[],
  folder: string,
  responseProfile: ResponseProfile | undefined,
  renameIds?: (text: string) => string,
): Promise<CommonShape> {
  const shape = new Shape();
  let [bodies, unreadable, reason] = [0, 0, ''];
  for (const response of responses) {
    const { body } = response;
    if (!body || !hasResponseBody(response)) continue;
    bodies++;
    const part = new Shape();
    const reading = { media: responseProfile?.media, delimiter: responseProfile?.csv?.delimiter, renameIds };
    const problem = await readShape({ head: response, body: storedBody(folder, body), ...reading }, part);
    if (problem === undefined) shape.merge(part);
    else {
      unreadable++;
      reason = problem;
    }
  }
  return { shape, bodies, unreadable, reason };
}

/** The number of items in the outermost lists. */
const lengthOf = ({ items, total, members }: Shape): number =>
  items
    ? total
    : [...members.values()].reduce(
        (sum, { repeated, shape }) => sum + (repeated > 0 ? shape.occurrences : lengthOf(shape)),
        0,
      );

/** Reports the differences of headers and bodies. @param name operation key, or method and path */
export async function compareGroup(
  name: string,
  group: ResponseGroup,
  { folders, profile, renameIds, report: reportAt }: GroupOptions,
): Promise<void> {
  const prefix = group.statusClass === '2xx' ? '' : `${group.statusClass} `;
  const report = (difference: DifferenceWithoutOperation): void =>
    reportAt({ ...difference, path: `${prefix}${difference.path}` });
  const reportKind = (kind: DifferenceKind, count: string): void => report(differenceAt(kind, 'body', count));
  const operation = isOperationKey(name) ? operationOf(name) : undefined;
  // The operation creates resources with new ids.
  const createsIds = operation?.group === 'A' && operation.method === 'POST';
  for (const difference of compareHeaders(group.recorded, group.current, { renameIds, createsIds })) report(difference);

  const { pairs } = group;
  const removed = pairs.filter(([recorded, current]) => hasResponseBody(recorded) && !hasResponseBody(current)).length;
  const added = pairs.filter(([recorded, current]) => !hasResponseBody(recorded) && hasResponseBody(current)).length;
  if (removed > 0) reportKind('body gone', `${removed} of ${group.current.length}`);
  else if (added > 0) reportKind('new body', `${added} of ${group.current.length}`);

  const responseProfile = operation && profile.operations?.[operation.key]?.response;
  const [recordedShape, currentShape] = [
    await readCommonShape(group.recorded, folders[0], responseProfile),
    await readCommonShape(group.current, folders[1], responseProfile, renameIds),
  ];
  if (recordedShape.bodies === 0 || currentShape.bodies === 0) return;
  if (currentShape.unreadable > 0 && recordedShape.unreadable === 0)
    report({
      ...differenceAt('unreadable', 'body', `${currentShape.unreadable} of ${currentShape.bodies}`),
      is: shorten(currentShape.reason, 100),
    });
  const isXml = responseProfile?.media === 'xml' || (responseProfile?.media === undefined && /xml/.test(group.type));
  const untyped = isXml || responseProfile?.media === 'csv' || /csv|tab-separated/.test(group.type);
  const shorter = lengthOf(currentShape.shape) < lengthOf(recordedShape.shape);
  const options = { untyped, xml: isXml, createsIds, shorter, report };
  if (compareShapes(recordedShape.shape, currentShape.shape, isXml ? '' : '$', options)) return;
  const reordered = pairs.filter(([recorded, current]) => bodyId(recorded) !== bodyId(current)).length;
  if (reordered > 0 && currentShape.unreadable === 0) reportKind('order', `${reordered} of ${group.current.length}`);
}
