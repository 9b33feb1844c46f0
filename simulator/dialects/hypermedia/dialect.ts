/**
 * The hypermedia dialect, as far from the reference as the document allows: HAL envelopes and links, small pages in three
 * styles, a key in a header without which even unknown paths answer 401, filters in one expression, figures by period in
 * cents. `src/profile/bundled/hypermedia.yaml` describes it.
 */
import type { Dialect } from '../types.ts';
import { readHypermedia } from './read.ts';
import { writeHypermedia } from './write.ts';

export const hypermedia: Dialect = { name: 'hypermedia', read: readHypermedia, write: writeHypermedia };
