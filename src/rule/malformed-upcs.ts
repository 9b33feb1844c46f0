/** UPCs that no product has: malformed ones, and well-formed ones that a service hardly knows (sections 4.3 and 8). */

import { isUpc, PRODUCT_LOOKUP } from '../contract/index.ts';
import { seededHash } from './draws.ts';
import type { Declarations, Reading, Row, Step } from './index.ts';
import { type characteristics, FOUND, hasProduct, knownUpcs, type LookUp, lookUpOf, rowsOf } from './look-ups.ts';

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

/**
 * Strings that are not 12 ASCII digits, each built from a known UPC (sections 4.3 and 8): an implementation that trims,
 * pads, parses or truncates them finds the product. `admittedBy` is the normalisation that the profile may declare.
 */
interface Malformed {
  readonly name: string;
  readonly admittedBy?: 'trim' | 'pad' | 'ean13' | 'gtin14' | 'separators';
  make(upc: string): string;
}

const shifted = (upc: string, zero: number): string =>
  [...upc].map((digit) => String.fromCodePoint(zero + Number(digit))).join('');

const MALFORMED_UPCS: readonly Malformed[] = [
  { name: 'the last digit cut off', make: (upc) => upc.slice(0, 11) },
  { name: 'the first digit cut off', admittedBy: 'pad', make: (upc) => upc.slice(1) },
  { name: 'leading zeros cut off', admittedBy: 'pad', make: (upc) => upc.replace(/^0+(?=\d)/, '') },
  { name: 'a digit appended', make: (upc) => `${upc}0` },
  { name: 'a zero put before (13 digits)', admittedBy: 'ean13', make: (upc) => `0${upc}` },
  { name: 'two zeros put before (14 digits)', admittedBy: 'gtin14', make: (upc) => `00${upc}` },
  { name: 'one digit', make: (upc) => upc.slice(-1) },
  { name: '1000 digits', make: (upc) => upc.repeat(84).slice(0, 1000) },
  // Replaces a zero, so that a server that reads the letter as zero finds the known UPC.
  {
    name: 'a letter for a digit',
    make: (upc) => (upc.includes('0') ? upc.replace('0', 'O') : `${upc.slice(0, 5)}O${upc.slice(6)}`),
  },
  { name: 'a letter appended', make: (upc) => `${upc}A` },
  { name: 'letters only', make: () => 'ABCDEFGHIJKL' },
  { name: 'a plus sign before', make: (upc) => `+${upc}` },
  { name: 'a plus sign before 11 digits', make: (upc) => `+${upc.slice(1)}` },
  { name: 'a minus sign before', make: (upc) => `-${upc}` },
  { name: 'a space before', admittedBy: 'trim', make: (upc) => ` ${upc}` },
  { name: 'a space after', admittedBy: 'trim', make: (upc) => `${upc} ` },
  { name: 'a tab after', admittedBy: 'trim', make: (upc) => `${upc}\t` },
  { name: 'a line feed after', admittedBy: 'trim', make: (upc) => `${upc}\n` },
  { name: 'a NUL after', make: (upc) => `${upc}\0` },
  { name: 'spaces inside', admittedBy: 'separators', make: (upc) => `${upc.slice(0, 6)} ${upc.slice(6)}` },
  {
    name: 'hyphens inside',
    admittedBy: 'separators',
    make: (upc) => `${upc.slice(0, 1)}-${upc.slice(1, 6)}-${upc.slice(6, 11)}-${upc.slice(11)}`,
  },
  { name: 'full-width digits', make: (upc) => shifted(upc, 0xff10) },
  { name: 'Arabic-Indic digits', make: (upc) => shifted(upc, 0x0660) },
  { name: 'a decimal fraction appended', make: (upc) => `${upc}.0` },
  { name: 'in exponent form', make: (upc) => `${upc}e0` },
  { name: 'in hexadecimal', make: (upc) => `0x${Number(upc).toString(16)}` },
  { name: 'a comma and a second UPC', make: (upc) => `${upc},${upc}` },
];

type MalformedSteps = Record<string, Step<{ product: typeof characteristics }>>;

/** The text after each normalisation that the profile may declare, in the order in which a service applies them. */
const NORMALISATIONS: Readonly<Record<NonNullable<Malformed['admittedBy']>, (text: string) => string>> = {
  trim: (text) => text.trim(),
  separators: (text) => text.replace(/[ -]/g, ''),
  gtin14: (text) => text.replace(/^00(?=\d{12}$)/, ''),
  ean13: (text) => text.replace(/^0(?=\d{12}$)/, ''),
  pad: (text) => text.padStart(12, '0'),
};

