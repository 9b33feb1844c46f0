/** Judges group B, catalogue metadata: `npx vitest run --project conformance suites/catalogue`. */
import { describeConformance } from '../../src/api/describe-conformance.ts';

await describeConformance('catalogue');
