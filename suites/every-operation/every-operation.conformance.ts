/** Judges the demands on every operation: `npx vitest run --project conformance suites/every-operation`. */
import { describeConformance } from '../../src/api/describe-conformance.ts';

await describeConformance('every-operation');
