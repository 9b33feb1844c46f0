/** The draft of a described request body. */
import type { Input } from '../../contract/index.ts';
import type { InputContext } from './inputs.ts';
import type { Parameter } from './parameters.ts';
import type { Tree } from './tree.ts';

export interface BodyDraft {
  readonly template: Tree;
  readonly parametersByInput: ReadonlyMap<Input, Parameter>;
  /** Required parts that have no value to send. */
  readonly missing: readonly string[];
}

export const NOTHING: BodyDraft = { template: {}, parametersByInput: new Map(), missing: [] };
export const NO_ROWS: InputContext = { categoryNames: {} };
