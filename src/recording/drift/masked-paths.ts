/** Places that the recordings know to differ from answer to answer (masks of their provenance). */
import { isOperationKey } from '../../contract/index.ts';
import { headerPlace, placesFor } from '../format/masks.ts';
import { type DriftDifference, driftClassOf } from './classes.ts';
import type { RecordedTraffic } from './recorded-requests.ts';

/** How a mask may spell a path of ours. */
function spellings(path: string): string[] {
  const bare = path.replace(/^\dxx /, '');
  if (bare.startsWith('header ')) return [headerPlace(bare.slice('header '.length))];
  // Masks of XML leave open what the root is called, and texts stand in their elements.
  if (bare.startsWith('/')) {
    const element = bare.replace(/\/text\(\)$/, '');
    return [element, element.replace(/^\/[^/]+/, '/.')];
  }
  return [bare.replace(/\['((?:[^'\\]|\\.)*)'\]/g, (_, name: string) => `[${JSON.stringify(name)}]`)];
}

/** Other values at masked places are volatile: what tells them so from others. */
export function maskedBy(...sides: readonly RecordedTraffic[]): (difference: DriftDifference) => DriftDifference {
  const masks = sides.flatMap(({ about }) => about.masks);
  if (masks.length === 0) return (difference) => difference;
  return (difference) => {
    const { operation, path, kind } = difference;
    if (kind !== 'value' && kind !== 'format') return difference;
    const places = placesFor(masks, isOperationKey(operation) ? operation : undefined);
    if (!spellings(path).some((each) => places.has(each))) return difference;
    const passing = path.includes('header ') ? 'passing header' : 'passing';
    return { ...difference, kind: passing, class: driftClassOf(passing) };
  };
}
