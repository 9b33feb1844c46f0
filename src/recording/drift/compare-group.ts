/** Compares responses of one operation with the same status class and media type. */
import { isOperationKey, operationOf } from '../../contract/index.ts';
import type { ProfileData, ResponseProfile } from '../../profile/schema.ts';
import type { RecordedResponse } from '../format/recorded-exchange.ts';
import { type DifferenceKind, type DifferenceWithoutOperation, differenceAt, shorten } from './classes.ts';
import { compareHeaders } from './compare-headers.ts';
import { ShapeComparison } from './compare-shapes.ts';
import { readShape, storedBody } from './read-shape.ts';
import { bodyId, hasResponseBody } from './response-pairs.ts';
import { Shape } from './shape.ts';

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
export async function compareGroup(name: string, group: ResponseGroup, options: GroupOptions): Promise<void> {
  const { folders, profile, renameIds } = options;
  const prefix = group.statusClass === '2xx' ? '' : `${group.statusClass} `;
  const report = (difference: DifferenceWithoutOperation): void =>
    options.report({ ...difference, path: `${prefix}${difference.path}` });
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
  const comparison = new ShapeComparison({
    untyped,
    xml: isXml,
    createsIds,
    shorter: lengthOf(currentShape.shape) < lengthOf(recordedShape.shape),
    report,
  });
  if (comparison.reportDifferences(recordedShape.shape, currentShape.shape, isXml ? '' : '$')) return;
  const reordered = pairs.filter(([recorded, current]) => bodyId(recorded) !== bodyId(current)).length;
  if (reordered > 0 && currentShape.unreadable === 0) reportKind('order', `${reordered} of ${group.current.length}`);
}
