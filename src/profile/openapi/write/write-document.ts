/** The text of an OpenAPI document, in the format that the ending of its file names. */
import { extname } from 'node:path';
import { stringify } from 'yaml';
import type { PlainObject } from '../../plain-object.ts';

const writeYaml = (document: PlainObject): string =>
  stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });

const FORMATS: Readonly<Record<string, (document: PlainObject) => string>> = {
  '.json': (document) => `${JSON.stringify(document, undefined, 2)}\n`,
  '.yaml': writeYaml,
  '.yml': writeYaml,
};

/** Returns the writer of documents for a file; undefined if its ending names no format. */
export const documentWriter = (file: string): ((document: PlainObject) => string) | undefined =>
  FORMATS[extname(file).toLowerCase()];
