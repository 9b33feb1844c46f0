/**
 * The XML dialect, as different from the reference dialect as the document allows: namespaces and prefixes, values in attributes,
 * CDATA and comments, three encodings, pages by offset, bodies as forms and XML, basic credentials.
 * `src/profile/bundled/xml.yaml` describes it.
 */
import type { Dialect } from '../types.ts';
import { readXml } from './read.ts';
import { writeXml } from './write.ts';

export const xml: Dialect = { name: 'xml', read: readXml, write: writeXml };
