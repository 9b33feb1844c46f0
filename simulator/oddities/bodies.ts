/** Oddities of body formats and content codings (section 2; RFC 9110, section 8.4; RFC 8259). */
import { builtinModule } from '../../src/builtin-module.ts';
import { concat, latin1, textOfUtf8 } from '../../src/bytes.ts';
import { type OperationName, operationNamed } from '../../src/contract/index.ts';
import { always, bytesOf, eachObject, onJson, onJsonText, onReply } from './hooks.ts';
import type { Oddity } from './types.ts';

const zlib = () => builtinModule('node:zlib');

/** Brotli at its fastest level: only the coding matters here, not the size. */
const brotli = (body: Uint8Array): Uint8Array =>
  zlib().brotliCompressSync(body, { params: { [zlib().constants.BROTLI_PARAM_QUALITY]: 1 } });

/** Adds a content coding to those that a dialect applied; the header lists codings in the order of application. */
const coded = (name: string, code: (body: Uint8Array) => Uint8Array) =>
  always({
    encode(reply) {
      const body = bytesOf(reply);
      if (body.length === 0) return reply;
      const isCoding = ([header]: readonly [string, unknown]) => header.toLowerCase() === 'content-encoding';
      const headers = Object.entries(reply.headers);
      const applied = headers.filter(isCoding).flatMap(([, value]) => value);
      const others = Object.fromEntries(headers.filter((each) => !isCoding(each)));
      return { ...reply, body: code(body), headers: { ...others, 'Content-Encoding': [...applied, name].join(', ') } };
    },
  });

/** The bytes of a text in UTF-16, the lower byte of each unit first. */
const utf16 = (text: string): Uint8Array =>
  Uint8Array.from({ length: 2 * text.length }, (_, at) => (text.charCodeAt(at >> 1) >> (8 * (at % 2))) & 0xff);

const REFERENCE = { dialects: ['reference'] } as const;

