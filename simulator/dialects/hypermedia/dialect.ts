/**
 * The hypermedia dialect, as different from the reference as the document allows: HAL envelopes and links, small pages in
 * three styles, an API key in a header (unknown paths without it are 401, too), one filter expression, figures by period in
 * cents. `src/profile/bundled/hypermedia.yaml` describes it.
 */
import type { Dialect } from '../types.ts';
import { readHypermedia } from './read.ts';
import { writeHypermedia } from './write.ts';

export const hypermedia: Dialect = {
  name: 'hypermedia',
  statesRemovals: true,
  changesOrder: true,
  read: readHypermedia,
  write: writeHypermedia,
};
