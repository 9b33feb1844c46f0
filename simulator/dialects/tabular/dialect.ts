/**
 * The tabular dialect returns files. Long lists are CSV with semicolons, decimal commas and days as DD.MM.YYYY; deltas are
 * NDJSON with gzip content coding; short lists are JSON pages; all other responses are plain text. Request bodies are forms.
 * A request for a documented path without the bearer token gets 401; any undocumented path gets 404. `src/profile/bundled/tabular.yaml` describes it.
 */
import type { Dialect } from '../types.ts';
import { readTabular } from './read.ts';
import { writeTabular } from './write.ts';

export const tabular: Dialect = { name: 'tabular', statesRemovals: true, read: readTabular, write: writeTabular };
