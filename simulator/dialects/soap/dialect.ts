/**
 * The SOAP dialect: an envelope with namespaces, counts and paging in attributes, name and value pairs, a Fault in a 200.
 * The bulk list is a base64 CSV file. Requests are uploads and forms (A), envelopes (B), or queries (C, D), and each group
 * has credentials of its own. `src/profile/bundled/soap.yaml` describes it.
 */
import type { Dialect } from '../types.ts';
import { readSoap } from './read.ts';
import { writeSoap } from './write.ts';

export const soap: Dialect = { name: 'soap', statesRemovals: true, read: readSoap, write: writeSoap };
