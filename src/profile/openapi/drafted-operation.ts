/** What a draft holds of one operation. */

import type { Field } from '../../contract/index.ts';
import type { Described } from './operations.ts';
import type { RequestDraft } from './requests.ts';
import type { Tree } from './tree.ts';
import type { DescribedValue } from './value-paths.ts';

export interface DraftedOperation {
  readonly described: Described;
  readonly profile: Tree;
  /** Every parameter described is an input or a constant. */
  readonly understood: boolean;
  /** Parameters that nothing is sent for. */
  readonly unread: readonly string[];
  /** Fields the answer certainly does not hold. */
  readonly absent: readonly Field[];
  /** One answer holds all windows of a delta. */
  readonly oneCall: boolean;
  readonly carried: RequestDraft['carried'];
  readonly fields: ReadonlyMap<Field, DescribedValue>;
}
