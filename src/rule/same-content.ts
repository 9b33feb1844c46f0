/** Whether two responses have the same content, for requests that differ in their credentials. */
import { comparable, differences } from '../reading/signature.ts';
import type { Reading } from './reading.ts';

/** Whether two responses have the same content, apart from ids and numbers: a login page has another one. */
export function isSameContent(own: Reading, other: Reading): boolean {
  const [ownRows, otherRows] = [own, other].map(({ observation }) => observation?.rows ?? 0);
  if (own.signature?.type !== other.signature?.type || other.observation?.problem) return false;
  if (ownRows && otherRows) return true;
  if (!own.signature || !other.signature) return false;
  const [one, another] = comparable([own.signature, other.signature]);
  return one !== undefined && another !== undefined && !differences(one, another).includes('body');
}
