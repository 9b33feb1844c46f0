/** JSON Merge Patch (RFC 7396): merges objects by members; `null` removes a member, any other value replaces it. */
import { apply } from 'json-merge-patch';

/** Does not change the target. @example mergePatch({ a: { b: 1, c: 2 } }, { a: { b: null } }) // { a: { c: 2 } } */
export const mergePatch = <T extends object>(target: T, patch: { readonly [member: string]: unknown }): T =>
  apply(structuredClone(target), patch) as T;
