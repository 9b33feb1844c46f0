/** Every rule of the suite, in the order of the document. */
import type { Rule } from '../src/rule/index.ts';
import { catalogue } from './catalogue/index.ts';
import { everyOperation } from './every-operation/index.ts';
import { productReference } from './product-reference/index.ts';
import { retailMeasurement } from './retail-measurement/index.ts';
import { webservices } from './webservices/index.ts';

export const RULES: readonly Rule[] = [
  ...everyOperation,
  ...webservices,
  ...catalogue,
  ...productReference,
  ...retailMeasurement,
];

/** The rule of an id, or undefined. */
export const ruleOf = (id: string): Rule | undefined => RULES.find((rule) => rule.id === id);
