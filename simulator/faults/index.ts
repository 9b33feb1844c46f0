/** Every fault the simulator can have: a new one is one literal in the file of its group. */
import { GROUPS, type Group } from '../../src/contract/index.ts';
import { CATALOGUE_FAULTS } from './catalogue.ts';
import { DELTA_FAULTS } from './delta.ts';
import { LOOKUP_FAULTS } from './lookup.ts';
import { PRODUCT_REFERENCE_FAULTS } from './product-reference.ts';
import { RETAIL_MEASUREMENT_FAULTS } from './retail-measurement.ts';
import { ROUTING_FAULTS } from './routing.ts';
import { SECOND_CALL_FAULTS } from './second-calls.ts';
import type { Fault } from './types.ts';
import { WEBSERVICES_FAULTS } from './webservices.ts';

export const FAULTS = [
  ...ROUTING_FAULTS,
  ...WEBSERVICES_FAULTS,
  ...CATALOGUE_FAULTS,
  ...PRODUCT_REFERENCE_FAULTS,
  ...LOOKUP_FAULTS,
  ...DELTA_FAULTS,
  ...RETAIL_MEASUREMENT_FAULTS,
  ...SECOND_CALL_FAULTS,
] as const satisfies readonly Fault[];

export type FaultName = (typeof FAULTS)[number]['name'];

const byName = new Map<string, Fault>(FAULTS.map((each) => [each.name, each]));

/** The fault of a name; throws with the names there are when there is none such. */
export function faultNamed(name: string): Fault {
  const fault = byName.get(name);
  if (!fault) throw new Error(`no fault ${JSON.stringify(name)}; there are ${[...byName.keys()].join(', ')}`);
  return fault;
}

/** The group whose answers a fault spoils. */
export function groupOfFault({ name, statement, group }: Fault): Group {
  const own = group ?? (Object.keys(GROUPS) as Group[]).find((each) => statement.startsWith(`${each}.`));
  if (!own) throw new Error(`the fault ${name} of ${statement} must say its group`);
  return own;
}
