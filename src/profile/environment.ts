/** `${NAME}` in the texts of a profile: values of the environment, all of them secrets. */
import { isStandardSchema } from './body-schema/types.ts';

/** Where a profile names a variable. */
export interface VariableUse {
  readonly name: string;
  readonly path: readonly PropertyKey[];
}

/**
 * Replaces `${NAME}` in every text; `$${` stands for a literal `${`. Modules, functions and Standard Schemas stay as they are.
 * @param lookUp gives what stands in the place of a variable
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
