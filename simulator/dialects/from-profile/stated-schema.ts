/** The schema that a profile states for a status. */
import type { BodySchema } from '../../../src/profile/body-schema/types.ts';

export interface StatedSchema {
  /** As the profile writes it: `200`, `2XX`, `default` or `refusal`. */
  readonly key: string;
  readonly schema: BodySchema;
}

/** Returns the schema of a status; that of `refusal` for a refusal in a 2xx. */
export function schemaFor(
  schemas: ReadonlyMap<string, BodySchema>,
  status: number | 'refusal',
): StatedSchema | undefined {
  const keys = status === 'refusal' ? [status] : [String(status), `${String(status)[0]}XX`, 'default'];
  const key = keys.find((each) => schemas.has(each));
  return key === undefined ? undefined : { key, schema: schemas.get(key) as BodySchema };
}
