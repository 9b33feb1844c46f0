import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ResponseHead } from '../exchange/types.ts';
import { type BodyPlan, readBody } from './read-body.ts';
import { chunksOf } from './read-shape.test.support.ts';
import { type Row, Unconverted } from './types.ts';

/** Reads a body of a media type, in small and in large chunks. */
async function read(type: string, plan: Partial<BodyPlan>, body: string | Uint8Array, more: [string, string][] = []) {
  const bytes = Buffer.from(body);
  const head: ResponseHead = { status: 200, reasonPhrase: '', headers: [['Content-Type', type], ...more] };
  const results = [];
  for (const chunk of [1, 13, 100_000]) {
    const found: Row[] = [];
    const observation = await readBody({ fields: {}, ...plan }, head, chunksOf(bytes, chunk), (row) => found.push(row));
    expect(observation.rows).toBe(found.length);
    results.push({ ...observation, found });
  }
  const [one, ...otherSelectors] = results as [(typeof results)[number], ...typeof results];
  for (const other of otherSelectors) expect(other).toEqual(one);
  return one;
}

describe('CSV', () => {
  const text = 'UPC,Category,"Dollar Sales",Change\r\n012345678905,"Chips, Dips",12.5,\r\n036000291452,Größe\r\n';
  const fields: BodyPlan['fields'] = {
    upc: { at: '@.UPC' },
    category: { at: '@.Category' },
    sales4Weeks: { at: "@['Dollar Sales']" },
    percentChange: { at: '@.Change' },
  };
  const found = [
    { upc: '012345678905', category: 'Chips, Dips', sales4Weeks: 12.5, percentChange: null },
    { upc: '036000291452', category: 'Größe', sales4Weeks: undefined, percentChange: undefined },
  ];

  it.each([undefined, '$', '$[*]'])('has a row per record, with the rows selector %s', async (rows) => {
    const result = await read('text/csv', { ...(rows && { rows }), fields }, text);
    expect(result.problem).toBeUndefined();
    expect(result.found).toEqual(found);
  });

  it('may have a byte-order mark, another charset, a content coding, or tabs as delimiters', async () => {
    expect((await read('text/csv', { fields }, `\ufeff${text}`)).found).toEqual(found);
    expect((await read('text/csv; charset=iso-8859-1', { fields }, Buffer.from(text, 'latin1'))).found).toEqual(found);
    expect((await read('text/csv', { fields }, gzipSync(text), [['Content-Encoding', 'gzip']])).found).toEqual(found);
    const tabs = 'UPC\tCategory\n012345678905\tChips, Dips\n';
    expect((await read('text/tab-separated-values', { fields }, tabs)).found).toMatchObject([
      { upc: '012345678905', category: 'Chips, Dips' },
    ]);
  });

  it('may have no records, or be filtered, and has values of its first one', async () => {
    expect(await read('text/csv', { rows: '$[*]', fields }, 'UPC,Category\n')).toMatchObject({
      rows: 0,
      complete: true,
    });
    expect(await read('text/csv', { rows: '$[*]', fields }, '')).toMatchObject({ rows: 0, complete: true });
    const one: BodyPlan['fields'] = { ...fields, market: { at: '$[0].Category' } };
    expect(await read('text/csv', { rows: '$[*]', fields: one }, text)).toMatchObject({
      rows: 2,
      values: { market: ['Chips, Dips'] },
    });
    const filtered = await read('text/csv', { rows: "$[?@.Category == 'Größe']", fields }, text);
    expect(filtered.found).toEqual(found.slice(1));
  });

  it('is read by functions too', async () => {
    const byFunction: BodyPlan['fields'] = { brand: { at: (row) => Object.keys(row as object).length } };
    expect((await read('text/csv', { fields: byFunction }, text)).found).toEqual([{ brand: '4' }, { brand: '2' }]);
  });

  it('whose records are longer than the first one has no names for their cells', async () => {
    expect((await read('text/csv', { fields }, 'UPC,Category\n1,2,,\n')).rows).toBe(1);
    expect((await read('text/csv', { fields }, 'UPC,Category\n1,2,,3\n')).problem).toEqual({
      kind: 'rowsNotFound',
      message:
        'a CSV record has 4 cells, but the header line has 2: csv.header, csv.comment or csv.delimiter may be missing',
    });
  });

  it('reports its problems', async () => {
    expect((await read('text/csv', { fields }, 'UPC\n"1')).problem?.kind).toBe('truncated');
    expect((await read('text/csv', { fields }, Buffer.from([0x41, 0x0a, 0xff, 0x0a]))).problem?.kind).toBe('charset');
    expect((await read('text/csv', { fields }, Buffer.from([0x41, 0x0a, 0xc3]))).problem?.kind).toBe('charset');
    expect((await read('text/csv', { fields, maxRowBytes: 20 }, text)).problem?.kind).toBe('tooLarge');
    expect((await read('text/csv', { rows: '$..x', fields, maxWholeBytes: 20 }, text)).problem?.kind).toBe('tooLarge');
    expect((await read('text/csv', { rows: '$.products[*]', fields }, text)).problem).toMatchObject({
      kind: 'rowsNotFound',
      message: expect.stringContaining('$.products[*] finds no rows; the body is [ 2 × { UPC: "0123…"'),
    });
  });
});

