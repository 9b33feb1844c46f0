/** Resolves `${NAME}` in the texts of a profile from the environment; every value but that of an address is a secret. */
import { isStandardSchema } from './body-schema/types.ts';
import { isHttpUrl } from './http-text.ts';

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

/** Whether a path in a profile is that of an address: `tokenUrl`, or the `url` of a login. */
const isAddressPath = ([first, ...rest]: readonly PropertyKey[]): boolean =>
  (first === 'auth' || first === 'authFor') &&
  (rest.at(-1) === 'tokenUrl' || (rest.at(-1) === 'url' && rest.at(-2) === 'request'));

/**
 * Whether the value of a variable is a URL without userinfo and query, or a host, in the place of an address. Reports show
 * addresses, such as that of the service, which may begin with it.
 * @param resolved the profile with the values of all variables
 */
export function isPublicAddress(use: VariableUse & { readonly value: string }, resolved: unknown): boolean {
  if (!isAddressPath(use.path)) return false;
  const { value } = use;
  if (isHttpUrl(value)) {
    const { username, password, search, hash } = new URL(value);
    return `${username}${password}${search}${hash}` === '';
  }
  const address = use.path.reduce<unknown>((node, key) => (node as Record<PropertyKey, unknown>)[key], resolved);
  return isHttpUrl(String(address)) && new URL(String(address)).host === value.toLowerCase();
}
