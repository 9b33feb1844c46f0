/** Judges group D, retail measurement: `npx vitest run --project conformance suites/retail-measurement`. */

import { describeConformance } from '../../src/api/vitest.ts';
import { suiteOptions } from '../../src/commands/suite-options.ts';

await describeConformance(suiteOptions('retail-measurement'));
