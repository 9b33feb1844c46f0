/** The identity of what is wrong, for waivers and comparisons. */
import { type OperationKey, operationOf } from '../contract/index.ts';

/** The rule and the operation that a fingerprint begins with. */
export const fingerprintPrefix = (rule: string, operation: OperationKey): string =>
  `${rule}/${operationOf(operation).name}/`;

/**
 * The fingerprint of a finding: it is the same for another row, value or count, and differs for another kind of deviation.
 * @example fingerprintOf('C.upc-12-digits', ALL_PRODUCTS, 'upc-too-few-digits') // 'C.upc-12-digits/allProducts/upc-too-few-digits'
 */
export const fingerprintOf = (rule: string, operation: OperationKey, kind: string): string =>
  fingerprintPrefix(rule, operation) + kind;

/**
 * The fingerprint that lets a waiver cover an inconclusive result: the defect of another check may prevent the judgement.
 * No finding has it, so such a waiver never covers a failure.
 */
export const inconclusiveFingerprint = (rule: string, operation: OperationKey): string =>
  fingerprintOf(rule, operation, 'inconclusive');
