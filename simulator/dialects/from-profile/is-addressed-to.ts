/** Compares the address of a request with a URL of the profile. */
import type { DialectRequest } from '../types.ts';

/** The path of an address as written; that of a service may be a variable of the environment that is not set. */
const pathOf = (address: string): string => /^(?:[^/?#]*\/\/)?[^/?#]*([^?#]*)/.exec(address)?.[1] ?? '';

/**
 * Whether a request goes to the path of a URL, whatever its origin: clients replace the origin by that of the
 * simulator, or by its address with the base path. A path is below the base address.
 */
export function isAddressedTo({ target, base }: Pick<DialectRequest, 'target' | 'base'>, url: string): boolean {
  const [path] = target.split('?', 1);
  const written = pathOf(url) || '/';
  const { pathname } = new URL(`http://localhost${written}`);
  return [written, pathname].some((each) => path === each || path === `${pathOf(base)}${each}`);
}
