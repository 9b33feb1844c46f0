/** Demands on all 41 operations: sections 4, 4.2 and 9. */
import type { Rule } from '../../src/rule/index.ts';
import { oneAsOf, oneReload } from './as-of.ts';
import { bodySchemas, dates, fieldsRequired } from './bodies.ts';
import { codesListed, counts, echoes } from './page-metadata.ts';
import { pageSizes } from './page-sizes.ts';
import { credentialsAccepted, credentialsRefused, missingInputs } from './required-parts.ts';
import { ALIASES, aliasRules, served, soundResponse } from './served.ts';
import { servedAgain } from './served-again.ts';

export const everyOperation: readonly Rule[] = [
  served,
  servedAgain,
  soundResponse,
  credentialsAccepted,
  ...credentialsRefused,
  missingInputs,
  ...ALIASES.flatMap(aliasRules),
  bodySchemas,
  counts,
  oneAsOf,
  oneReload,
  pageSizes,
  dates,
  fieldsRequired,
  echoes,
  codesListed,
];
