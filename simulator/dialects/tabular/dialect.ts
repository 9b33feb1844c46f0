/**
 * The tabular dialect, like a service that grew out of file transfers. Lists are CSV in European spreadsheet format, changes
 * are NDJSON in gzip, short lists are JSON pages, the rest is plain text; bodies are forms. Documented paths without the
 * bearer token are 401, others 404. `src/profile/bundled/tabular.yaml` describes it.
 */
import type { Dialect } from '../types.ts';
import { readTabular } from './read.ts';
import { writeTabular } from './write.ts';

export const tabular: Dialect = { name: 'tabular', read: readTabular, write: writeTabular };
