/** Two recordings laid side by side: every operation, every path. */
import type { RecordedResponse } from '../exchange/har/types.ts';
import { mediaTypeOf } from '../exchange/headers.ts';
import type { ProfileData } from '../profile/schema.ts';
import { type AnswerPair, answersOf, hasMark, isSame } from './answers.ts';
import { classOf, type Difference, type Found, type Kind, settle } from './classes.ts';
import { compareHeap, type Heap } from './compare-heap.ts';
import { compareStatuses, mediaKind } from './compare-statuses.ts';
import { type Leftovers, leftoversOf } from './leftovers.ts';
import { maskedBy } from './masked.ts';
import { type Paired, pairUp } from './pair.ts';
import { renaming } from './renaming.ts';
import { nameOf, type Traffic } from './traffic.ts';

export interface Compared {
  readonly differences: readonly Difference[];
  readonly paired: Paired;
  /** How many answers were compared. */
  readonly answers: number;
}

/** Answers by family of statuses and media type. */
class Heaps {
  readonly #all = new Map<string, Heap>();

  of(response: RecordedResponse): Heap {
    const [family, { type }] = [familyOf(response), mediaTypeOf(response.headers)];
    const key = `${family} ${type}`;
    const heap = this.#all.get(key) ?? { family, type, was: [], is: [], paired: 0 };
    this.#all.set(key, heap);
    return heap;
  }

  /** Those that both sides have something in. */
  common(): Heap[] {
    return [...this.#all.values()].filter(({ was, is }) => was.length > 0 && is.length > 0);
  }
}

const familyOf = ({ status }: RecordedResponse): string => `${Math.floor(status / 100)}xx`;

/** Where differences of media are told. */
const PLACES: Partial<Record<Kind, string>> = {
  'byte-order mark': 'body',
  'content coding': 'header content-encoding',
};

/**
 * Compares all answers of two recordings; `is` may be one made just now.
 * @param profile how answers are to be read where their media type does not say
 */
export async function compareTraffic(was: Traffic, is: Traffic, profile: ProfileData): Promise<Compared> {
  const paired = await pairUp(was, is);
  const rename = renaming(paired.renamed);
  const masked = maskedBy(was, is);
  const folders = [was.folder, is.folder] as const;
  const differences: Difference[] = [];
  let answers = 0;
  const groups = Map.groupBy(paired.pairs, (pair) => nameOf(pair.was));
  const rest = leftoversOf(paired, was, is);
  for (const name of new Set([...groups.keys(), ...rest.keys()])) {
    const pairs = groups.get(name) ?? [];
    const compared = pairs.flatMap(answersOf);
    answers += compared.length;
    if (rest.get(name) === undefined && compared.every(isSame)) continue;
    const tell = (found: Found): void => void differences.push(masked({ ...found, operation: name }));
    const isLookup = pairs.some((pair) => pair.was.operation?.includes('{') ?? false);
    for (const found of compareStatuses(compared, isLookup)) tell(found);
    const heaps = heapsOf(compared, folders, tell);
    add(heaps, rest.get(name));
    for (const heap of heaps.common()) await compareHeap(name, heap, { folders, profile, rename, tell });
  }
  return { differences: settle(differences), paired, answers };
}

/** Heaps of the answers whose bodies can be laid side by side; tells what hinders the others. */
function heapsOf(
  compared: readonly AnswerPair[],
  folders: readonly [string, string],
  tell: (found: Found) => void,
): Heaps {
  const heaps = new Heaps();
  const media = new Map<string, { readonly kind: Kind; readonly was: string; readonly is: string; count: number }>();
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
      class: classOf(kind),
      kind,
      path: PLACES[kind] ?? 'header content-type',
      count: `${count} of ${compared.length}`,
      was,
      is,
    });
  return heaps;
}

/** Adds answers of requests that only one side has, behind those in pairs. */
function add(heaps: Heaps, rest: Leftovers | undefined): void {
  for (const response of rest?.was ?? []) heaps.of(response).was.push(response);
  for (const response of rest?.is ?? []) heaps.of(response).is.push(response);
}
