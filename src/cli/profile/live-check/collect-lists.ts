/** Collects responses of groups C and D. */
import {
  type Input,
  type OperationKey,
  operationNamed,
  PERFORMANCE_OPERATIONS,
  SALES_FILTERS,
} from '../../../contract/index.ts';
import { type Inputs, mentionedInputs } from '../../../profile/template.ts';
import { declarationsOf } from '../../../rule/declarations.ts';
import { holdsAllWindows } from '../../../run/fetch-request.ts';
import type { Collector } from './collector.ts';
import { exampleValues, type SourceValues, valuesReadBy } from './source-values.ts';

const CATEGORIES = operationNamed('allCategories').key;
const PRODUCTS = operationNamed('allProducts').key;
const LOOK_UP = operationNamed('products').key;
const DELTA = operationNamed('updateProducts').key;
const METADATA = operationNamed('performanceMetadata').key;

const MALFORMED_UPC = '12345';

const mentions = ({ profile }: Collector, operation: OperationKey, input: Input): boolean => {
  const request = profile.data.operations?.[operation]?.request;
  return request !== undefined && mentionedInputs(request).has(input);
};

async function sendEach(
  collector: Collector,
  operation: OperationKey,
  input: Input,
  found: SourceValues | undefined,
  others: (value: string | number | boolean) => Inputs = () => ({}),
): Promise<void> {
  for (const value of found?.values ?? [])
    await collector.send(operation, { ...others(value), [input]: value }, { source: found?.source ?? [] });
}

/** Categories, products with and without filter, each window of the delta, look-ups. */
export async function collectProducts(collector: Collector): Promise<void> {
  const { profile } = collector;
  await collector.send(CATEGORIES);
  await collector.send(PRODUCTS);
  for (const window of holdsAllWindows(profile, DELTA) ? [1] : [1, 4, 13]) await collector.send(DELTA, { window });
  const upcs = valuesReadBy(collector.received, PRODUCTS, 'upc', 3);
  await sendEach(collector, LOOK_UP, 'upc', upcs);
  await sendEach(collector, LOOK_UP, 'upc', exampleValues(profile, 'upc', 2, LOOK_UP));
  await sendEach(collector, LOOK_UP, 'upc', valuesReadBy(collector.received, DELTA, 'upc', 1));
  for (const upc of [declarationsOf(profile).unknownUpc, MALFORMED_UPC])
    await collector.send(LOOK_UP, { upc }, { mustBeUnknown: true });
  for (const input of ['category', 'categoryId'] as const) {
    if (!mentions(collector, PRODUCTS, input)) continue;
    const listed =
      valuesReadBy(collector.received, CATEGORIES, input, 2) ??
      valuesReadBy(collector.received, PRODUCTS, input, 2) ??
      exampleValues(profile, input, 2, PRODUCTS);
    await sendEach(collector, PRODUCTS, input, listed);
  }
}

/** Metadata, and the performance of categories and brands without and with each filter. */
export async function collectPerformance(collector: Collector): Promise<void> {
  await collector.send(METADATA);
  for (const operation of PERFORMANCE_OPERATIONS) {
    const whole = await collector.send(operation);
    for (const input of SALES_FILTERS) {
      if (!mentions(collector, operation, input)) continue;
      const found =
        valuesReadBy(collector.received, METADATA, input, 1) ??
        valuesReadBy(collector.received, operation, input, 1) ??
        exampleValues(collector.profile, input, 1, operation);
      // A sub-category may be unique in its category only.
      const categoryOf = (value: unknown): Inputs => {
        const category = whole?.rows.find((row) => row.subCategory === value)?.category;
        return input === 'subCategory' && typeof category === 'string' && mentions(collector, operation, 'category')
          ? { category }
          : {};
      };
      await sendEach(collector, operation, input, found, categoryOf);
    }
  }
}
