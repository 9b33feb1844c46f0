/** Every oddity of the simulator. A new oddity is one literal in the file of its theme. */
import { finderOf } from '../deviations/types.ts';
import { ANSWER_ODDITIES } from './answers.ts';
import { BODY_ODDITIES } from './bodies.ts';
import { CATALOGUE_ODDITIES } from './catalogues.ts';
import { CONNECTION_ODDITIES } from './connections.ts';
import { DELTA_ODDITIES } from './deltas.ts';
import { ERROR_ODDITIES } from './errors.ts';
import { HEADER_ODDITIES } from './headers.ts';
import { JOB_ODDITIES } from './jobs.ts';
import { LIMIT_ODDITIES } from './limits.ts';
import type { Oddity } from './oddity.ts';
import { PAGE_METADATA_ODDITIES } from './page-metadata.ts';
import { PATH_ODDITIES } from './paths.ts';
import { CACHE_ODDITIES, RELOAD_ODDITIES, TIME_ODDITIES } from './reloads.ts';
import { CODE_ODDITIES, ROW_ODDITIES } from './rows.ts';
import { SALES_ODDITIES } from './sales.ts';
import { VISIBILITY_ODDITIES } from './visibility.ts';

export const ODDITIES: readonly Oddity[] = [
  ...ROW_ODDITIES,
  ...SALES_ODDITIES,
  ...DELTA_ODDITIES,
  ...RELOAD_ODDITIES,
  ...ANSWER_ODDITIES,
  ...JOB_ODDITIES,
  ...ERROR_ODDITIES,
  ...PATH_ODDITIES,
  ...HEADER_ODDITIES,
  ...BODY_ODDITIES,
  ...CATALOGUE_ODDITIES,
  ...CONNECTION_ODDITIES,
  ...TIME_ODDITIES,
  ...PAGE_METADATA_ODDITIES,
  ...CACHE_ODDITIES,
  ...LIMIT_ODDITIES,
  ...VISIBILITY_ODDITIES,
  ...CODE_ODDITIES,
];

/** Returns the oddity with this name. @throws an Error that names the most similar one */
export const oddityNamed = finderOf(ODDITIES, ['oddity', 'oddities']);
