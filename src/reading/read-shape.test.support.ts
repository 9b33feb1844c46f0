/** Reads a body as the response of a profile says. */
import type { OperationKey } from '../contract/index.ts';
import { parseProfile } from '../profile/parse-profile.ts';
import { readingPlanOf } from '../run/fetch-request.ts';
import { type BodyPlan, readBody } from './read-body.ts';
import type { Row } from './types.ts';

export const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
export const SALES = 'GET /RetailMeasurement/v1/BrandPerformance';
export const METADATA = 'GET /RetailMeasurement/v1/BrandPerformance/Metadata';

export const TEA = { upc: '012345678905', category: 'Tea' };
export const COLA = { upc: '042100000177', category: 'Cola' };

/** The bytes in chunks of a size. */
export async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** The plan of a response; `more`: further members of the profile. */
export const planOf = (response: object, operation: OperationKey = BULK, more: object = {}): BodyPlan =>
  readingPlanOf(
    parseProfile(
      JSON.stringify({
        name: 'x',
        ...more,
        operations: { [operation]: { request: { query: { c: '{cursor}' } }, response } },
      }),
      'x.json',
    ),
    operation,
    {},
  );

export interface Shape {
  readonly operation?: typeof BULK | typeof SALES | typeof METADATA;
  /** Default: XML for texts, else JSON. */
  readonly type?: string;
  readonly response: Record<string, unknown>;
  readonly body: unknown;
  readonly rows?: readonly Row[];
  readonly values?: Record<string, unknown>;
  readonly next?: string;
}

/** Reads a body, a text or JSON, in chunks; `found`: its rows. */
export async function readWith(
  plan: BodyPlan,
  body: unknown,
  { type = typeof body === 'string' ? 'text/xml' : 'application/json', size = 7 } = {},
) {
  const found: Row[] = [];
  const observation = await readBody(
    plan,
    { status: 200, reasonPhrase: '', headers: [['content-type', type]] },
    chunksOf(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), size),
    (row) => found.push(row),
  );
  return { ...observation, found };
}
