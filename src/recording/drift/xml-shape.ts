/** The shape of an XML element: children and attributes by name, and how many elements have each. */
import type { XmlNode } from '../../reading/xml-tree.ts';
import { hashOf, mixHash } from './hash.ts';
import { type InferOptions, inferShape } from './infer-shape.ts';
import type { Shape } from './shape.ts';

/** Adds an element; returns its hash. @param path of the element if it is outside of lists, e.g. `/products` */
export function inferXmlShape(shape: Shape, node: XmlNode, options: InferOptions, path?: string): number {
  shape.occurrences++;
  shape.types.set('object', shape.count('object') + 1);
  let hash = 17;
  for (const [name, rawValue] of Object.entries(node)) {
    // White space around a text is not content.
    const value = name === '#text' && typeof rawValue === 'string' ? rawValue.trim() : rawValue;
    const childPath = path === undefined ? undefined : name === '#text' ? path : `${path}/${name}`;
    if (typeof value === 'string') {
      // An element without text is the same as one with an empty text.
      if (name === '#text' && value === '') continue;
      const member = shape.member(name);
      member.presentCount++;
      hash = (hash + mixHash(inferShape(member.shape, value, options, childPath), hashOf(name))) >>> 0;
      continue;
    }
    const member = shape.member(name);
    member.presentCount++;
    if (value.length > 1) member.repeated++;
    for (const each of value) {
      const child = inferXmlShape(member.shape, each, options, value.length > 1 ? undefined : childPath);
      hash = (hash + mixHash(child, hashOf(name))) >>> 0;
    }
  }
  shape.sum = (shape.sum + mixHash(hash, 1)) >>> 0;
  return hash;
}
