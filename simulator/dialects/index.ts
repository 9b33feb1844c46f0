/**
 * Every built-in dialect, loaded when it is used. Three are written by hand, so that a writer and a reader that share no code
 * face each other; the others are those of their bundled profiles. `tabular` is one of the three, because its content coding,
 * charset, byte-order mark and sentences are what no profile states.
 */
import type { DialectName } from './names.ts';
import type { Dialect } from './types.ts';

const BY_HAND: { readonly [N in DialectName]?: () => Promise<Dialect> } = {
  reference: async () => (await import('./reference.ts')).reference,
  tabular: async () => (await import('./tabular/dialect.ts')).tabular,
  soap: async () => (await import('./soap/dialect.ts')).soap,
};

/** Creates the dialect of a name. */
export const loadDialect = async (name: DialectName): Promise<Dialect> =>
  BY_HAND[name]?.() ?? (await import('./from-profile/dialect.ts')).bundledDialect(name);
