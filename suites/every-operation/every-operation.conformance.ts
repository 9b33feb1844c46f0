/** Judges the demands on every operation: `npx vitest run --project conformance suites/every-operation`. */
import { suiteOptions } from '../../src/api/suite-options.ts';
import { describeConformance } from '../../src/vitest.ts';

await describeConformance(suiteOptions('every-operation'));
