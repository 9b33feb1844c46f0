/** The names of the dialects. They are separate, so that the command line validates a name without loading dialects. */
export const DIALECT_NAMES = ['reference', 'xml', 'hypermedia', 'tabular', 'terse', 'statistics', 'soap'] as const;
export type DialectName = (typeof DIALECT_NAMES)[number];
export const isDialectName = (text: string): text is DialectName => (DIALECT_NAMES as readonly string[]).includes(text);
