import { expect, test } from 'vitest';
import fc from '../../seeded-fast-check.test.support.ts';
import { scrubUpload } from './uploads.ts';

const IMPORT = 'POST /webservices/importLocation';
const TYPE = 'multipart/form-data; boundary="b-1"';
const part = (head: string, content: Buffer | string): Buffer =>
  Buffer.concat([
    Buffer.from(`--b-1\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
const body = (...parts: Buffer[]): Buffer => Buffer.concat([...parts, Buffer.from('--b-1--\r\n')]);

test('files become invented ones of the same form, other parts stay', () => {
  const given = body(
    part('name="title"', 'Stores'),
    part('name="file"; filename="Acme customers.csv"\r\nContent-Type: text/csv', 'Name;ZIP\nJoe’s --b-1;10001\n'),
    part('name="picture"; filename="a.png"', Buffer.from([0x89, 0x50, 0, 1, 2])),
  );
  const { bytes } = scrubUpload(IMPORT, given, TYPE) as { bytes: Buffer };
  expect(bytes.toString('latin1')).toBe(
    body(
      part('name="title"', 'Stores'),
      part('name="file"; filename="upload.csv"\r\nContent-Type: text/csv', 'Xxxx;XXX\nXxx?x --x-0;00000\n'),
      part('name="picture"; filename="upload.png"', '\0mdwi'),
    ).toString('latin1'),
  );
  expect(scrubUpload(IMPORT, bytes, TYPE)).toEqual({ bytes });
});

test('nothing of a file’s letters and digits remains, whatever it holds', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), (binary, text) => {
      for (const content of [Buffer.from(binary), Buffer.from(text)]) {
        if (content.includes('--b-1')) continue;
        const given = body(part('name="f"; filename="f"', content), part('name="x"', '1'));
        const { bytes } = scrubUpload(IMPORT, given, TYPE) as { bytes: Buffer };
        const start = given.indexOf('\r\n\r\n') + 4;
        const kept = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4, bytes.indexOf('\r\n--b-1\r\n', start));
        expect(kept.toString('latin1').replace(/\0m?d?w?i?/g, '')).not.toMatch(/[A-WYZa-wyz1-9]/);
      }
    }),
  );
});

test('other bodies and other operations stay as they are', () => {
  const given = body(part('name="f"; filename="f"', 'secret'));
  expect(scrubUpload(undefined, given, TYPE)).toEqual({ bytes: given });
  expect(scrubUpload('POST /data-access/v1/Catalogues', given, TYPE)).toEqual({ bytes: given });
  expect(scrubUpload(IMPORT, given, 'application/json')).toEqual({ bytes: given });
});

test.each([
  ['no boundary', 'multipart/form-data', body()],
  ['it does not contain the boundary', 'multipart/form-data; boundary=other', body()],
  ['ends within a part', TYPE, part('name="f"; filename="f"', 'secret')],
  ['has no head', TYPE, body(Buffer.from('--b-1\r\nsecret\r\n'))],
  ['is encoded', TYPE, body(part('name="f"; filename="f"\r\nContent-Transfer-Encoding: base64', 'c2VjcmV0'))],
])('a body that cannot be parsed is refused: %s', (why, type, given) => {
  const { whyNotRecorded } = scrubUpload(IMPORT, given, type) as { whyNotRecorded: string };
  expect(whyNotRecorded).toContain(why);
  expect(whyNotRecorded).toContain('record without --scrub uploads');
});

test.each([
  ['text/csv; charset=utf-8', 'store,street\nNorth,12 Elm\n', 'xxxxx,xxxxxx\nXxxxx,00 Xxx\n'],
  ['application/octet-stream', 'a1;b2', 'x0;x0'],
  ['application/vnd.ms-excel', 'a\tb', 'x\tx'],
])('a body that is a file by itself is replaced: %s', (type, body, invented) => {
  const scrubbed = scrubUpload('POST /webservices/createlist', Buffer.from(body), type);
  expect('bytes' in scrubbed && scrubbed.bytes.toString()).toBe(invented);
});

test.each([
  ['application/json', '{"name":"North"}'],
  ['application/x-www-form-urlencoded', 'name=North'],
  ['application/xml', '<a/>'],
])('a body that asks for something stays: %s', (type, body) => {
  expect(scrubUpload('POST /webservices/createlist', Buffer.from(body), type)).toEqual({ bytes: Buffer.from(body) });
});
