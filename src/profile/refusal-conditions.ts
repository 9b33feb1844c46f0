/** The conditions under which a 2xx response of an operation is a refusal. */
import type { OperationKey } from '../contract/index.ts';
import type { ProfileData, RefusalCondition } from './schema.ts';

/** Returns the conditions of an operation: its own, or those at the top of the profile. */
export const refusalsOf = ({ refusal, operations }: ProfileData, key: OperationKey): readonly RefusalCondition[] =>
  operations?.[key]?.response?.refusal ?? refusal ?? [];
