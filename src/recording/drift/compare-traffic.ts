/** Compares two recordings: every operation and every path. */

import { mediaTypeOf } from '../../exchange/headers.ts';
import type { ProfileData } from '../../profile/schema.ts';
import type { RecordedResponse } from '../format/recorded-exchange.ts';
import {
  type DifferenceKind,
  type DifferenceWithoutOperation,
  type DriftDifference,
  differenceAt,
  mergeDifferences,
} from './classes.ts';
import { compareGroup, type ResponseGroup } from './compare-group.ts';
import { compareStatuses, mediaKind } from './compare-statuses.ts';
import { maskedBy } from './masked-paths.ts';
import { type PairedRequests, pairRequests } from './pair-requests.ts';
import { nameOf, type RecordedTraffic } from './recorded-requests.ts';
import { renameIds } from './rename-ids.ts';
import { hasByteOrderMark, isSame, type ResponsePair, responsePairsOf } from './response-pairs.ts';
import { type Unmatched, unmatchedOf } from './unmatched-requests.ts';

export interface TrafficComparison {
  readonly differences: readonly DriftDifference[];
  readonly paired: PairedRequests;
  /** How many responses were compared. */
  readonly responses: number;
}

/** Responses by status class and media type. */
class ResponseGroups {
  readonly #all = new Map<string, ResponseGroup>();

  of(response: RecordedResponse): ResponseGroup {
    const [statusClass, { type }] = [statusClassOf(response), mediaTypeOf(response.headers)];
    const key = `${statusClass} ${type}`;
    const group = this.#all.get(key) ?? { statusClass, type, recorded: [], current: [], pairCount: 0 };
    this.#all.set(key, group);
    return group;
  }

  /** The groups with responses of both sides. */
  common(): ResponseGroup[] {
    return [...this.#all.values()].filter(({ recorded, current }) => recorded.length > 0 && current.length > 0);
  }
}

const statusClassOf = ({ status }: RecordedResponse): string => `${Math.floor(status / 100)}xx`;

/** The paths of media differences that are not in Content-Type. */
const DIFFERENCE_PATHS: Partial<Record<DifferenceKind, string>> = {
  'byte-order mark': 'body',
  'content coding': 'header content-encoding',
};

/**
 * Compares all responses of two recordings.
 * @param profile how responses are read if their media type does not state it
 */
export async function compareTraffic(
  recorded: RecordedTraffic,
  current: RecordedTraffic,
  profile: ProfileData,
): Promise<TrafficComparison> {
  const paired = await pairRequests(recorded, current);
  const rename = renameIds(paired.renamed);
  const masked = maskedBy(recorded, current);
  const folders = [recorded.folder, current.folder] as const;
  const differences: DriftDifference[] = [];
  let responses = 0;
  const groups = Map.groupBy(paired.pairs, (pair) => nameOf(pair.recorded));
  const unmatched = unmatchedOf(paired, recorded, current);
  for (const name of new Set([...groups.keys(), ...unmatched.keys()])) {
    const pairs = groups.get(name) ?? [];
    const compared = pairs.flatMap(responsePairsOf);
    responses += compared.length;
    if (unmatched.get(name) === undefined && compared.every(isSame)) continue;
    const report = (difference: DifferenceWithoutOperation): void =>
      void differences.push(masked({ ...difference, operation: name }));
    const isLookup = pairs.some((pair) => pair.recorded.operation?.includes('{') ?? false);
    for (const difference of compareStatuses(compared, isLookup)) report(difference);
    const responseGroups = groupResponses(compared, folders, report);
    addUnmatched(responseGroups, unmatched.get(name));
    for (const group of responseGroups.common())
      await compareGroup(name, group, { folders, profile, renameIds: rename, report });
  }
  return { differences: mergeDifferences(differences), paired, responses };
}

/** Groups the responses whose bodies can be compared; reports why the others cannot. */
function groupResponses(
  compared: readonly ResponsePair[],
  folders: readonly [string, string],
  report: (difference: DifferenceWithoutOperation) => void,
): ResponseGroups {
  const responseGroups = new ResponseGroups();
  const media = new Map<
    string,
    { readonly kind: DifferenceKind; readonly was: string; readonly is: string; count: number }
  >();
  for (const [{ response: before }, { response: now }] of compared) {
    if (!before || !now || statusClassOf(before) !== statusClassOf(now)) continue;
    const addsByteOrderMark = !hasByteOrderMark(folders[0], before) && hasByteOrderMark(folders[1], now);
    const changed =
      mediaKind(before, now) ?? (addsByteOrderMark ? (['byte-order mark', 'none', 'U+FEFF'] as const) : undefined);
    if (changed) {
      const [kind, was, is] = changed;
      const known = media.get(changed.join('\n')) ?? { kind, was, is, count: 0 };
      known.count++;
      media.set(changed.join('\n'), known);
      if (kind === 'media type') continue;
    }
    const group = responseGroups.of(before);
    group.recorded.push(before);
    group.current.push(now);
    group.pairCount++;
  }
  for (const { kind, was, is, count } of media.values())
    report({
      ...differenceAt(kind, DIFFERENCE_PATHS[kind] ?? 'header content-type', `${count} of ${compared.length}`),
      was,
      is,
    });
  return responseGroups;
}

/** Adds responses to requests of only one side, after the paired ones. */
function addUnmatched(responseGroups: ResponseGroups, unmatched: Unmatched | undefined): void {
  for (const response of unmatched?.recorded ?? []) responseGroups.of(response).recorded.push(response);
  for (const response of unmatched?.current ?? []) responseGroups.of(response).current.push(response);
}
