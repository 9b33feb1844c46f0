import type { OperationKey } from '../../../src/contract/index.ts';

/** A part of a profile that the simulator cannot write or read as declared. */
export interface Unwritable {
  /** Absent for a part of the whole profile. */
  readonly operation?: OperationKey;
  /** Within the operation, e.g. `response.fields.upc`, or within the profile, e.g. `auth`. */
  readonly key: string;
  readonly why: string;
}
