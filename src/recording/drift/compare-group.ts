/** Compares responses of one operation with the same status class and media type. */
import { isOperationKey, operationOf } from '../../contract/index.ts';
import type { ProfileData, ResponseProfile } from '../../profile/schema.ts';
import type { RecordedResponse } from '../format/recorded-exchange.ts';
import { type DifferenceKind, driftClassOf, shorten, type UnassignedDifference } from './classes.ts';
import { compareHeaders } from './compare-headers.ts';
import { ShapeComparison } from './compare-shapes.ts';
import { readShape, storedBody } from './read-shape.ts';
import { bodyId, hasResponseBody } from './response-pairs.ts';
import { Shape } from './shape.ts';

export interface ResponseGroup {
  readonly statusClass: string;
  readonly type: string;
  readonly recorded: RecordedResponse[];
  readonly current: RecordedResponse[];
  /** How many of them are pairs, at the same index of both lists; pairs come first. */
  paired: number;
}

export interface GroupOptions {
  /** The folders of the two recordings. */
  readonly folders: readonly [recorded: string, current: string];
  readonly profile: ProfileData;
  readonly rename?: ((text: string) => string) | undefined;
  readonly report: (difference: UnassignedDifference) => void;
}

interface SideShape {
  readonly shape: Shape;
  readonly bodies: number;
  readonly unreadable: number;
  /** Why the last of the unreadable bodies cannot be read. */
  readonly reason: string;
}

/** The common shape of all bodies of one side. */
async function readSide(
  responses: readonly RecordedResponse[],
  folder: string,
  responseProfile: ResponseProfile | undefined,
  rename?: (text: string) => string,
): Promise<SideShape> {
  const shape = new Shape();
  let [bodies, unreadable, reason] = [0, 0, ''];
  for (const response of responses) {
    const { body } = response;
    if (!body || !hasResponseBody(response)) continue;
    bodies++;
    const part = new Shape();
    const reading = { media: responseProfile?.media, delimiter: responseProfile?.csv?.delimiter, rename };
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
        (sum, { repeated, shape }) => sum + (repeated > 0 ? shape.seen : lengthOf(shape)),
        0,
      );

/** Reports the differences of headers and bodies. @param name of the requests, from `nameOf` */
export async function compareGroup(name: string, group: ResponseGroup, options: GroupOptions): Promise<void> {
  const { folders, profile, rename } = options;
  const prefix = group.statusClass === '2xx' ? '' : `${group.statusClass} `;
  const report = (difference: UnassignedDifference): void =>
    options.report({ ...difference, path: `${prefix}${difference.path}` });
  const reportKind = (kind: DifferenceKind, count: string, current?: string): void =>
    report({ class: driftClassOf(kind), kind, path: 'body', count, ...(current !== undefined && { is: current }) });
  const operation = isOperationKey(name) ? operationOf(name) : undefined;
  const issuesIds = operation?.group === 'A' && operation.method === 'POST';
  for (const difference of compareHeaders(group.recorded, group.current, { rename, issuesIds })) report(difference);

  const pairs = group.recorded
    .slice(0, group.paired)
    .map((recorded, at) => [recorded, group.current[at] as RecordedResponse] as const);
  const removed = pairs.filter(([recorded, current]) => hasResponseBody(recorded) && !hasResponseBody(current)).length;
  const added = pairs.filter(([recorded, current]) => !hasResponseBody(recorded) && hasResponseBody(current)).length;
  if (removed > 0) reportKind('body gone', `${removed} of ${group.current.length}`);
  else if (added > 0) reportKind('new body', `${added} of ${group.current.length}`);

  const responseProfile = operation && profile.operations?.[operation.key]?.response;
  const [before, now] = [
    await readSide(group.recorded, folders[0], responseProfile),
    await readSide(group.current, folders[1], responseProfile, rename),
  ];
  if (before.bodies === 0 || now.bodies === 0) return;
  if (now.unreadable > 0 && before.unreadable === 0)
    reportKind('unreadable', `${now.unreadable} of ${now.bodies}`, shorten(now.reason, 100));
  const isXml = responseProfile?.media === 'xml' || (responseProfile?.media === undefined && /xml/.test(group.type));
  const untyped = isXml || responseProfile?.media === 'csv' || /csv|tab-separated/.test(group.type);
  const comparison = new ShapeComparison({
    untyped,
    xml: isXml,
    issuesIds,
    shorter: lengthOf(now.shape) < lengthOf(before.shape),
    report,
  });
  if (comparison.shapes(before.shape, now.shape, isXml ? '' : '$')) return;
  const reordered = pairs.filter(([recorded, current]) => bodyId(recorded) !== bodyId(current)).length;
  if (reordered > 0 && now.unreadable === 0) reportKind('order', `${reordered} of ${group.current.length}`);
}
