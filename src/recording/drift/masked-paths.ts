/** Applies the masks of the recordings: values at masked places are volatile. */
import { isOperationKey } from '../../contract/index.ts';
import { headerPlace, placesFor } from '../format/masks.ts';
import { type DriftDifference, driftClassOf } from './classes.ts';
import type { RecordedTraffic } from './recorded-requests.ts';

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
export function maskedBy(...sides: readonly RecordedTraffic[]): (difference: DriftDifference) => DriftDifference {
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
