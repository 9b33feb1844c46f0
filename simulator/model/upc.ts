/**
 * Converts between product index and UPC without a table (section 8: 12 digits). Eleven digits are an affine permutation
 * of the index, the twelfth is the check digit. UPCs do not depend on the seed, so that a profile can name existing UPCs.
 */
const SPACE = 100_000_000_000;
// Near the golden ratio of the space, so that neighbouring indexes are far apart; it ends in 7, so it has an inverse.
const FACTOR = 61_803_398_877;
// The UPC of index 0 begins with a zero.
const SHIFT = 4_210_000_017;
const INVERSE = inverse(BigInt(FACTOR), BigInt(SPACE));

/** The largest number of products for which the multiplication below is exact. */
export const MAX_PRODUCTS = 100_000_000;

function inverse(value: bigint, modulus: bigint): bigint {
  let [old, next, oldFactor, factor] = [value, modulus, 1n, 0n];
  while (next !== 0n) {
    const quotient = old / next;
    [old, next] = [next, old - quotient * next];
    [oldFactor, factor] = [factor, oldFactor - quotient * factor];
  }
  return ((oldFactor % modulus) + modulus) % modulus;
}

function checkDigit(payload: string): number {
  let sum = 0;
  for (let at = 0; at < 11; at += 1) sum += (payload.charCodeAt(at) - 48) * (at % 2 === 0 ? 3 : 1);
  return (10 - (sum % 10)) % 10;
}

/** The twelve digits in groups of three, from tables, because a bulk list computes a million UPCs. */
const GROUPS = Array.from({ length: 1000 }, (_, value) => String(value).padStart(3, '0'));
const weightedSums = (first: number, second: number): number[] =>
  GROUPS.map(([a, b, c]) => Number(a) * first + Number(b) * second + Number(c) * first);
const [ODD_SUMS, EVEN_SUMS] = [weightedSums(3, 1), weightedSums(1, 3)];

/** The UPC of a product, e.g. `upcAt(0)` is `042100000177`. */
export function upcAt(index: number): string {
  // In two parts, because the whole product exceeds the safe integers.
  const product = ((Math.floor(FACTOR / 100_000) * index) % 1_000_000) * 100_000;
  const upc = ((product + (FACTOR % 100_000) * index + SHIFT) % SPACE) * 10;
  const high = Math.floor(upc / 1_000_000);
  const low = upc - high * 1_000_000;
  const [a, c] = [Math.floor(high / 1000), Math.floor(low / 1000)];
  const [b, d] = [high - a * 1000, low - c * 1000];
  const sum = ODD_SUMS[a]! + EVEN_SUMS[b]! + ODD_SUMS[c]! + EVEN_SUMS[d]!;
  return GROUPS[a]! + GROUPS[b]! + GROUPS[c]! + GROUPS[d + ((10 - (sum % 10)) % 10)]!;
}

/** The index of a UPC, or undefined when its check digit is wrong. It does not check that a product has this index. */
export function indexOfUpc(upc: string): number | undefined {
  const payload = upc.slice(0, 11);
  if (Number(upc[11]) !== checkDigit(payload)) return undefined;
  const modulus = BigInt(SPACE);
  return Number((((BigInt(payload) - BigInt(SHIFT) + modulus) % modulus) * INVERSE) % modulus);
}
