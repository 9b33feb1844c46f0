/** Selects values of a description for required parameters. Never invents a value. */
import type { Confidence } from './draft-notes.ts';
import { wordsOf } from './name-words.ts';
import type { SchemaShape } from './shape.ts';
import { isScalar, isTree, type Scalar } from './tree.ts';

export interface Constant {
  readonly value: Scalar;
  readonly confidence: Confidence;
  readonly from: string;
}

/**
 * Returns the value to send: the only allowed value, the default, an example (but not of an id, see
 * {@link isOpaqueValue}), or the first allowed one.
 */
export function constantOf(name: string, examples: readonly unknown[], shape: SchemaShape): Constant | undefined {
  const allowed = shape.values.map(({ value }) => value).filter(isScalar);
  const [only] = allowed;
  if (only !== undefined && allowed.length === 1) return { value: only, confidence: 'stated', from: 'its only value' };
  if (isScalar(shape.fallback)) return { value: shape.fallback, confidence: 'stated', from: 'its default' };
  const example = isOpaqueValue(name) ? undefined : examples.flat().find(isScalar);
  if (example !== undefined) return { value: example, confidence: 'likely', from: 'its example' };
  return only === undefined
    ? undefined
    : { value: only, confidence: 'likely', from: `the first of ${allowed.length} values` };
}

/** Escapes a value for a template: braces are doubled. */
export function templateLiteral(value: Scalar): Scalar {
  if (typeof value !== 'string') return value;
  return value.replaceAll('{', '{{').replaceAll('}', '}}');
}

/** Escapes a whole example for a template. */
export function literalTree(value: unknown): unknown {
  if (isScalar(value)) return templateLiteral(value);
  if (Array.isArray(value)) return value.map(literalTree);
  return isTree(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, literalTree(each)]))
    : value;
}

/**
 * Whether a name identifies something that must exist in the service. An example of it may be invented, and a request with
 * an unknown id is not valid.
 *
 * @example isOpaqueValue('savedMapId') // true
 */
export const isOpaqueValue = (name: string): boolean => /^(id|ids|uuid|guid)$/.test(wordsOf(name).at(-1) ?? '');

/**
 * Escapes environment variables in the tree of a profile: a description is third-party text and must not
 * cause secrets to be sent.
 */
export function withoutVariables<T>(value: T): T {
  if (typeof value === 'string') return value.replace(/\$(?=\{)/g, '$$$$') as T;
  if (Array.isArray(value)) return value.map(withoutVariables) as T;
  if (!isTree(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutVariables(each)])) as T;
}
