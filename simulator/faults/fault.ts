/** The type of a fault: a named, minimal deviation that breaks one statement of the document. */
import type { Group, ObservableStatementId } from '../../src/contract/index.ts';
import { type Deviation, type DeviationRow, deviationOf } from '../deviations/types.ts';

interface Strictness {
  /** The document only suggests the broken statement (basis `plausible`): an advisory rule finds the fault, which gates under `--strict`. */
  readonly strict?: true;
}

export interface Fault extends Deviation, Strictness {
  readonly statement: ObservableStatementId;
  /** The group whose responses it changes. */
  readonly group: Group;
}

type FaultOf = (name: string, statement: ObservableStatementId, row: DeviationRow & Strictness) => Fault;

/** Makes the faults of one group. */
export const faultOf =
  (group: Group): FaultOf =>
  (name, statement, row) => ({ ...deviationOf(name, row), statement, group });

export const [inA, inB, inC, inD] = [faultOf('A'), faultOf('B'), faultOf('C'), faultOf('D')];
