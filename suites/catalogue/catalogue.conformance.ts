/** Judges group B, catalogue metadata: `npx vitest run --project conformance suites/catalogue`. */

import { describeConformance } from '../../src/api/vitest.ts';
import { suiteOptions } from '../../src/commands/suite-options.ts';

await describeConformance(suiteOptions('catalogue'));
