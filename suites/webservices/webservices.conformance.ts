/** Judges group A, job-oriented web services: `npx vitest run --project conformance suites/webservices`. */
import { describeConformance } from '../../src/api/describe-conformance.ts';

await describeConformance('webservices');
