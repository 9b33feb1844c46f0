/** The draft of a described request body. */
import type { Input } from '../../contract/index.ts';
import type { PlainObject } from '../plain-object.ts';
import type { InputContext } from './inputs.ts';
import type { Parameter } from './parameters.ts';

export interface BodyDraft {
  readonly template: PlainObject;
  readonly parametersByInput: ReadonlyMap<Input, Parameter>;
  /** Required parts that have no value to send. */
  readonly missing: readonly string[];
}

/** A request without a body. */
export const EMPTY_BODY: BodyDraft = { template: {}, parametersByInput: new Map(), missing: [] };
/** For members of a body: the response is not evidence of their meaning. */
export const NO_CONTEXT: InputContext = { categoryNames: {} };
