/** Every dialect the simulator speaks: a new one is one file beside this one, its name in names.ts and one line here. */
import { hypermedia } from './hypermedia/dialect.ts';
import type { DialectName } from './names.ts';
import { reference } from './reference.ts';
import { tabular } from './tabular/dialect.ts';
import { terse } from './terse.ts';
import type { Dialect } from './types.ts';
import { xml } from './xml/dialect.ts';

export const DIALECTS = { reference, xml, hypermedia, tabular, terse } as const satisfies Record<DialectName, Dialect>;