describe('XML', () => {
  const text = `<?xml version="1.0"?>
    <p:answer xmlns:p="urn:p" market="Total US">
      <p:products>
        <p:product upc="012345678905"><p:category>Chips &amp; Dips</p:category><p:sales unit="USD">12.50</p:sales>
          <p:trait name="size">L</p:trait><p:trait name="colour">red</p:trait></p:product>
        <p:product upc="36000291452"><p:category/><p:sales/></p:product>
      </p:products>
      <p:asOf>1970-01-08</p:asOf><p:next>p2</p:next>
    </p:answer>`;
  const fields: BodyPlan['fields'] = {
    upc: { at: "@['@upc']", as: 'upcNumber' },
    category: { at: '@.category[0]' },
    sales4Weeks: { at: '@.sales[0]' },
    characteristics: { at: '@.trait[*]' },
    market: { at: "$.answer[0]['@market']" },
    asOf: { at: '$.answer[0].asOf[0]' },
  };
  const rows = '$.answer[0].products[0].product[*]';
  const found = [
    {
      upc: '012345678905',
      category: 'Chips & Dips',
      sales4Weeks: 12.5,
      characteristics: [
        { '@name': 'size', '#text': 'L' },
        { '@name': 'colour', '#text': 'red' },
      ],
    },
    { upc: '036000291452', category: null, sales4Weeks: null, characteristics: [] },
  ];
  const values = { market: ['Total US'], asOf: [7] };

  it.each([rows, '$..product[*]', '$.answer[0].products[0].product', '$.answer[*].products[*].product[*]'])(
    'has its rows at %s',
    async (at) => {
      const result = await read('application/xml', { rows: at, fields, next: '$.answer[0].next[0]["#text"]' }, text);
      expect(result.problem).toBeUndefined();
      expect(result).toMatchObject({ values, next: 'p2', complete: true });
      expect(result.found[0]).toEqual(found[0]);
      expect(result.found[1]).toMatchObject({ upc: '036000291452', category: null, sales4Weeks: null });
    },
  );

  it('reads the text of an element by its name too', async () => {
    const byText: BodyPlan['fields'] = { category: { at: "@.category[0]['#text']" } };
    expect((await read('text/xml', { rows, fields: byText }, text)).found[0]).toEqual({ category: 'Chips & Dips' });
    const whole: BodyPlan['fields'] = { category: { at: '@' } };
    expect((await read('text/xml', { rows, fields: whole }, text)).found[0]?.category).toBeInstanceOf(Unconverted);
  });

  it('has no rows if their container is empty, and a problem if there is none', async () => {
    for (const empty of ['<answer><products/></answer>', '<answer><products>\n</products></answer>']) {
      expect(await read('text/xml', { rows }, empty)).toMatchObject({ rows: 0, complete: true });
    }
    for (const other of ['<answer/>', '<fault><code>1</code></fault>']) {
      expect((await read('text/xml', { rows }, other)).problem).toMatchObject({ kind: 'rowsNotFound' });
    }
  });

  it('keeps the rows that values need', async () => {
    const first: BodyPlan['fields'] = { market: { at: `${rows.replace('[*]', '[0]')}.category[0]` } };
    expect(await read('text/xml', { rows, fields: first }, text)).toMatchObject({
      rows: 2,
      values: { market: ['Chips & Dips'] },
    });
    const every: BodyPlan['fields'] = { sales4Weeks: { at: '$..sales[*]' } };
    expect(await read('text/xml', { rows, fields: every }, text)).toMatchObject({
      rows: 2,
      values: { sales4Weeks: [12.5, null] },
    });
  });

  it('reports its problems', async () => {
    expect((await read('text/xml', { rows }, text.slice(0, 300))).problem?.kind).toBe('truncated');
    expect((await read('text/xml', { rows }, text.replace('</p:products>', ''))).problem?.kind).toBe('syntax');
    expect((await read('text/xml', { rows }, Buffer.from(text, 'utf16le'))).problem?.kind).toBe('syntax');
    expect((await read('text/xml', { rows, maxRowBytes: 20 }, text)).problem?.kind).toBe('tooLarge');
    expect((await read('text/xml', { rows, maxWholeBytes: 20 }, text)).problem?.kind).toBe('tooLarge');
  });
});

describe('binary bodies', () => {
  const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0x00, 0xd8]);
  const sha256 = createHash('sha256').update(picture).digest('hex');
  const fields: BodyPlan['fields'] = { id: { at: '$.sha256' }, grain: { at: '$.bytes', as: 'list' } };

  it('are described by their length and digest', async () => {
    const result = await read('image/png', { media: 'binary', rows: '$', fields }, picture);
    expect(result).toMatchObject({ rows: 1, complete: true, values: { id: [sha256], grain: [[8]] } });
  });

  it('are used unchanged, independent of byte-order mark and charset', async () => {
    const marked = Buffer.from([0xff, 0xfe, 0x41, 0x00]);
    const digest = createHash('sha256').update(marked).digest('hex');
    expect((await read('application/pdf; charset=utf-16', { media: 'binary', fields }, marked)).values.id).toEqual([
      digest,
    ]);
  });

  it('are decompressed if they have a content coding', async () => {
    const result = await read('image/svg+xml', { media: 'binary', fields }, gzipSync(picture), [
      ['Content-Encoding', 'gzip'],
    ]);
    expect(result.values.id).toEqual([sha256]);
  });

  it('may be empty', async () => {
    expect(await read('image/png', { media: 'binary', rows: '$', fields }, '')).toMatchObject({
      rows: 0,
      complete: true,
      values: { id: [], grain: [] },
    });
  });

  it.each(['image/png', 'application/octet-stream', 'application/zip', 'nonsense', ''])(
    'are not guessed from %j: the profile is asked',
    async (type) => {
      expect((await read(type, { rows: '$', fields }, picture)).problem).toMatchObject({
        kind: 'media',
        message: expect.stringContaining('declare its format in response.media'),
      });
      expect((await read(type, {}, picture)).problem).toBeUndefined();
    },
  );
});
