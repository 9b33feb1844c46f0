/** Every rule of the suite, in the order of the document. */
import type { Rule } from '../src/rule/index.ts';
import { catalogue } from './catalogue/index.ts';
import { everyOperation } from './every-operation/index.ts';
import { productReference } from './product-reference/index.ts';
import { retailMeasurement } from './retail-measurement/index.ts';
import { webservices } from './webservices/index.ts';

/** The rules of each folder of `suites/`. Each folder has an entry for vitest, `FOLDER/FOLDER.conformance.ts`. */
export const SUITES = {
  'every-operation': everyOperation,
  webservices,
  catalogue,
  'product-reference': productReference,
  'retail-measurement': retailMeasurement,
} as const satisfies Record<string, readonly Rule[]>;

/** The name of a folder of `suites/`. */
export type SuiteName = keyof typeof SUITES;

export const RULES: readonly Rule[] = Object.values(SUITES).flat();

/** The rule of an id, or undefined. */
export const ruleOf = (id: string): Rule | undefined => RULES.find((rule) => rule.id === id);

/** The folders that contain at least one of these rules. */
export function suitesOf(ids: readonly string[]): SuiteName[] {
  const wanted = new Set(ids);
  return (Object.keys(SUITES) as SuiteName[]).filter((suite) => SUITES[suite].some(({ id }) => wanted.has(id)));
}
