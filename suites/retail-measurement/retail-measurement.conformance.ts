/** Judges group D, retail measurement: `npx vitest run --project conformance suites/retail-measurement`. */
import { describeConformance } from '../../src/api/describe-conformance.ts';

await describeConformance('retail-measurement');
