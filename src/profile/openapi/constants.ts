/** Selects values of a description for required parameters. Never invents a value. */

import { isPlainObject, isScalar, type Scalar } from '../plain-object.ts';
import type { Confidence } from './draft-notes.ts';
import { wordsOf } from './name-words.ts';
import type { ResolvedSchema } from './resolved-schema.ts';

export interface Constant {
  readonly value: Scalar;
  readonly confidence: Confidence;
  readonly reason: string;
}

/**
 * Returns the value to send: the only allowed value, the default, an example (but not of an id, see
 * {@link isOpaqueValue}), or the first allowed one.
 */
export function constantOf(name: string, examples: readonly unknown[], schema: ResolvedSchema): Constant | undefined {
  const allowed = schema.enumValues.map(({ value }) => value).filter(isScalar);
  const [only] = allowed;
  if (only !== undefined && allowed.length === 1)
    return { value: only, confidence: 'stated', reason: 'its only value' };
  if (isScalar(schema.defaultValue)) return { value: schema.defaultValue, confidence: 'stated', reason: 'its default' };
  const example = isOpaqueValue(name) ? undefined : examples.flat().find(isScalar);
  if (example !== undefined) return { value: example, confidence: 'likely', reason: 'its example' };
  return only === undefined
    ? undefined
    : { value: only, confidence: 'likely', reason: `the first of ${allowed.length} values` };
}

/** Escapes a value for a template: braces are doubled. */
export function templateLiteral(value: Scalar): Scalar {
  if (typeof value !== 'string') return value;
  return value.replaceAll('{', '{{').replaceAll('}', '}}');
}

/** Escapes a whole example for a template. */
export function templateLiterals(value: unknown): unknown {
  if (isScalar(value)) return templateLiteral(value);
  if (Array.isArray(value)) return value.map(templateLiterals);
  return isPlainObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, templateLiterals(each)]))
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
 * Escapes environment variables in a profile: a description is third-party text and must not
 * cause secrets to be sent.
 */
export function escapeVariables<T>(value: T): T {
  if (typeof value === 'string') return value.replace(/\$(?=\{)/g, '$$$$') as T;
  if (Array.isArray(value)) return value.map(escapeVariables) as T;
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, escapeVariables(each)])) as T;
}
