/**
 * The tabular dialect: what a service says that grew out of file transfers. Lists are CSV as European spreadsheets write it,
 * changes are NDJSON in gzip, short lists come page by page in JSON, the rest is plain text; bodies are forms; a bearer
 * token, without which documented paths answer 401 and others 404. `src/profile/bundled/tabular.yaml` describes it.
 */
import type { Dialect } from '../types.ts';
import { readTabular } from './read.ts';
import { writeTabular } from './write.ts';

export const tabular: Dialect = { name: 'tabular', read: readTabular, write: writeTabular };
