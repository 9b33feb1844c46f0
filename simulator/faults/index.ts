/** Every fault of the simulator. A new fault is one literal in the file of its group. */
import { finderOf } from '../deviations/types.ts';
import { CATALOGUE_FAULTS } from './catalogue.ts';
import { CREDENTIAL_FAULTS } from './credentials.ts';
import { DATE_FAULTS } from './dates.ts';
import { DELTA_FAULTS } from './delta.ts';
import type { Fault } from './fault.ts';
import { FILTERED_LIST_FAULTS } from './filtered-lists.ts';
import { LATER_CALL_FAULTS, laterCallNamed } from './later-calls.ts';
import { LOOKUP_FAULTS } from './lookup.ts';
import { MISSING_INPUT_FAULTS } from './missing-inputs.ts';
import { PAGE_METADATA_FAULTS } from './page-metadata.ts';
import { PRODUCT_REFERENCE_FAULTS } from './product-reference.ts';
import { REFUSAL_FAULTS } from './refusals.ts';
import { RELOAD_FAULTS } from './reloads.ts';
import { RETAIL_MEASUREMENT_FAULTS } from './retail-measurement.ts';
import { ROUTING_FAULTS } from './routing.ts';
import { SECOND_CALL_FAULTS } from './second-calls.ts';
import { WEBSERVICES_FAULTS } from './webservices.ts';

export const FAULTS: readonly Fault[] = [
  ...ROUTING_FAULTS,
  ...CREDENTIAL_FAULTS,
  ...WEBSERVICES_FAULTS,
  ...CATALOGUE_FAULTS,
  ...PRODUCT_REFERENCE_FAULTS,
  ...LOOKUP_FAULTS,
  ...DELTA_FAULTS,
  ...RETAIL_MEASUREMENT_FAULTS,
  ...SECOND_CALL_FAULTS,
  ...LATER_CALL_FAULTS,
  ...REFUSAL_FAULTS,
  ...RELOAD_FAULTS,
  ...PAGE_METADATA_FAULTS,
  ...DATE_FAULTS,
  ...FILTERED_LIST_FAULTS,
  ...MISSING_INPUT_FAULTS,
];

/** Returns the fault with this name. @throws an Error that names the most similar one */
export const faultNamed = finderOf(FAULTS, ['fault', 'faults'], laterCallNamed);
