/** A value of a text with its path; the items of a list share one path. */

export interface PathValue {
  /** `$.rows[*].etag` (columns of CSV, too), `/./Item/@id`, `word 3`. */
  readonly path: string;
  /** The value in normalised form. */
  readonly value: string;
  /** The offsets in the text; -1 for markers, such as the length of a list or the begin of an element. */
  readonly start: number;
  readonly end: number;
}

/** Markers in place of a value: the begin of a list item, the begin and the end of an element. */
export const ITEM = '-';
export const ELEMENT = '<>';
export const ELEMENT_END = '</>';

/** A marker at a path. */
export const marker = (path: string, value: string): PathValue => ({ path, value, start: -1, end: -1 });

const NAME = /^[A-Za-z_][\w-]*$/;

/** The path of a member below a path, e.g. `$.rows`. */
export const pathOfMember = (path: string, name: string): string =>
  NAME.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
