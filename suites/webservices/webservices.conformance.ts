/** Judges group A, job-oriented web services: `npx vitest run --project conformance suites/webservices`. */

import { describeConformance } from '../../src/api/vitest.ts';
import { suiteOptions } from '../../src/commands/suite-options.ts';

await describeConformance(suiteOptions('webservices'));