/**
 * Whether a text in a path is malformed and reaches the look-up: slashes, dots and semicolons may route to other paths,
 * formats and parameters. Texts that become a UPC by a declared normalisation are excluded.
 */
function isPlainlyMalformed(text: string, { upcAdmits }: Declarations): boolean {
  if (isUpc(text) || !/^[\p{Nd}A-Za-z+\-\s\0]{1,1000}$/u.test(text)) return false;
  let normalised = text;
  for (const [name, normalise] of Object.entries(NORMALISATIONS))
    if (upcAdmits.some((each) => each === name)) normalised = normalise(normalised);
  return !isUpc(normalised);
}

/** The malformed strings of a known UPC, without those that a declared normalisation allows. */
function malformedFrom(upc: string, { upcAdmits }: Declarations): string[] {
  const admitted = MALFORMED_UPCS.filter((each) => !each.admittedBy || !upcAdmits.includes(each.admittedBy));
  return [...new Set(admitted.map((each) => each.make(upc)).filter((text) => !isUpc(text)))];
}

/**
 * The look-ups of an unknown UPC, of up to two known ones, and of malformed strings built from these. The names of the
 * steps begin with `unknown`, `known` and `malformed`.
 */
export function malformedUpcSteps(declarations: Declarations): MalformedSteps {
  const unknown = lookUpOf(declarations.unknownUpc, 'response');
  const count = declarations.draw('malformedFrom');
  const bulk = knownUpcs(declarations, count);
  if (bulk) {
    const each = { from: 'bulk', fold: 'some', as: { upc: 'upc' } } as const;
    const listed = { operation: PRODUCT_LOOKUP, folds: FOUND.folds } as const;
    const malform = (rows: readonly Row[]) =>
      rows.slice(0, count).flatMap((row) => malformedFrom(String(row.upc), declarations).map((upc): Row => ({ upc })));
    const steps: Record<string, Step> = {
      bulk: { ...bulk, optional: true },
      unknown: { ...unknown, optional: true },
      known: {
        ...listed,
        each: { ...each, max: count },
        accepts: 'response',
        alsoMatches: ({ upc }) => isUpc(String(upc)),
      },
      malformed: {
        ...listed,
        each: { ...each, max: 40 * count, choose: malform },
        accepts: 'any',
        alsoMatches: ({ upc }) => isPlainlyMalformed(String(upc), declarations),
      },
    };
    return steps as MalformedSteps;
  }
  const known = declarations.examples('upc').map(String).filter(isUpc).slice(0, count);
  const malformed = new Set(known.flatMap((upc) => malformedFrom(upc, declarations)));
  return Object.fromEntries([
    ['unknown', unknown],
    ...known.map((upc, at) => [`known${at}`, lookUpOf(upc, 'response')]),
    ...[...malformed].map((upc, at) => [`malformed${at}`, lookUpOf(upc)]),
  ]) as MalformedSteps;
}

/** The readings of `malformedUpcSteps`, by the kind of their UPC. */
export function readingsByUpc(seen: { readonly [name: string]: readonly LookUp[] }) {
  const named = (prefix: string): LookUp[] =>
    Object.entries(seen).flatMap(([name, readings]) => (name.startsWith(prefix) ? readings : []));
  return { unknown: seen.unknown?.[0], known: named('known'), malformed: named('malformed') };
}

/** Whether two look-ups have the same content. */
export const hasSameContent = (one: Reading, other: Reading): boolean =>
  one.observation?.digest === other.observation?.digest;

/** Whether a response contains a product, judged without an unknown UPC to compare with. */
function isCertainProduct(reading: LookUp, known: readonly LookUp[]): boolean {
  if (rowsOf(reading).some(({ upc }) => typeof upc === 'string' && isUpc(upc))) return true;
  const products = new Set(known.filter(hasProduct).map(({ observation }) => observation?.digest));
  return products.size > 1 && products.has(reading.observation?.digest);
}

/** Whether a look-up of a malformed string returns a product, and not what an unknown UPC returns. */
export const returnsProduct = (
  reading: LookUp,
  { unknown, known }: Pick<ReturnType<typeof readingsByUpc>, 'unknown' | 'known'>,
): boolean => hasProduct(reading) && (unknown ? !hasSameContent(reading, unknown) : isCertainProduct(reading, known));
