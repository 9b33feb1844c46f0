/** Two recordings laid side by side: every operation, every path. */

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
import { type Unmatched, unmatchedOf } from './unmatched.ts';

export interface Compared {
  readonly differences: readonly DriftDifference[];
  readonly paired: PairedRequests;
  /** How many answers were compared. */
  readonly answers: number;
}

/** Answers by family of statuses and media type. */
class Heaps {
  readonly #all = new Map<string, ResponseGroup>();

  of(response: RecordedResponse): ResponseGroup {
    const [family, { type }] = [familyOf(response), mediaTypeOf(response.headers)];
    const key = `${family} ${type}`;
    const heap = this.#all.get(key) ?? { family, type, was: [], is: [], paired: 0 };
    this.#all.set(key, heap);
    return heap;
  }

  /** Those that both sides have something in. */
  common(): ResponseGroup[] {
    return [...this.#all.values()].filter(({ was, is }) => was.length > 0 && is.length > 0);
  }
}

const familyOf = ({ status }: RecordedResponse): string => `${Math.floor(status / 100)}xx`;

/** Where differences of media are told. */
const PLACES: Partial<Record<DifferenceKind, string>> = {
  'byte-order mark': 'body',
  'content coding': 'header content-encoding',
};

/**
 * Compares all answers of two recordings; `is` may be one made just now.
 * @param profile how answers are to be read where their media type does not say
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
  let answers = 0;
  const groups = Map.groupBy(paired.pairs, (pair) => nameOf(pair.was));
  const rest = unmatchedOf(paired, was, is);
  for (const name of new Set([...groups.keys(), ...rest.keys()])) {
    const pairs = groups.get(name) ?? [];
    const compared = pairs.flatMap(responsePairsOf);
    answers += compared.length;
    if (rest.get(name) === undefined && compared.every(isSame)) continue;
    const tell = (found: UnassignedDifference): void => void differences.push(masked({ ...found, operation: name }));
    const isLookup = pairs.some((pair) => pair.was.operation?.includes('{') ?? false);
    for (const found of compareStatuses(compared, isLookup)) tell(found);
    const heaps = heapsOf(compared, folders, tell);
    add(heaps, rest.get(name));
    for (const heap of heaps.common()) await compareGroup(name, heap, { folders, profile, rename, tell });
  }
  return { differences: mergeDifferences(differences), paired, answers };
}

/** Heaps of the answers whose bodies can be laid side by side; tells what hinders the others. */
function heapsOf(
  compared: readonly ResponsePair[],
  folders: readonly [string, string],
  tell: (found: UnassignedDifference) => void,
): Heaps {
  const heaps = new Heaps();
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
    const heap = heaps.of(before);
    heap.was.push(before);
    heap.is.push(now);
    heap.paired++;
  }
  for (const { kind, was, is, count } of media.values())
    tell({
      class: driftClassOf(kind),
      kind,
      path: PLACES[kind] ?? 'header content-type',
      count: `${count} of ${compared.length}`,
      was,
      is,
    });
  return heaps;
}

/** Adds answers of requests that only one side has, behind those in pairs. */
function add(heaps: Heaps, rest: Unmatched | undefined): void {
  for (const response of rest?.was ?? []) heaps.of(response).was.push(response);
  for (const response of rest?.is ?? []) heaps.of(response).is.push(response);
}
