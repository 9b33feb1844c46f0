/** Compares responses of one operation with the same status class and media type. */
import { isOperationKey, operationOf } from '../../contract/index.ts';
import type { ProfileData, ResponseProfile } from '../../profile/schema.ts';
import type { RecordedResponse } from '../format/recorded-exchange.ts';
import { type DifferenceKind, driftClassOf, short, type UnassignedDifference } from './classes.ts';
import { compareHeaders } from './compare-headers.ts';
import { ShapeComparison } from './compare-shapes.ts';
import { readShape, storedBody } from './read-shape.ts';
import { bodyId, hasResponseBody } from './response-pairs.ts';
import { Shape } from './shape.ts';

export interface ResponseGroup {
  readonly family: string;
  readonly type: string;
  readonly was: RecordedResponse[];
  readonly is: RecordedResponse[];
  /** How many of them are pairs, at the same index of both lists; pairs come first. */
  paired: number;
}

export interface GroupOptions {
  /** The folders of the two recordings. */
  readonly folders: readonly [was: string, is: string];
  readonly profile: ProfileData;
  readonly rename?: ((text: string) => string) | undefined;
  readonly report: (found: UnassignedDifference) => void;
}

interface Side {
  readonly shape: Shape;
  readonly bodies: number;
  readonly broken: number;
  /** Why the last of the unreadable bodies cannot be read. */
  readonly why: string;
}

/** The common shape of all bodies of one side. */
async function readSide(
  responses: readonly RecordedResponse[],
  folder: string,
  own: ResponseProfile | undefined,
  rename?: (text: string) => string,
): Promise<Side> {
  const shape = new Shape();
  let [bodies, broken, why] = [0, 0, ''];
  for (const response of responses) {
    const { body } = response;
    if (!body || !hasResponseBody(response)) continue;
    bodies++;
    const part = new Shape();
    const reading = { media: own?.media, delimiter: own?.csv?.delimiter, rename };
    const problem = await readShape({ head: response, body: storedBody(folder, body), ...reading }, part);
    if (problem === undefined) shape.merge(part);
    else {
      broken++;
      why = problem;
    }
  }
  return { shape, bodies, broken, why };
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
  const prefix = group.family === '2xx' ? '' : `${group.family} `;
  const report = (found: UnassignedDifference): void => options.report({ ...found, path: `${prefix}${found.path}` });
  const reportKind = (kind: DifferenceKind, count: string, is?: string): void =>
    report({ class: driftClassOf(kind), kind, path: 'body', count, ...(is !== undefined && { is }) });
  const operation = isOperationKey(name) ? operationOf(name) : undefined;
  const issuesIds = operation?.group === 'A' && operation.method === 'POST';
  for (const found of compareHeaders(group.was, group.is, { rename, issuesIds })) report(found);

  const pairs = group.was.slice(0, group.paired).map((was, at) => [was, group.is[at] as RecordedResponse] as const);
  const gone = pairs.filter(([was, is]) => hasResponseBody(was) && !hasResponseBody(is)).length;
  const more = pairs.filter(([was, is]) => !hasResponseBody(was) && hasResponseBody(is)).length;
  if (gone > 0) reportKind('body gone', `${gone} of ${group.is.length}`);
  else if (more > 0) reportKind('new body', `${more} of ${group.is.length}`);

  const own = operation && profile.operations?.[operation.key]?.response;
  const [before, now] = [await readSide(group.was, folders[0], own), await readSide(group.is, folders[1], own, rename)];
  if (before.bodies === 0 || now.bodies === 0) return;
  if (now.broken > 0 && before.broken === 0)
    reportKind('unreadable', `${now.broken} of ${now.bodies}`, short(now.why, 100));
  const isXml = own?.media === 'xml' || (own?.media === undefined && /xml/.test(group.type));
  const untyped = isXml || own?.media === 'csv' || /csv|tab-separated/.test(group.type);
  const comparison = new ShapeComparison({
    untyped,
    xml: isXml,
    issuesIds,
    shorter: lengthOf(now.shape) < lengthOf(before.shape),
    report,
  });
  if (comparison.shapes(before.shape, now.shape, isXml ? '' : '$')) return;
  const other = pairs.filter(([was, is]) => bodyId(was) !== bodyId(is)).length;
  if (other > 0 && now.broken === 0) reportKind('order', `${other} of ${group.is.length}`);
}
