/**
 * Every built-in dialect, loaded when it is used. A new dialect is one file in this folder, its name in names.ts and one
 * line here.
 */
import type { DialectName } from './names.ts';
import type { Dialect } from './types.ts';

export const DIALECTS: Readonly<Record<DialectName, () => Promise<Dialect>>> = {
  reference: async () => (await import('./reference.ts')).reference,
  xml: async () => (await import('./xml/dialect.ts')).xml,
  hypermedia: async () => (await import('./hypermedia/dialect.ts')).hypermedia,
  tabular: async () => (await import('./tabular/dialect.ts')).tabular,
  terse: async () => (await import('./terse.ts')).terse,
  statistics: async () => (await import('./statistics.ts')).statistics,
  soap: async () => (await import('./soap/dialect.ts')).soap,
};
