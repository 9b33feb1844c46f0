/** Writes errors as refusals in a 2xx, where the profile declares them (section 7). */
import type { RefusalCondition } from '../../../src/profile/schema.ts';
import type { DialectResponse } from '../types.ts';
import { type ErrorContent, errorBody } from './error-body.ts';
import { inXml } from './lists.ts';
import type { OperationCodec } from './operation-codec.ts';
import { CONTENT_TYPE, SERIALIZERS } from './serialize.ts';
import { schemaFor } from './stated-schema.ts';
import { put, writePathOf } from './write-path.ts';

/** A value that fulfils a condition; undefined: none is needed. */
function valueFor({ is, isNot, present }: RefusalCondition): string | number | boolean | undefined {
  if (is) return is[0];
  if (isNot) return typeof isNot[0] === 'boolean' ? !isNot[0] : 'refused';
  return present ? 'refused' : undefined;
}

/** A response with status 200 that fulfils the condition for this status; undefined if the profile declares none. */
export function writeRefusal(
  problem: ErrorContent,
  { refusals, media, delimiter, schemas }: Pick<OperationCodec, 'refusals' | 'media' | 'delimiter' | 'schemas'>,
): DialectResponse | undefined {
  const condition =
    refusals.find(({ like }) => like === problem.status) ?? refusals.find(({ like }) => like === undefined);
  const place = condition && writePathOf(condition.at);
  if (!condition || typeof place !== 'object') return undefined;
  const value = valueFor(condition);
  if (place.scope === 'header')
    return { status: 200, headers: { 'content-type': 'application/json', [place.name]: String(value) }, body: '{}' };
  if (place.scope === 'line')
    return {
      status: 200,
      headers: { 'content-type': CONTENT_TYPE.csv },
      body: SERIALIZERS.csv([], { delimiter, columns: [], lines: [{ place, value }] }),
    };
  const isXml = media === 'xml';
  const marked = put({}, isXml ? inXml(place.steps) : place.steps, value);
  const format = isXml ? 'xml' : 'json';
  const body = isXml ? marked : errorBody(problem, schemaFor(schemas, 'refusal')?.schema, marked).body;
  return {
    status: 200,
    headers: { 'content-type': CONTENT_TYPE[format] },
    body: SERIALIZERS[format](body, { delimiter, columns: [] }),
  };
}
