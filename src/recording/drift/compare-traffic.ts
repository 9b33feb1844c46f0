/** Compares two recordings: every operation and every path. */

import { mediaTypeOf } from '../../exchange/headers.ts';
import type { ProfileData } from '../../profile/schema.ts';
import type { RecordedResponse } from '../format/recorded-exchange.ts';
import {
  type DifferenceKind,
  type DriftDifference,
  driftClassOf,
  mergeDifferences,
  type UnassignedDifference,
} from './classes.ts';
import { compareGroup, type ResponseGroup } from './compare-group.ts';
import { compareStatuses, mediaKind } from './compare-statuses.ts';
import { maskedBy } from './masked-paths.ts';
import { type PairedRequests, pairRequests } from './pair-requests.ts';
import { nameOf, type RecordedTraffic } from './recorded-requests.ts';
import { renameIds } from './rename-ids.ts';
import { hasMark, isSame, type ResponsePair, responsePairsOf } from './response-pairs.ts';
import { type Unmatched, unmatchedOf } from './unmatched-requests.ts';

export interface Compared {
  readonly differences: readonly DriftDifference[];
  readonly paired: PairedRequests;
  /** How many responses were compared. */
  readonly responses: number;
}

/** Responses by status class and media type. */
class ResponseGroups {
  readonly #all = new Map<string, ResponseGroup>();

  of(response: RecordedResponse): ResponseGroup {
    const [family, { type }] = [familyOf(response), mediaTypeOf(response.headers)];
    const key = `${family} ${type}`;
    const group = this.#all.get(key) ?? { family, type, was: [], is: [], paired: 0 };
    this.#all.set(key, group);
    return group;
  }

  /** The groups with responses of both sides. */
  common(): ResponseGroup[] {
    return [...this.#all.values()].filter(({ was, is }) => was.length > 0 && is.length > 0);
  }
}

const familyOf = ({ status }: RecordedResponse): string => `${Math.floor(status / 100)}xx`;

/** The paths of media differences that are not in Content-Type. */
const PLACES: Partial<Record<DifferenceKind, string>> = {
  'byte-order mark': 'body',
  'content coding': 'header content-encoding',
};

/**
 * Compares all responses of two recordings.
 * @param profile how responses are read if their media type does not state it
 */
export async function compareTraffic(
  was: RecordedTraffic,
  is: RecordedTraffic,
  profile: ProfileData,
): Promise<Compared> {
  const paired = await pairRequests(was, is);
  const rename = renameIds(paired.renamed);
  const masked = maskedBy(was, is);
  const folders = [was.folder, is.folder] as const;
  const differences: DriftDifference[] = [];
  let responses = 0;
  const groups = Map.groupBy(paired.pairs, (pair) => nameOf(pair.was));
  const unmatched = unmatchedOf(paired, was, is);
  for (const name of new Set([...groups.keys(), ...unmatched.keys()])) {
    const pairs = groups.get(name) ?? [];
    const compared = pairs.flatMap(responsePairsOf);
    responses += compared.length;
    if (unmatched.get(name) === undefined && compared.every(isSame)) continue;
    const report = (found: UnassignedDifference): void => void differences.push(masked({ ...found, operation: name }));
    const isLookup = pairs.some((pair) => pair.was.operation?.includes('{') ?? false);
    for (const found of compareStatuses(compared, isLookup)) report(found);
    const responseGroups = groupResponses(compared, folders, report);
    add(responseGroups, unmatched.get(name));
    for (const group of responseGroups.common()) await compareGroup(name, group, { folders, profile, rename, report });
  }
  return { differences: mergeDifferences(differences), paired, responses };
}

/** Groups the responses whose bodies can be compared; reports why the others cannot. */
function groupResponses(
  compared: readonly ResponsePair[],
  folders: readonly [string, string],
  report: (found: UnassignedDifference) => void,
): ResponseGroups {
  const responseGroups = new ResponseGroups();
  const media = new Map<
    string,
    { readonly kind: DifferenceKind; readonly was: string; readonly is: string; count: number }
  >();
  for (const [{ response: before }, { response: now }] of compared) {
    if (!before || !now || familyOf(before) !== familyOf(now)) continue;
    const isMarked = !hasMark(folders[0], before) && hasMark(folders[1], now);
    const changed = mediaKind(before, now) ?? (isMarked ? (['byte-order mark', 'none', 'U+FEFF'] as const) : undefined);
    if (changed) {
      const [kind, was, is] = changed;
      const known = media.get(changed.join('\n')) ?? { kind, was, is, count: 0 };
      known.count++;
      media.set(changed.join('\n'), known);
      if (kind === 'media type') continue;
    }
    const group = responseGroups.of(before);
    group.was.push(before);
    group.is.push(now);
    group.paired++;
  }
  for (const { kind, was, is, count } of media.values())
    report({
      class: driftClassOf(kind),
      kind,
      path: PLACES[kind] ?? 'header content-type',
      count: `${count} of ${compared.length}`,
      was,
      is,
    });
  return responseGroups;
}

/** Adds responses to requests of only one side, after the paired ones. */
function add(responseGroups: ResponseGroups, unmatched: Unmatched | undefined): void {
  for (const response of unmatched?.was ?? []) responseGroups.of(response).was.push(response);
  for (const response of unmatched?.is ?? []) responseGroups.of(response).is.push(response);
}
