/** Demands on all 41 operations: sections 4, 4.2 and 9. */
import type { Rule } from '../../src/rule/index.ts';
import { oneAsOf, oneReload } from './as-of.ts';
import { bodySchemas } from './body-schema.ts';
import { credentialsAccepted, credentialsRefused } from './credentials.ts';
import { dates, fieldsRequired } from './fields.ts';
import { missingInputs } from './missing-inputs.ts';
import { codesListed, counts, echoes } from './page-metadata.ts';
import { pageSizes } from './page-sizes.ts';
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
