/** Oddities of body formats and content codings (section 2; RFC 9110, section 8.4; RFC 8259). */
import { builtinModule } from '../../src/builtin-module.ts';
import { concat, latin1, textOfUtf8 } from '../../src/bytes.ts';
import { PERFORMANCE_NAMES, stating } from '../deviations/places.ts';
import {
  bytesOf,
  eachObject,
  onJson,
  onJsonNumbers,
  onJsonObjects,
  onJsonText,
  onReply,
} from '../deviations/replies.ts';
import type { DialectResponse } from '../dialects/types.ts';
import { type Oddity, oddity, partialOddity, undeterminedOddity } from './oddity.ts';

const zlib = () => builtinModule('node:zlib');

/** Brotli at its fastest level: only the coding matters here, not the size. */
const brotli = (body: Uint8Array): Uint8Array =>
  zlib().brotliCompressSync(body, { params: { [zlib().constants.BROTLI_PARAM_QUALITY]: 1 } });

const isCoding = ([name]: readonly [string, unknown]) => name.toLowerCase() === 'content-encoding';

/** Adds a content coding to those that a dialect applied; the header lists codings in the order of application. */
function encode(reply: DialectResponse, name: string, code: (body: Uint8Array) => Uint8Array): DialectResponse {
  const body = bytesOf(reply);
  if (body.length === 0) return reply;
  const headers = Object.entries(reply.headers);
  const applied = headers.filter(isCoding).flatMap(([, value]) => value);
  const others = Object.fromEntries(headers.filter((each) => !isCoding(each)));
  return { ...reply, body: code(body), headers: { ...others, 'Content-Encoding': [...applied, name].join(', ') } };
}

const coded = (name: string, says: string, coding: string, code: (body: Uint8Array) => Uint8Array) =>
  oddity(`coded-${name}`, 'codings', 'all', { says, hooks: { encode: (reply) => encode(reply, coding, code) } });

/** The bytes of a text in UTF-16, the lower byte of each unit first. */
const utf16 = (text: string): Uint8Array =>
  Uint8Array.from({ length: 2 * text.length }, (_, at) => (text.charCodeAt(at >> 1) >> (8 * (at % 2))) & 0xff);

/** Writes the bodies of one content type in another charset. */
const inCharset = (from: RegExp, type: string, write: (text: string) => Uint8Array) =>
  onReply((reply) =>
    from.test(String(reply.headers['content-type']))
      ? { ...reply, headers: { ...reply.headers, 'content-type': type }, body: write(textOfUtf8(bytesOf(reply))) }
      : reply,
  );

const reversed = (object: object) => Object.fromEntries(Object.entries(object).reverse());

const dialects = ['reference'] as const;

export const BODY_ODDITIES: readonly Oddity[] = [
  coded('gzip', 'Every body is compressed with gzip.', 'gzip', (body) => zlib().gzipSync(body)),
  coded('gzip-in-members', 'Every body consists of two gzip members.', 'GZIP', (body) =>
    concat([zlib().gzipSync(body.subarray(0, body.length >> 1)), zlib().gzipSync(body.subarray(body.length >> 1))]),
  ),
  coded('deflate', 'Every body is compressed with deflate.', 'deflate', (body) => zlib().deflateSync(body)),
  coded('deflate-raw', 'Every body is compressed with deflate, without the zlib wrapper.', 'deflate', (body) =>
    zlib().deflateRawSync(body),
  ),
  coded('brotli', 'Every body is compressed with brotli.', 'br', brotli),
  coded('zstd', 'Every body is compressed with zstd.', 'zstd', (body) => zlib().zstdCompressSync(body)),
  coded('twice', 'Every body is compressed with brotli and then with gzip.', 'br, gzip', (body) =>
    zlib().gzipSync(brotli(body)),
  ),
  coded('identity', 'Every response has the content coding identity.', 'identity', (body) => body),
  oddity('json-after-byte-order-mark', 'shapes', 'all', {
    says: 'JSON begins with a byte-order mark.',
    hooks: onJsonText((text) => `\ufeff${text}`),
    dialects,
  }),
  oddity('json-amid-blanks', 'shapes', 'all', {
    says: 'JSON is indented with tabs, over many lines, with white space before and after.',
    hooks: onJson(
      (value) => value,
      (value) => `\r\n \t${JSON.stringify(value, null, '\t')}\n\n`,
    ),
    dialects,
  }),
  oddity('json-escaped', 'shapes', 'all', {
    says: 'JSON escapes slashes and all non-ASCII characters.',
    hooks: onJsonText((text) =>
      text
        .replaceAll('/', '\\/')
        .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ),
    dialects,
  }),
  oddity('json-in-utf-16', 'shapes', 'all', {
    says: 'JSON is encoded in UTF-16 with a byte-order mark, and its content type states this charset.',
    hooks: inCharset(/^application\/json/, 'application/json; charset=utf-16', (text) => utf16(`\ufeff${text}`)),
    dialects,
  }),
  oddity('json-states-latin-1', 'shapes', 'all', {
    says: 'JSON is encoded in ISO 8859-1, and its content type states this charset.',
    hooks: inCharset(/^application\/json/, 'application/json; charset=ISO-8859-1', latin1),
    dialects,
  }),
  undeterminedOddity('csv-in-latin-1-without-charset', 'shapes', 'C', {
    says: 'CSV is encoded in ISO 8859-1, and its content type states no charset.',
    hooks: inCharset(/^text\/csv; charset=utf-8; header=present$/, 'text/csv', latin1),
    dialects: ['tabular'],
  }),
  oddity('json-members-turned-about', 'shapes', 'all', {
    says: 'The members of every JSON object are in reverse order.',
    hooks: onJsonObjects(reversed),
    dialects,
  }),
  oddity('json-member-order-changes', 'shapes', 'all', {
    says: 'The members of every JSON object are in another order in every second response.',
    hooks() {
      let count = 0;
      return onJson((value) => (++count % 2 === 0 ? eachObject(value, reversed) : value));
    },
    dialects: ['reference', 'hypermedia', 'statistics'],
  }),
  oddity('json-with-more-members', 'extras', 'all', {
    says: 'Every JSON object has undocumented members; one of them has the names of documented lists.',
    hooks: onJsonObjects((object) => ({
      _links: { self: { href: '/x' } },
      __typename: 'Row',
      ...object,
      extra: { products: [{ upc: 'not a UPC' }], rows: [{ sales4Weeks: 'many' }], items: [1] },
      schemaVersion: '9.9',
    })),
    dialects,
  }),
  oddity('json-figures-as-text', 'shapes', 'all', {
    says: 'Figures are decimal strings.',
    hooks: onJsonNumbers((name) => /^sales|^percent/.test(name), String),
    dialects,
  }),
  oddity('json-figures-with-exponents', 'shapes', 'all', {
    says: 'Figures are written with exponents.',
    hooks: onJsonText((text) =>
      text.replace(/("sales\w+":)(-?\d+\.\d+)/g, (_all, name, value) => name + Number(value).toExponential()),
    ),
    dialects,
  }),
  partialOddity('json-without-as-of', 'windows', 'all', {
    says: 'No response states its data week.',
    hooks: onJsonObjects(({ asOf: _, ...object }) => object),
    profile: stating(['allProducts', 'updateProducts', ...PERFORMANCE_NAMES], { response: { fields: { asOf: null } } }),
    dialects,
  }),
];
