/** Judges group D, retail measurement: `npx vitest run --project conformance suites/retail-measurement`. */
import { suiteOptions } from '../../src/api/suite-options.ts';
import { describeConformance } from '../../src/vitest.ts';

await describeConformance(suiteOptions('retail-measurement'));
