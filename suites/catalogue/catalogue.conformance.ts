/** Judges group B, catalogue metadata: `npx vitest run --project conformance suites/catalogue`. */
import { suiteOptions } from '../../src/api/suite-options.ts';
import { describeConformance } from '../../src/vitest.ts';

await describeConformance(suiteOptions('catalogue'));
