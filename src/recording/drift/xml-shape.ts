/** The shape of an XML element: children and attributes by name, in how many elements each stands. */
import type { XmlNode } from '../../reading/xml-tree.ts';
import { hashOf, mixHash } from './hash.ts';
import { type InferOptions, inferShape } from './infer-shape.ts';
import type { Shape } from './shape.ts';

/** Notes an element; returns its hash. `path`: where it stands once, e.g. `/products`. */
export function inferXmlShape(shape: Shape, node: XmlNode, look: InferOptions, path?: string): number {
  shape.seen++;
  shape.types.set('object', shape.count('object') + 1);
  let hash = 17;
  for (const [name, given] of Object.entries(node)) {
    // Blanks around a text are layout.
    const value = name === '#text' && typeof given === 'string' ? given.trim() : given;
    const within = path === undefined ? undefined : name === '#text' ? path : `${path}/${name}`;
    if (typeof value === 'string') {
      // An element without a text and one that stands for nothing look alike.
      if (name === '#text' && value === '') continue;
      const member = shape.member(name);
      member.having++;
      hash = (hash + mixHash(inferShape(member.shape, value, look, within), hashOf(name))) >>> 0;
      continue;
    }
    const member = shape.member(name);
    member.having++;
    if (value.length > 1) member.repeated++;
    for (const each of value) {
      const child = inferXmlShape(member.shape, each, look, value.length > 1 ? undefined : within);
      hash = (hash + mixHash(child, hashOf(name))) >>> 0;
    }
  }
  shape.sum = (shape.sum + mixHash(hash, 1)) >>> 0;
  return hash;
}
