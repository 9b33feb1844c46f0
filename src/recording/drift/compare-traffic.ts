/** Compares two recordings: every operation and every path. */

import { isOperationKey } from '../../contract/index.ts';
import { firstHeader, mediaTypeOf } from '../../exchange/headers.ts';
import type { ProfileData } from '../../profile/schema.ts';
import { headerPlace, placesFor } from '../format/masks.ts';
import type { RecordedExchange, RecordedResponse } from '../format/recorded-exchange.ts';
import {
  type DifferenceKind,
  type DifferenceWithoutOperation,
  type DriftDifference,
  differenceAt,
  driftClassOf,
  mergeDifferences,
} from './classes.ts';
import { compareGroup } from './compare-group.ts';
import {
  hasByteOrderMark,
  isSame,
  type PairedRequests,
  pairRequests,
  type ResponsePair,
  responsePairsOf,
  unmatchedOf,
} from './pair-requests.ts';
import { nameOf, type RecordedTraffic } from './recorded-requests.ts';

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
/** Statuses for a product that does not exist. */
const NOT_FOUND = [204, 404, 410];
/** Temporary refusals, which do not depend on the request. */
const TEMPORARY = [408, 425, 429, 502, 503, 504];

/** The kind of difference between the statuses of two responses, if any. */
function statusKind(recorded: RecordedExchange, current: RecordedExchange): DifferenceKind | undefined {
  if (!recorded.response) return current.response ? 'answered' : undefined;
  if (!current.response || (current.failure && !recorded.failure)) return 'no answer';
  const [before, now] = [recorded.response.status, current.response.status];
  if (before === now) return recorded.failure && !current.failure ? 'answered' : undefined;
  if ((before >= 400 && isSuccess(now)) || TEMPORARY.includes(before)) return 'answered';
  return 'status';
}

/** The status, or how the connection failed. */
const outcomeOf = ({ response, failure }: RecordedExchange): string => {
  if (!response) return failure?.kind ?? 'no answer';
  return failure ? `${response.status}, ${failure.kind}` : String(response.status);
};

/** A difference between two responses: `was` and `is` are the same in all that are counted together. */
type PairDifference = readonly [kind: DifferenceKind, was: string, is: string];

/** Counts equal differences. @param all the number of pairs @param pathOf the path of a difference */
const countedDifferences = (
  found: readonly PairDifference[],
  all: number,
  pathOf: (difference: PairDifference) => string,
): DifferenceWithoutOperation[] =>
  [...Map.groupBy(found, (each) => each.join('\n')).values()].map((equal) => {
    const [kind, was, is] = equal[0] as PairDifference;
    return { ...differenceAt(kind, pathOf([kind, was, is]), `${equal.length} of ${all}`), was, is };
  });

/**
 * The differences between the statuses of an operation.
 * @param pairs all its pairs of responses
 * @param isLookup whether the operation reads one product by its id: a product may cease to exist
 */
function compareStatuses(
  pairs: readonly (readonly [RecordedExchange, RecordedExchange])[],
  isLookup: boolean,
): DifferenceWithoutOperation[] {
  const statusOf = ({ response }: RecordedExchange): number => response?.status ?? 0;
  const stillFound = pairs.some(
    ([recorded, current]) => isSuccess(statusOf(recorded)) && isSuccess(statusOf(current)) && statusOf(current) !== 204,
  );
  const found = pairs.flatMap(([recorded, current]): PairDifference[] => {
    const kind = statusKind(recorded, current);
    if (!kind) return [];
    const [before, now] = [statusOf(recorded), statusOf(current)];
    const isMissing = isSuccess(before) ? NOT_FOUND.includes(now) : isSuccess(now) && NOT_FOUND.includes(before);
    return [[isLookup && stillFound && isMissing ? 'product gone' : kind, outcomeOf(recorded), outcomeOf(current)]];
  });
  return countedDifferences(found, pairs.length, ([, was]) => `status ${was}`);
}

/** The normalised charset; UTF-8 if none is declared. */
const charsetOf = ({ headers }: RecordedResponse): string => {
  const charset = (mediaTypeOf(headers).charset ?? 'utf-8').toLowerCase();
  return charset === 'utf8' || charset === 'us-ascii' ? 'utf-8' : charset;
};

const codingOf = ({ headers, coding }: RecordedResponse): string =>
  coding ?? firstHeader(headers, 'content-encoding') ?? 'identity';

/** The difference in Content-Type or Content-Encoding; undefined if the bodies can be compared. */
function mediaKind(recorded: RecordedResponse, current: RecordedResponse): PairDifference | undefined {
  const [before, now] = [mediaTypeOf(recorded.headers).type, mediaTypeOf(current.headers).type];
  const hasBodies = recorded.body !== undefined && current.body !== undefined;
  if (hasBodies && before !== now) return ['media type', before || 'none', now || 'none'];
  if (!hasBodies) return undefined;
  if (charsetOf(recorded) !== charsetOf(current)) return ['charset', charsetOf(recorded), charsetOf(current)];
  return codingOf(recorded) === codingOf(current)
    ? undefined
    : ['content coding', codingOf(recorded), codingOf(current)];
}

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
