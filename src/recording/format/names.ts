/** Names of recordings and of their lanes: independent sequences in one recording, each in a folder of its own. */

/** The lane of clients that name none. */
export const MAIN_LANE = 'main';

const MAX_LENGTHS = { lane: 64, recording: 100 };

/** What a valid name looks like, for messages. */
export const nameRule = (kind: keyof typeof MAX_LENGTHS): string =>
  `starts with a letter or digit and contains only letters, digits, dots, dashes and underscores, at most ${MAX_LENGTHS[kind]} characters`;

/** Why a text is no valid name, in one sentence; undefined for a valid one. A name is that of a folder, on every system. */
export const nameProblem = (kind: keyof typeof MAX_LENGTHS, name: string): string | undefined =>
  name.length <= MAX_LENGTHS[kind] && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)
    ? undefined
    : `“${name}” is not a valid name of a ${kind}: it ${nameRule(kind)}`;

/** The path prefix of a lane in its base address: `/~/LANE`, empty for the main lane. */
export const lanePrefix = (lane: string): string => (lane === MAIN_LANE ? '' : `/~/${lane}`);

/**
 * Lane and remaining target of a request line; undefined if the prefix holds no valid lane name.
 * @example splitLane('/~/ci/api/x?y=1') // { lane: 'ci', target: '/api/x?y=1' }
 */
export function splitLane(target: string): { readonly lane: string; readonly target: string } | undefined {
  const [, name, rest = ''] = /^\/~\/([^/?#]*)(.*)$/s.exec(target) ?? [];
  if (name === undefined) return { lane: MAIN_LANE, target };
  if (nameProblem('lane', name)) return undefined;
  return { lane: name, target: rest.startsWith('/') ? rest : `/${rest}` };
}
