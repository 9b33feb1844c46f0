/** The names of the dialects, apart from the dialects: a command line is checked without loading them. */
export const DIALECT_NAMES = ['reference', 'xml', 'hypermedia', 'tabular', 'terse'] as const;
export type DialectName = (typeof DIALECT_NAMES)[number];
export const isDialectName = (text: string): text is DialectName => (DIALECT_NAMES as readonly string[]).includes(text);
