/** Well-formed UPCs that a service hardly knows: of 10¹¹, one in a hundred is assigned to a product (section 8: 12 digits). */
import { seededHash } from './seeded-hash.ts';

/** Number systems of consumer products: 2 to 5 are for weights, coupons and shops. */
const FIRST_DIGITS = '016789';

/** A UPC with a correct check digit, which depends on the seed and the number only. @example randomUpc(1, 1) */
export function randomUpc(seed: number, nth: number): string {
  const numbers = Array.from({ length: 11 }, (_, at) => seededHash(`upc ${nth} ${at}`, seed));
  const digits = numbers.map((number, at) =>
    at === 0 ? Number(FIRST_DIGITS[number % FIRST_DIGITS.length]) : number % 10,
  );
  const sum = digits.reduce((all, digit, at) => all + digit * (at % 2 === 0 ? 3 : 1), 0);
  return `${digits.join('')}${(10 - (sum % 10)) % 10}`;
}
