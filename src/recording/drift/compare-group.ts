/** Answers of one operation that may be laid side by side: of one family of statuses, and one media type. */
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
  /** How many of them stand in pairs, in the same places of both lists; they come first. */
  paired: number;
}

export interface GroupOptions {
  /** The folders of the two recordings. */
  readonly folders: readonly [was: string, is: string];
  readonly profile: ProfileData;
  readonly rename?: ((text: string) => string) | undefined;
  readonly tell: (found: UnassignedDifference) => void;
}

interface Side {
  readonly shape: Shape;
  readonly bodies: number;
  readonly broken: number;
  /** Why the last of the broken ones cannot be read. */
  readonly why: string;
}

/** The shape all bodies of one side have in common. */
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

/** How many items the outermost lists hold. */
const lengthOf = ({ items, total, members }: Shape): number =>
  items
    ? total
    : [...members.values()].reduce(
        (sum, { repeated, shape }) => sum + (repeated > 0 ? shape.seen : lengthOf(shape)),
        0,
      );

/** Tells what became of headers and bodies. @param name as `nameOf` calls the requests */
export async function compareGroup(name: string, heap: ResponseGroup, options: GroupOptions): Promise<void> {
  const { folders, profile, rename } = options;
  const prefix = heap.family === '2xx' ? '' : `${heap.family} `;
  const tell = (found: UnassignedDifference): void => options.tell({ ...found, path: `${prefix}${found.path}` });
  const tellKind = (kind: DifferenceKind, count: string, is?: string): void =>
    tell({ class: driftClassOf(kind), kind, path: 'body', count, ...(is !== undefined && { is }) });
  const operation = isOperationKey(name) ? operationOf(name) : undefined;
  const mints = operation?.group === 'A' && operation.method === 'POST';
  for (const found of compareHeaders(heap.was, heap.is, { rename, mints })) tell(found);

  const pairs = heap.was.slice(0, heap.paired).map((was, at) => [was, heap.is[at] as RecordedResponse] as const);
  const gone = pairs.filter(([was, is]) => hasResponseBody(was) && !hasResponseBody(is)).length;
  const more = pairs.filter(([was, is]) => !hasResponseBody(was) && hasResponseBody(is)).length;
  if (gone > 0) tellKind('body gone', `${gone} of ${heap.is.length}`);
  else if (more > 0) tellKind('new body', `${more} of ${heap.is.length}`);

  const own = operation && profile.operations?.[operation.key]?.response;
  const [before, now] = [await readSide(heap.was, folders[0], own), await readSide(heap.is, folders[1], own, rename)];
  if (before.bodies === 0 || now.bodies === 0) return;
  if (now.broken > 0 && before.broken === 0)
    tellKind('unreadable', `${now.broken} of ${now.bodies}`, short(now.why, 100));
  const isXml = own?.media === 'xml' || (own?.media === undefined && /xml/.test(heap.type));
  const untyped = isXml || own?.media === 'csv' || /csv|tab-separated/.test(heap.type);
  const comparison = new ShapeComparison({
    untyped,
    xml: isXml,
    mints,
    shorter: lengthOf(now.shape) < lengthOf(before.shape),
    tell,
  });
  if (comparison.shapes(before.shape, now.shape, isXml ? '' : '$')) return;
  const other = pairs.filter(([was, is]) => bodyId(was) !== bodyId(is)).length;
  if (other > 0 && now.broken === 0) tellKind('order', `${other} of ${heap.is.length}`);
}
