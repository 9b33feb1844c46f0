/** The draft of one operation. */

import type { Field } from '../../contract/index.ts';
import type { PlainObject } from '../plain-object.ts';
import type { DescribedValue } from './described-values.ts';
import type { DescribedOperation } from './operations.ts';
import type { RequestDraft } from './requests.ts';

export interface DraftedOperation {
  readonly described: DescribedOperation;
  readonly profile: PlainObject;
  /** Whether every described parameter is an input or a constant. */
  readonly isUnderstood: boolean;
  /** Parameters without a value in the request. */
  readonly unusedParameters: readonly string[];
  /** Fields that the response certainly does not contain. */
  readonly absent: readonly Field[];
  /** Whether one response contains all windows of a delta. */
  readonly allWindowsAtOnce: boolean;
  readonly parametersByInput: RequestDraft['parametersByInput'];
  readonly fields: ReadonlyMap<Field, DescribedValue>;
}
