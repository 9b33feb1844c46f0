/** Reads a response as the start declares it, where it does: its format, its schemas, and what a refusal is. */
import type { OperationKey } from '../../contract/index.ts';
import type { Exchange } from '../../exchange/types.ts';
import type { Profile } from '../../profile/schema.ts';
import { refusalsOf } from '../../profile/statuses.ts';
import { bindRefusals, findRefusal } from '../../reading/body-refusal.ts';
import type { SchemaReading } from '../../rule/index.ts';
import { checkSchemas } from '../../run/check-schema.ts';
import { withRefusalStatus } from '../../run/refused-exchange.ts';
import { type DecodedAnswer, decodeAnswer } from '../decode-answer.ts';

export interface ReadAnswer extends DecodedAnswer {
  /** The status; of a refusal that the start declares, that which it is like. */
  readonly status: number;
  /** The first violation of a schema that the start states. */
  readonly breach?: SchemaReading['breaches'][number] | undefined;
}

/** Reads a response and decides whether it is a refusal, by the start or by what errors look like. */
export async function readAnswer(exchange: Exchange, operation: OperationKey, profile: Profile): Promise<ReadAnswer> {
  const answer = await decodeAnswer(exchange, operation, profile.data.operations?.[operation]?.response);
  const conditions = bindRefusals(refusalsOf(profile.data, operation));
  const isRead = answer.head.status < 300 && answer.document !== undefined;
  const declared = isRead ? findRefusal(conditions, answer.document, answer.head) : undefined;
  const judged = declared ? withRefusalStatus(exchange, declared) : exchange;
  const [breach] = (await checkSchemas(profile, operation, [judged]))?.breaches ?? [];
  const status = judged.response?.status ?? answer.head.status;
  return { ...answer, isSuccess: answer.isSuccess && !declared, status, ...(breach && { breach }) };
}
