/** Judges the demands on every operation: `npx vitest run --project conformance suites/every-operation`. */

import { describeConformance } from '../../src/api/vitest.ts';
import { suiteOptions } from '../../src/commands/suite-options.ts';

await describeConformance(suiteOptions('every-operation'));
