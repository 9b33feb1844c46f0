/** Values a description gives for what must be sent. None is made up. */
import type { Confidence } from './draft-notes.ts';
import { wordsOf } from './name-words.ts';
import type { SchemaShape } from './shape.ts';
import { isScalar, isTree, type Scalar } from './tree.ts';

export interface Constant {
  readonly value: Scalar;
  readonly sure: Confidence;
  readonly from: string;
}

/**
 * The value to send where one is needed: a single allowed value, the default, an example (but none of a handle, see
 * {@link isOpaqueValue}), or the first allowed one.
 */
export function constantOf(name: string, examples: readonly unknown[], shape: SchemaShape): Constant | undefined {
  const allowed = shape.values.map(({ value }) => value).filter(isScalar);
  const [only] = allowed;
  if (only !== undefined && allowed.length === 1) return { value: only, sure: 'stated', from: 'its only value' };
  if (isScalar(shape.fallback)) return { value: shape.fallback, sure: 'stated', from: 'its default' };
  const example = isOpaqueValue(name) ? undefined : examples.flat().find(isScalar);
  if (example !== undefined) return { value: example, sure: 'likely', from: 'its example' };
  return only === undefined
    ? undefined
    : { value: only, sure: 'likely', from: `the first of ${allowed.length} values` };
}

/** A value as a template's text: braces doubled, because a template reads them. */
export function templateLiteral(value: Scalar): Scalar {
  if (typeof value !== 'string') return value;
  return value.replaceAll('{', '{{').replaceAll('}', '}}');
}

/** A whole example as part of a template. */
export function literalTree(value: unknown): unknown {
  if (isScalar(value)) return templateLiteral(value);
  if (Array.isArray(value)) return value.map(literalTree);
  return isTree(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, literalTree(each)]))
    : value;
}

/**
 * Whether a name is that of something the service must know. An example of it may be made up, and a request that names
 * an unknown thing is no valid one.
 *
 * @example isHandle('savedMapId') // true
 */
export const isOpaqueValue = (name: string): boolean => /^(id|ids|uuid|guid)$/.test(wordsOf(name).at(-1) ?? '');

/**
 * A tree of a profile in which no text names an environment variable: a description is somebody's text, and must not
 * have secrets sent anywhere.
 */
export function withoutVariables<T>(value: T): T {
  if (typeof value === 'string') return value.replace(/\$(?=\{)/g, '$$$$') as T;
  if (Array.isArray(value)) return value.map(withoutVariables) as T;
  if (!isTree(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutVariables(each)])) as T;
}
