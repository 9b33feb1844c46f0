/** Every dialect the simulator speaks: a new one is one file beside this one and one line here. */
import { hypermedia } from './hypermedia/dialect.ts';
import { reference } from './reference.ts';
import { tabular } from './tabular/dialect.ts';
import { terse } from './terse.ts';
import type { Dialect } from './types.ts';
import { xml } from './xml/dialect.ts';

export const DIALECTS = { reference, xml, hypermedia, tabular, terse } as const satisfies Record<string, Dialect>;
export type DialectName = keyof typeof DIALECTS;
export const DIALECT_NAMES = Object.keys(DIALECTS) as DialectName[];
export const isDialectName = (text: string): text is DialectName => Object.hasOwn(DIALECTS, text);
