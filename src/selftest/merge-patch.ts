/** JSON Merge Patch (RFC 7396): merges objects by members; `null` removes a member, any other value replaces it. */

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** @example mergePatch({ a: { b: 1, c: 2 } }, { a: { b: null } }) // { a: { c: 2 } } */
export function mergePatch<T extends object>(target: T, patch: { readonly [member: string]: unknown }): T {
  const merged: Record<string, unknown> = { ...(target as Record<string, unknown>) };
  for (const [name, value] of Object.entries(patch)) {
    const own = merged[name];
    if (value === null) delete merged[name];
    else merged[name] = isObject(value) ? mergePatch(isObject(own) ? own : {}, value) : value;
  }
  return merged as T;
}
