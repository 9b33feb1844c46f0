/** Validates responses against the schemas that a profile states for their statuses. */
import type { OperationKey } from '../contract/index.ts';
import { type Exchange, type ResponseHead, sentStatus } from '../exchange/types.ts';
import { firstOfEach } from '../first-of-each.ts';
import type { BodySchema } from '../profile/body-schema/types.ts';
import type { Profile } from '../profile/schema.ts';
import { statusesOf } from '../profile/statuses.ts';
import { checkBody } from '../reading/check-body.ts';
import { BLOCKED, type SchemaReading } from '../rule/index.ts';

/** Statuses of proxies and limits of servers, which the operation often does not send itself; above 510, of content delivery networks. */
const OF_FRONT_SERVERS: ReadonlySet<number> = new Set([407, 413, 414, 421, 431, 511]);
const FIRST_OF_NETWORKS = 520;
/** Statuses without a body (RFC 9110). */
const BODILESS = new Set([204, 205, 304]);

/**
 * The schema for a response, and its key: its status, the class of the status, or `default`; `refusal` for a refusal in a
 * 2xx. For statuses of credentials, overload
 * and redirects, which another layer often sends, only the status itself counts.
 */
function schemaFor(
  profile: Profile,
  operation: OperationKey,
  response: ResponseHead,
): { readonly stated: string; readonly schema: BodySchema } | undefined {
  const schemas = profile.bodySchemas?.get(operation);
  const { status } = response;
  if (!schemas || BODILESS.has(status)) return undefined;
  if (response.refusal) {
    const schema = schemas.get('refusal');
    return schema && { stated: 'refusal', schema };
  }
  const { unauthorized = [], tooMany = [] } = statusesOf(profile.data, operation);
  const isExactOnly =
    BLOCKED.has(status) ||
    OF_FRONT_SERVERS.has(status) ||
    status >= FIRST_OF_NETWORKS ||
    [...unauthorized, ...tooMany].includes(status) ||
    (status >= 300 && status < 400);
  for (const stated of isExactOnly ? [String(status)] : [String(status), `${String(status)[0]}XX`, 'default']) {
    const schema = schemas.get(stated);
    if (schema) return { stated, schema };
  }
  return undefined;
}

/** Validates a response and its further pages; undefined if the profile states no schema for the operation. */
export async function checkSchemas(
  profile: Profile,
  operation: OperationKey,
  exchanges: readonly Exchange[],
): Promise<SchemaReading | undefined> {
  if (!profile.bodySchemas?.has(operation)) return undefined;
  const media = profile.data.operations?.[operation]?.response?.media;
  let [responses, checkedValues] = [0, 0];
  let unchecked: string | undefined;
  const breaches: SchemaReading['breaches'][number][] = [];
  for (const [page, { response, failure, body }] of exchanges.entries()) {
    if (!response) continue;
    const found = schemaFor(profile, operation, response);
    if (!found) continue;
    if (failure) {
      unchecked ??= failure.message;
      continue;
    }
    // The body of a refusal has the media type of a 2xx.
    const sent = { ...response, status: sentStatus(response) };
    const checked = await checkBody(found.schema, media, sent, body.chunks());
    responses++;
    checkedValues += checked.checked;
    unchecked ??= checked.unchecked;
    for (const breach of checked.breaches)
      breaches.push({
        ...breach,
        schema: found.schema.name,
        stated: found.stated,
        ...(page > 0 && { page: page + 1 }),
      });
  }
  return {
    responses,
    checked: checkedValues,
    breaches: firstOfEach(breaches, ({ stated, demand }) => `${stated}-${demand}`),
    ...(unchecked !== undefined && { unchecked }),
  };
}
