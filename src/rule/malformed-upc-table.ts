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

export const MALFORMED_UPCS: readonly Malformed[] = [
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