export const BODY_ODDITIES: readonly Oddity[] = [
  {
    name: 'coded-gzip',
    legalBasis: 'codings',
    says: 'Every body is compressed with gzip.',
    start: coded('gzip', (body) => zlib().gzipSync(body)),
  },
  {
    name: 'coded-gzip-in-members',
    legalBasis: 'codings',
    says: 'Every body consists of two gzip members.',
    start: coded('GZIP', (body) =>
      concat([zlib().gzipSync(body.subarray(0, body.length >> 1)), zlib().gzipSync(body.subarray(body.length >> 1))]),
    ),
  },
  {
    name: 'coded-deflate',
    legalBasis: 'codings',
    says: 'Every body is compressed with deflate.',
    start: coded('deflate', (body) => zlib().deflateSync(body)),
  },
  {
    name: 'coded-deflate-raw',
    legalBasis: 'codings',
    says: 'Every body is compressed with deflate, without the zlib wrapper.',
    start: coded('deflate', (body) => zlib().deflateRawSync(body)),
  },
  {
    name: 'coded-brotli',
    legalBasis: 'codings',
    says: 'Every body is compressed with brotli.',
    start: coded('br', (body) => brotli(body)),
  },
  {
    name: 'coded-zstd',
    legalBasis: 'codings',
    says: 'Every body is compressed with zstd.',
    start: coded('zstd', (body) => zlib().zstdCompressSync(body)),
  },
  {
    name: 'coded-twice',
    legalBasis: 'codings',
    says: 'Every body is compressed with brotli and then with gzip.',
    start: coded('br, gzip', (body) => zlib().gzipSync(brotli(body))),
  },
  {
    name: 'coded-identity',
    legalBasis: 'codings',
    says: 'Every response has the content coding identity.',
    start: coded('identity', (body) => body),
  },
  {
    name: 'json-after-byte-order-mark',
    legalBasis: 'shapes',
    says: 'JSON begins with a byte-order mark.',
    start: onJsonText((text) => `\ufeff${text}`),
    ...REFERENCE,
  },
  {
    name: 'json-amid-blanks',
    legalBasis: 'shapes',
    says: 'JSON is indented with tabs, over many lines, with white space before and after.',
    start: onJson(
      (value) => value,
      (value) => `\r\n \t${JSON.stringify(value, null, '\t')}\n\n`,
    ),
    ...REFERENCE,
  },
  {
    name: 'json-escaped',
    legalBasis: 'shapes',
    says: 'JSON escapes slashes and all non-ASCII characters.',
    start: onJsonText((text) =>
      text
        .replaceAll('/', '\\/')
        .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ),
    ...REFERENCE,
  },
  {
    name: 'json-in-utf-16',
    legalBasis: 'shapes',
    says: 'JSON is encoded in UTF-16 with a byte-order mark, and its content type states this charset.',
    start: onReply((reply) =>
      String(reply.headers['content-type']).startsWith('application/json')
        ? {
            ...reply,
            headers: { ...reply.headers, 'content-type': 'application/json; charset=utf-16' },
            body: utf16(`\ufeff${textOfUtf8(bytesOf(reply))}`),
          }
        : reply,
    ),
    ...REFERENCE,
  },
  {
    name: 'json-states-latin-1',
    legalBasis: 'shapes',
    says: 'JSON is encoded in ISO 8859-1, and its content type states this charset.',
    start: onReply((reply) =>
      String(reply.headers['content-type']).startsWith('application/json')
        ? {
            ...reply,
            headers: { ...reply.headers, 'content-type': 'application/json; charset=ISO-8859-1' },
            body: latin1(textOfUtf8(bytesOf(reply))),
          }
        : reply,
    ),
    ...REFERENCE,
  },
  {
    name: 'csv-in-latin-1-without-charset',
    legalBasis: 'shapes',
    groups: ['C'],
    says: 'CSV is encoded in ISO 8859-1, and its content type states no charset.',
    start: onReply((reply) =>
      reply.headers['content-type'] === 'text/csv; charset=utf-8; header=present'
        ? {
            ...reply,
            headers: { ...reply.headers, 'content-type': 'text/csv' },
            body: latin1(textOfUtf8(bytesOf(reply))),
          }
        : reply,
    ),
    dialects: ['tabular'],
    weakestOutcome: 'undetermined',
  },
  {
    name: 'json-members-turned-about',
    legalBasis: 'shapes',
    says: 'The members of every JSON object are in reverse order.',
    start: onJson((value) => eachObject(value, (object) => Object.fromEntries(Object.entries(object).reverse()))),
    ...REFERENCE,
  },
  {
    name: 'json-member-order-changes',
    legalBasis: 'shapes',
    says: 'The members of every JSON object are in another order in every second response.',
    start() {
      let count = 0;
      return onJson((value) => {
        const isReversed = ++count % 2 === 0;
        return eachObject(value, (object) =>
          isReversed ? Object.fromEntries(Object.entries(object).reverse()) : object,
        );
      })();
    },
    dialects: ['reference', 'hypermedia', 'statistics'],
  },
  {
    name: 'json-with-more-members',
    legalBasis: 'extras',
    says: 'Every JSON object has undocumented members; one of them has the names of documented lists.',
    start: onJson((value) =>
      eachObject(value, (object) => ({
        _links: { self: { href: '/x' } },
        __typename: 'Row',
        ...object,
        extra: { products: [{ upc: 'not a UPC' }], rows: [{ sales4Weeks: 'many' }], items: [1] },
        schemaVersion: '9.9',
      })),
    ),
    ...REFERENCE,
  },
  {
    name: 'json-figures-as-text',
    legalBasis: 'shapes',
    says: 'Figures are decimal strings.',
    start: onJson((value) =>
      eachObject(value, (object) =>
        Object.fromEntries(
          Object.entries(object).map(([name, each]) => [
            name,
            /^sales|^percent/.test(name) && typeof each === 'number' ? String(each) : each,
          ]),
        ),
      ),
    ),
    ...REFERENCE,
  },
  {
    name: 'json-figures-with-exponents',
    legalBasis: 'shapes',
    says: 'Figures are written with exponents.',
    start: onJsonText((text) =>
      text.replace(/("sales\w+":)(-?\d+\.\d+)/g, (_all, name, value) => name + Number(value).toExponential()),
    ),
    ...REFERENCE,
  },
  {
    name: 'json-without-as-of',
    legalBasis: 'windows',
    says: 'No response states its data week.',
    start: onJson((value) => eachObject(value, ({ asOf: _, ...object }) => object)),
    profile: {
      operations: Object.fromEntries(
        ['allProducts', 'updateProducts', 'categoryPerformance', 'brandPerformance'].map((name) => [
          operationNamed(name as OperationName).key,
          { response: { fields: { asOf: null } } },
        ]),
      ),
    },
    weakestOutcome: 'partial',
    ...REFERENCE,
  },
];
