/** Telling a served pair from an unserved one when nothing is known of the dialect (section 4). */
import { type OperationKey, operationOf } from '../contract/index.ts';
import type { Statuses } from '../profile/schema.ts';
import { comparable, differences, type Signature } from '../reading/signature.ts';
import type { Reading } from './types.ts';

/** A letter string that depends only on its seed, of the case pattern of `like`: a segment that cannot exist. */
function strangeSegment(like: string, seed: string): string {
  let state = 2166136261;
  for (const char of `${seed}|${like}`) state = Math.imul(state ^ char.charCodeAt(0), 16777619) >>> 0;
  const letters = 'zxqjkvwz';
  return [...like]
    .map((char) => {
      state = Math.imul(state ^ (state >>> 13), 1274126177) >>> 0;
      const letter = letters[state % letters.length] as string;
      return /[A-Z]/.test(char) ? letter.toUpperCase() : letter;
    })
    .join('');
}

/**
 * The path of a control: a sibling of the documented one that differs in its last fixed segment only, which is as long
 * and as cased as the real one, so that an echoed path changes nothing but itself.
 */
export function controlPath(path: string, seed: string): string {
  const segments = path.split('/');
  const at = segments.findLastIndex((segment) => segment !== '' && !segment.startsWith('{'));
  return segments.with(at, strangeSegment(segments[at] as string, seed)).join('/');
}

export const controlPaths = (operation: OperationKey, path: string = operationOf(operation).path) => ({
  before: controlPath(path, 'before'),
  after: controlPath(path, 'after'),
});

/** Statuses that tell of overload and time, not of what is there. */
const TRANSIENT = new Set([408, 425, 429, 502, 503, 504]);
/** Statuses that hide what is behind them: credentials, overload, time. */
export const BLOCKED: ReadonlySet<number> = new Set([401, 403, ...TRANSIENT]);

/**
 * Whether a status says that something stood between the request and its answer: what the profile states of it, else
 * what it says everywhere.
 */
export function isBlocking(status: number, stated: Statuses): boolean {
  const { unknown = [], malformed = [], unauthorized = [], tooMany = [] } = stated;
  if (unauthorized.includes(status) || tooMany.includes(status)) return true;
  return BLOCKED.has(status) && !unknown.includes(status) && !malformed.includes(status);
}

export type Presence =
  | { readonly is: 'served'; readonly by: string }
  | { readonly is: 'absent'; readonly by: string; readonly certain: boolean }
  | {
      readonly is: 'hidden';
      readonly by: string;
      /** Every path is answered with one page, so that nothing read there is an answer of the operation. */
      readonly everywhere?: boolean;
    };

/** The page a redirect leads to, without what it hands over. */
function redirectTarget({ location, url }: Signature): string | undefined {
  if (location === '' || !URL.canParse(location, url)) return undefined;
  const { origin, pathname } = new URL(location, url);
  return origin + pathname;
}

/**
 * Compares the answer of a pair with those of two controls. `served`: it differs where the controls agree. `absent` and
 * certain: the method is refused (405, 501) where the controls are answered otherwise. `absent`, not certain: the very
 * answer of a path that cannot exist. `hidden`: something stands before the routing.
 *
 * @param stated what statuses mean here beyond what they mean everywhere
 */
export function presenceOf(pair: Reading, before: Reading, after: Reading, stated: Statuses = {}): Presence {
  const [own, first, second] = [pair.signature, before.signature, after.signature];
  if (!own || !first || !second) {
    const failed = [pair, before, after].find((reading) => !reading.head);
    return { is: 'hidden', by: `no answer came: ${failed?.failure ?? 'nothing came'}` };
  }
  // Credentials may be asked for by path alone, so that a refusal proves no method; overload proves nothing.
  const isEverywhere = own.status === first.status || own.status === second.status;
  if (isBlocking(own.status, stated) || (BLOCKED.has(own.status) && isEverywhere))
    return { is: 'hidden', by: `${own.status} stands in the way` };
  const overloaded = [first, second].find(({ status }) => TRANSIENT.has(status));
  if (overloaded) return { is: 'hidden', by: `paths that cannot exist were answered with ${overloaded.status}` };
  const refused = own.status === 405 || own.status === 501;
  if (refused && first.status !== own.status && second.status !== own.status) {
    return { is: 'absent', certain: true, by: `${own.status} where paths that cannot exist answer ${first.status}` };
  }
  // Gone is what is no longer there, as its sender says; only a request that is not valid may have led to it.
  if (own.status === 410 && !stated.unknown?.includes(410)) return { is: 'absent', certain: false, by: '410, gone' };
  if (own.status !== first.status && first.status === second.status) {
    return { is: 'served', by: `${own.status} where paths that cannot exist answer ${first.status}` };
  }
  const [pairs, one, other] = comparable([own, first, second]) as [Signature, Signature, Signature];
  const shared = differences(one, other);
  const peculiar = differences(pairs, one).filter((feature) => !shared.includes(feature));
  if (peculiar.length > 0) {
    return { is: 'served', by: `${own.status} with another ${peculiar.join(', ')} than paths that cannot exist` };
  }
  if (own.status >= 200 && own.status < 400) {
    // A redirect may take each path to its own place, such as another host: a login takes all to one.
    const everywhere = own.status < 300 || redirectTarget(own) === redirectTarget(first);
    return { is: 'hidden', by: `${own.status} is answered alike to paths that cannot exist`, everywhere };
  }
  return { is: 'absent', certain: false, by: `${own.status}, the very answer of paths that cannot exist` };
}
