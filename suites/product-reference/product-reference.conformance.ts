/** Judges group C, product reference: `npx vitest run --project conformance suites/product-reference`. */
import { describeConformance } from '../../src/api/describe-conformance.ts';

await describeConformance('product-reference');
