/// <reference types="node" preserve="true" />
/** The public API of the package for vitest, which is an optional peer (docs/api.md). */
export { describeConformance, type FinishedRun, type Presentation } from '../commands/describe-conformance.ts';

import '../commands/to-conform.ts';
