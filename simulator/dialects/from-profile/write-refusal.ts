/** Writes errors as refusals in a 2xx, where the profile declares them (section 7). */
import type { RefusalCondition } from '../../../src/profile/schema.ts';
import type { DialectResponse } from '../types.ts';
import { type ErrorContent, errorBody, schemaFor } from './error-body.ts';
import type { OperationCodec } from './operation-codec.ts';
import { CONTENT_TYPE, ComposedResponse, csvOf, SERIALIZERS } from './serialize.ts';
import { writePathOf } from './write-path.ts';

/** A value that fulfils a condition; undefined: none is needed. */
function valueFor({ is, isNot, present }: RefusalCondition): string | number | boolean | undefined {
  if (is) return is[0];
  if (isNot) return typeof isNot[0] === 'boolean' ? !isNot[0] : 'refused';
  return present ? 'refused' : undefined;
}

/** A response with status 200 that fulfils the condition for this status; undefined if the profile declares none. */
export function writeRefusal(
  problem: ErrorContent,
  { refusals, media, response, schemas }: Pick<OperationCodec, 'refusals' | 'media' | 'response' | 'schemas'>,
): DialectResponse | undefined {
  const condition =
    refusals.find(({ like }) => like === problem.status) ?? refusals.find(({ like }) => like === undefined);
  const place = condition && writePathOf(condition.at);
  if (!condition || typeof place !== 'object') return undefined;
  const draft = new ComposedResponse(media, {});
  draft.put(condition.at, valueFor(condition));
  const format = place.scope === 'line' ? 'csv' : media === 'xml' && place.scope !== 'header' ? 'xml' : 'json';
  const isInJson = format === 'json' && place.scope !== 'header';
  const body = isInJson ? errorBody(problem, schemaFor(schemas, 'refusal')?.schema, draft.body).body : draft.body;
  return {
    status: 200,
    headers: { 'content-type': CONTENT_TYPE[format], ...draft.headers },
    body: SERIALIZERS[format](format === 'csv' ? [] : body, csvOf(response, draft)),
  };
}
