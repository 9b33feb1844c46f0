/** Named character references of HTML for ASCII and Latin-1: encoders use no others for a credential. */

/** Each name with its character. */
const ASCII = [
  'Tab\t NewLine\n excl! quot" QUOT" num# dollar$ percnt% amp& AMP& apos\' lpar( rpar) ast* midast* plus+ comma, period.',
  'sol/ colon: semi; lt< LT< equals= gt> GT> quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] Hat^ lowbar_ UnderBar_',
  'grave` lcub{ lbrace{ verbar| vert| VerticalLine| rcub} rbrace} euro€',
];

/** From U+00A0 to U+00FF, in order. */
const LATIN_1 = [
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro',
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil',
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave',
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml',
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute',
  'thorn yuml',
]
  .join(' ')
  .split(' ');

/** The length of the longest name. */
export const LONGEST_ENTITY = 12;

/** Code points by the name between `&` and `;`. */
export const ENTITY_CODES: ReadonlyMap<string, number> = new Map([
  ...ASCII.flatMap((each) => each.split(' ')).map((each): [string, number] => [
    each.slice(0, -1),
    each.charCodeAt(each.length - 1),
  ]),
  ...LATIN_1.map((name, at): [string, number] => [name, 0xa0 + at]),
]);

/** Decodes the character references in a text. */
export const decodeReferences = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (each, hex, decimal, name) => {
    const code = name ? ENTITY_CODES.get(name) : Number.parseInt(hex ?? decimal, hex ? 16 : 10);
    return code !== undefined && code <= 0x10ffff ? String.fromCodePoint(code) : each;
  });
