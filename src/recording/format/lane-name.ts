/** Lanes: independent sequences in one recording, chosen by a prefix of the base address, `http://host/~/LANE/…`. */

/** The lane of clients that name none. */
export const MAIN_LANE = 'main';

const PREFIX = /^\/~\/([^/?#]*)(.*)$/s;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** What a valid name of a lane looks like, for messages. */
export const LANE_NAME_RULE =
  'starts with a letter or digit and contains only letters, digits, dots, dashes and underscores, at most 64 characters';

/** Whether a text is a valid name of a lane. */
export const isLaneName = (name: string): boolean => NAME.test(name);

/** The path prefix of a lane in its base address: `/~/LANE`, empty for the main lane. */
export const lanePrefix = (lane: string): string => (lane === MAIN_LANE ? '' : `/~/${lane}`);

/**
 * Lane and remaining target of a request line; undefined if the prefix holds no valid lane name.
 * @example splitLane('/~/ci/api/x?y=1') // { lane: 'ci', target: '/api/x?y=1' }
 */
export function splitLane(target: string): { readonly lane: string; readonly target: string } | undefined {
  const [, name, rest = ''] = PREFIX.exec(target) ?? [];
  if (name === undefined) return { lane: MAIN_LANE, target };
  if (!isLaneName(name)) return undefined;
  return { lane: name, target: rest.startsWith('/') ? rest : `/${rest}` };
}
