/** Every rule of the suite, in the order of the document. */
import type { Rule } from '../src/rule/index.ts';
import { bodySchemas } from './body-schemas.ts';
import { catalogue } from './catalogue.ts';
import { everyOperation } from './every-operation.ts';
import { productReference } from './product-reference.ts';
import { retailMeasurement } from './retail-measurement.ts';
import { webservices } from './webservices.ts';

export const RULES: readonly Rule[] = [
  ...everyOperation,
  ...bodySchemas,
  ...webservices,
  ...catalogue,
  ...productReference,
  ...retailMeasurement,
];

/** The rule of an id, or undefined. */
export const ruleOf = (id: string): Rule | undefined => RULES.find((rule) => rule.id === id);
