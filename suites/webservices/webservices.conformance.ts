/** Judges group A, job-oriented web services: `npx vitest run --project conformance suites/webservices`. */
import { suiteOptions } from '../../src/api/suite-options.ts';
import { describeConformance } from '../../src/vitest.ts';

await describeConformance(suiteOptions('webservices'));
