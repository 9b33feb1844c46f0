/** Collects responses of group B: the tree of each catalogue, one item further down each. */
import {
  CATALOGUE_GRAPH,
  CATALOGUES,
  type Input,
  LOGICAL_DIMENSIONS,
  type OperationKey,
  operationNamed,
} from '../../../contract/index.ts';
import type { Inputs } from '../../../profile/template.ts';
import type { Collector } from './collector.ts';
import { exampleValues, type SourceValues, valuesReadBy } from './source-values.ts';
import type { Received } from './types.ts';

const REFRESH_DATES = operationNamed('refreshDates').key;
const SHARE_PROMPTS = operationNamed('measureSharePrompts').key;

/** Values of one level that are sent further down: two show whether an operation accepts them at all. */
const ITEMS = 2;

/** Sends everything below the items that an operation listed. */
async function descend(
  collector: Collector,
  parent: OperationKey,
  listed: Received | undefined,
  inputs: Inputs,
): Promise<void> {
  for (const { child, parent: from, as } of CATALOGUE_GRAPH) {
    if (from !== parent) continue;
    const found =
      valuesReadBy([listed], parent, 'id', ITEMS) ?? exampleValues(collector.profile, as, 1, child, inputs.catalogueId);
    await sendItems(collector, child, as, found, inputs);
  }
}

async function sendItems(
  collector: Collector,
  operation: OperationKey,
  as: Input,
  found: SourceValues | undefined,
  inputs: Inputs,
): Promise<void> {
  let hasDescended = false;
  for (const value of found?.values ?? []) {
    const sent = { ...inputs, [as]: value };
    const response = await collector.send(operation, sent, { source: found?.source ?? [] });
    // Below a refused value, every other value would be refused, too.
    if (hasDescended || (response && !response.observation)) continue;
    hasDescended = true;
    await descend(collector, operation, response, sent);
  }
}

/** Lists the catalogues, and walks the tree of the first one; of another one, only its root. */
export async function collectCatalogue(collector: Collector): Promise<void> {
  const { profile } = collector;
  const examples = exampleValues(profile, 'catalogueId', 2);
  await collector.send(CATALOGUES, examples ? { catalogueId: examples.values[0] as string } : {});
  const catalogues = valuesReadBy(collector.received, CATALOGUES, 'id', 2) ?? examples;
  for (const [at, catalogueId] of (catalogues?.values ?? []).entries()) {
    const about = { source: catalogues?.source ?? [] };
    const listed = await collector.send(LOGICAL_DIMENSIONS, { catalogueId }, about);
    await collector.send(REFRESH_DATES, { catalogueId }, about);
    if (at > 0 || (listed && !listed.observation)) continue;
    const measures = exampleValues(profile, 'measure', 1, SHARE_PROMPTS, catalogueId);
    await sendItems(collector, SHARE_PROMPTS, 'measure', measures, { catalogueId });
    await descend(collector, LOGICAL_DIMENSIONS, listed, { catalogueId });
  }
}
