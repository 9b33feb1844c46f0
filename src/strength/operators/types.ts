/** An operator: one way in which a service breaks a statement of the document or a promise of its profile. */
import type { ObservableStatementId, OperationKey } from '../../contract/index.ts';
import type { ListChange, Rhythm } from '../changes.ts';
import type { RecordedWorld } from '../world.ts';

/** Where the change shows: in the responses to one request, or in all that show the same. */
export type Consistency = 'one list' | 'everywhere';

/** One place where an operator can be applied. */
export interface Site {
  readonly operation: OperationKey;
  /** The request and the value, in neutral words. */
  readonly at: string;
  readonly consistency: Consistency;
  readonly rhythm: Rhythm;
  readonly changes: readonly ListChange[];
}

/** A place where the change would be legal: it is no mutant. */
export interface LegalSite {
  readonly operation: OperationKey;
  /** The conforming service that gives the changed answers. */
  readonly otherWorld: string;
}

export interface Operator {
  readonly name: string;
  /** The statement of the document that the changed service breaks. */
  readonly statement: ObservableStatementId;
  /** The key of the profile without which the change is legal. */
  readonly promise?: string;
  /** What the changed service does. */
  readonly says: string;
  readonly sites: (world: RecordedWorld) => readonly (Site | LegalSite)[];
}
