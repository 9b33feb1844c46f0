/** Judges group C, product reference: `npx vitest run --project conformance suites/product-reference`. */
import { suiteOptions } from '../../src/api/suite-options.ts';
import { describeConformance } from '../../src/vitest.ts';

await describeConformance(suiteOptions('product-reference'));
