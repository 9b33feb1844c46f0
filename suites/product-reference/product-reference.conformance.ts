/** Judges group C, product reference: `npx vitest run --project conformance suites/product-reference`. */

import { describeConformance } from '../../src/api/vitest.ts';
import { suiteOptions } from '../../src/commands/suite-options.ts';

await describeConformance(suiteOptions('product-reference'));
