/** Demands on all 41 operations: sections 4, 4.2 and 9. */
import type { Rule } from '../../src/rule/index.ts';
import { bodySchemas } from './body-schema.ts';
import { codesListed } from './codes.ts';
import { counts } from './counts.ts';
import { credentialsAccepted, credentialsRefused } from './credentials.ts';
import { dates } from './dates.ts';
import { echoes } from './echoes.ts';
import { missingInputs } from './missing-inputs.ts';
import { oneAsOf } from './one-as-of.ts';
import { oneReload } from './one-reload.ts';
import { pageSizes } from './page-sizes.ts';
import { ALIASES, aliasRules } from './path-aliases.ts';
import { fieldsRequired } from './required-fields.ts';
import { served, soundResponse } from './served.ts';
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
