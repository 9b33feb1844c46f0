/** Compares two recordings: every operation and every path. */

import { isOperationKey } from '../../contract/index.ts';
import { mediaTypeOf } from '../../exchange/headers.ts';
import type { ProfileData } from '../../profile/schema.ts';
import { headerPlace, placesFor } from '../format/masks.ts';
import type { RecordedResponse } from '../format/recorded-exchange.ts';
import {
  type DifferenceKind,
  type DifferenceWithoutOperation,
  type DriftDifference,
  driftClassOf,
  mergeDifferences,
} from './classes.ts';
import { compareGroup } from './compare-group.ts';
import { compareStatuses, countedDifferences, mediaKind, type PairDifference } from './compare-statuses.ts';
import { type PairedRequests, pairRequests, unmatchedOf } from './pair-requests.ts';
import { nameOf, type RecordedTraffic } from './recorded-requests.ts';
import { hasByteOrderMark, isSame, type ResponsePair, responsePairsOf } from './response-pairs.ts';

export interface TrafficComparison {
  readonly differences: readonly DriftDifference[];
  readonly paired: PairedRequests;
  /** How many responses were compared. */
  readonly responses: number;
}

const statusClassOf = ({ status }: RecordedResponse): string => `${Math.floor(status / 100)}xx`;

/** Status class and media type of a response. */
const groupKeyOf = (response: RecordedResponse): string =>
  `${statusClassOf(response)} ${mediaTypeOf(response.headers).type}`;

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
    const comparable = Map.groupBy(comparablePairs(compared, folders, report), ([before]) => groupKeyOf(before));
    const [onlyBefore, onlyNow] = [unmatched.get(name)?.recorded, unmatched.get(name)?.current].map((each = []) =>
      Map.groupBy(each, groupKeyOf),
    ) as [Map<string, RecordedResponse[]>, Map<string, RecordedResponse[]>];
    for (const key of new Set([...comparable.keys(), ...onlyBefore.keys()])) {
      const [statusClass = '', type = ''] = key.split(' ');
      const bodies = comparable.get(key) ?? [];
      const recorded = [...bodies.map(([before]) => before), ...(onlyBefore.get(key) ?? [])];
      const current = [...bodies.map(([, now]) => now), ...(onlyNow.get(key) ?? [])];
      if (current.length === 0) continue;
      const group = { statusClass, type, recorded, current, pairs: bodies };
      await compareGroup(name, group, { folders, profile, renameIds: rename, report });
    }
  }
  return { differences: mergeDifferences(differences), paired, responses };
}

/** The responses whose bodies can be compared; reports why the others cannot. */
function comparablePairs(
  compared: readonly ResponsePair[],
  folders: readonly [string, string],
  report: (difference: DifferenceWithoutOperation) => void,
): (readonly [RecordedResponse, RecordedResponse])[] {
  const comparable: (readonly [RecordedResponse, RecordedResponse])[] = [];
  const media: PairDifference[] = [];
  for (const [{ response: before }, { response: now }] of compared) {
    if (!before || !now || statusClassOf(before) !== statusClassOf(now)) continue;
    const addsByteOrderMark = !hasByteOrderMark(folders[0], before) && hasByteOrderMark(folders[1], now);
    const changed =
      mediaKind(before, now) ?? (addsByteOrderMark ? (['byte-order mark', 'none', 'U+FEFF'] as const) : undefined);
    if (changed) media.push(changed);
    if (changed?.[0] !== 'media type') comparable.push([before, now]);
  }
  const pathOf = ([kind]: PairDifference): string => DIFFERENCE_PATHS[kind] ?? 'header content-type';
  for (const each of countedDifferences(media, compared.length, pathOf)) report(each);
  return comparable;
}

/** Longer texts are not ids and contain none. */
const MAX_TEXT_LENGTH = 500;
/** Shorter ids are replaced only if they are the whole text. */
const DISTINCTIVE_LENGTH = 6;

/** Returns a function that replaces current ids by recorded ones; undefined if there are none. */
function renameIds(renamed: ReadonlyMap<string, string>): ((text: string) => string) | undefined {
  const replacements = new Map([...renamed].filter(([now, then]) => now !== then));
  if (replacements.size === 0) return undefined;
  const distinctive = [...replacements.keys()]
    .filter((each) => each.length >= DISTINCTIVE_LENGTH)
    .sort((a, b) => b.length - a.length);
  const pattern =
    distinctive.length > 0
      ? new RegExp(distinctive.map((each) => each.replace(/[^\w]/g, '\\$&')).join('|'), 'g')
      : undefined;
  return (text) => {
    if (text.length > MAX_TEXT_LENGTH) return text;
    return replacements.get(text) ?? (pattern ? text.replace(pattern, (each) => replacements.get(each) ?? each) : text);
  };
}

/** The forms of a drift path in masks. */
function maskForms(rawPath: string): string[] {
  const path = rawPath.replace(/^\dxx /, '');
  if (path.startsWith('header ')) return [headerPlace(path.slice('header '.length))];
  // Masks of XML do not name the root element, and name the element of a text.
  if (path.startsWith('/')) {
    const element = path.replace(/\/text\(\)$/, '');
    return [element, element.replace(/^\/[^/]+/, '/.')];
  }
  return [path.replace(/\['((?:[^'\\]|\\.)*)'\]/g, (_, name: string) => `[${JSON.stringify(name)}]`)];
}

/** Returns a function that marks value differences at masked places as volatile. */
function maskedBy(...sides: readonly RecordedTraffic[]): (difference: DriftDifference) => DriftDifference {
  const masks = sides.flatMap(({ about }) => about.masks);
  if (masks.length === 0) return (difference) => difference;
  return (difference) => {
    const { operation, path, kind } = difference;
    if (kind !== 'value' && kind !== 'format') return difference;
    const places = placesFor(masks, isOperationKey(operation) ? operation : undefined);
    if (!maskForms(path).some((each) => places.has(each))) return difference;
    const volatileKind = path.includes('header ') ? 'passing header' : 'passing';
    return { ...difference, kind: volatileKind, class: driftClassOf(volatileKind) };
  };
}
