/** Resolves `${NAME}` in the texts of a profile from the environment; every value is a secret. */
import { isStandardSchema } from './body-schema/types.ts';

/** A variable that a profile uses, and its location. */
export interface VariableUse {
  readonly name: string;
  readonly path: readonly PropertyKey[];
}

/**
 * Replaces `${NAME}` in every text; `$${` escapes a literal `${`. Functions and Standard Schemas are returned unchanged.
 * @param lookUp returns the replacement of a variable
 */
export function resolveVariables(
  node: unknown,
  lookUp: (use: VariableUse) => string,
  path: readonly PropertyKey[] = [],
): unknown {
  if (typeof node === 'string') {
    return node.replace(
      /\$(\$\{)|\$\{([A-Za-z_]\w*)\}/g,
      (_whole, escaped?: string, name?: string) => escaped ?? lookUp({ name: name as string, path }),
    );
  }
  if (isStandardSchema(node)) return node;
  if (Array.isArray(node)) return node.map((each, at) => resolveVariables(each, lookUp, [...path, at]));
  if (node && typeof node === 'object' && Object.getPrototypeOf(node) === Object.prototype) {
    return Object.fromEntries(
      Object.entries(node).map(([key, each]) => [key, resolveVariables(each, lookUp, [...path, key])]),
    );
  }
  return node;
}
