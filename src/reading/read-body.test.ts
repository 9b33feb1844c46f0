import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ResponseHead } from '../exchange/types.ts';
import { type BodyPlan, readBody } from './read-body.ts';
import { chunksOf } from './read-shape.test.support.ts';
import { type Row, Unconverted } from './types.ts';

const JSON_TYPE: [string, string] = ['Content-Type', 'application/json'];

interface Answer {
  readonly status?: number;
  readonly headers?: readonly (readonly [string, string])[];
  readonly chunk?: number;
  readonly startIndex?: number;
}

/** Reads a body; whatever is no text or bytes is sent as JSON. */
async function read(
  plan: Partial<BodyPlan>,
  body: unknown,
  { status = 200, headers = [JSON_TYPE], chunk = 50, startIndex }: Answer = {},
) {
  const bytes = body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const head: ResponseHead = { status, reasonPhrase: '', headers };
  const rows: Row[] = [];
  const indexes: number[] = [];
  const keep = (row: Row, index: number) => {
    rows.push(row);
    indexes.push(index);
  };
  const observation = await readBody({ fields: {}, ...plan }, head, chunksOf(bytes, chunk), keep, startIndex);
  expect(observation.rows).toBe(rows.length);
  expect(observation.complete).toBe(observation.problem === undefined);
  return { ...observation, found: rows, indexes };
}

const PRODUCTS: Partial<BodyPlan> = {
  rows: '$.products[*]',
  fields: { upc: { at: '@.gtin' }, category: { at: '@.cat' }, market: { at: '$.market' }, asOf: { at: '$.meta.asOf' } },
};
const BODY = {
  market: 'Total US',
  products: [{ gtin: '012345678905', cat: 'Chips' }, { gtin: 36000291452, cat: null }, { gtin: '12' }],
  meta: { asOf: '1970-01-08', next: 'p2' },
};

describe('a list in JSON', () => {
  it('is read with the members before and after it', async () => {
    const { found, values, problem } = await read(PRODUCTS, BODY);
    expect(problem).toBeUndefined();
    expect(found).toEqual([
      { upc: '012345678905', category: 'Chips' },
      { upc: '036000291452', category: null },
      { upc: new Unconverted('12', 'not exactly 12 ASCII digits'), category: undefined },
    ]);
    expect(values).toEqual({ market: ['Total US'], asOf: [7] });
  });

  it('counts rows over pages', async () => {
    expect((await read(PRODUCTS, BODY, { startIndex: 100 })).indexes).toEqual([100, 101, 102]);
  });

  it.each<[string, NonNullable<BodyPlan['rows']>, unknown, number]>([
    ['at the root', '$[*]', [1, 2], 2],
    ['at the root, without a star', '$', [1, 2], 2],
    ['without a star', '$.a', { a: [1, 2, 3] }, 3],
    ['that is one object', '$.a', { a: { b: 1 } }, 1],
    ['of members', '$.a[*]', { a: { x: {}, y: {} } }, 2],
    ['behind an index', '$.a[0].b[*]', { a: [{ b: [1, 2] }] }, 2],
    ['out of many lists', '$.a[*].b[*]', { a: [{ b: [1, 2] }, { b: [3] }] }, 3],
    ['that is filtered', '$.a[?@.on == true]', { a: [{ on: true }, { on: false }] }, 1],
    ['found anywhere', '$..id', { a: { id: 1, b: [{ id: 2 }] } }, 2],
    ['named by a pointer', '$response.body#/a/b', { a: { b: [1, 2] } }, 2],
    ['named by a pointer through a list', '$response.body#/a/0', { a: [[1, 2, 3]] }, 3],
    ['found by a function', (document) => (document as { a: unknown[] }).a.slice(1), { a: [1, 2, 3] }, 2],
    ['empty', '$.a[*]', { a: [] }, 0],
    ['null', '$.a[*]', { a: null }, 0],
    ['null, without a star', '$.a', { a: null }, 0],
    ['an empty object', '$.a[*]', { a: {} }, 0],
    ['of empty lists', '$.a[*].b[*]', { a: [{ b: [] }] }, 0],
    ['with nothing to pass the filter', '$.a[?@.on == true]', { a: [{ on: false }] }, 0],
    ['of which a function finds none', () => [], {}, 0],
  ])('%s', async (_, rows, body, count) => {
    for (const chunk of [1, 1000]) {
      expect(await read({ rows, fields: {} }, body, { chunk })).toMatchObject({ rows: count, complete: true });
    }
  });

  it('keeps the rows that a value needs', async () => {
    const fields: BodyPlan['fields'] = { upc: { at: '@.u' }, market: { at: '$.a[0].m' } };
    const body = {
      a: [
        { u: 1, m: 'US' },
        { u: 2, m: 'CA' },
      ],
    };
    expect(await read({ rows: '$.a[*]', fields }, body)).toMatchObject({ rows: 2, values: { market: ['US'] } });
    const every: BodyPlan['fields'] = { ...fields, market: { at: '$.a[*].m' } };
    expect(await read({ rows: '$.a[*]', fields: every }, body)).toMatchObject({
      rows: 2,
      values: { market: ['US', 'CA'] },
    });
    const anywhere: BodyPlan['fields'] = { ...fields, market: { at: '$..m' } };
    expect(await read({ rows: '$.a[*]', fields: anywhere }, body)).toMatchObject({
      rows: 2,
      values: { market: ['US', 'CA'] },
    });
  });

  it('may be combined with functions for fields, applied to rows', async () => {
    const { found } = await read({ rows: '$[*]', fields: { category: { at: (row) => (row as string[])[0] } } }, [
      ['Chips'],
      ['Dips'],
    ]);
    expect(found).toEqual([{ category: 'Chips' }, { category: 'Dips' }]);
  });

  it('may be absent: values of a single response', async () => {
    const fields: BodyPlan['fields'] = {
      upc: { at: '$.gtin' },
      characteristics: { at: '$.c' },
      category: { at: (document) => (document as { k: string }).k },
    };
    const { rows, values } = await read({ fields }, { gtin: '012345678905', c: [{ a: 1 }], k: 'Chips' });
    expect({ rows, values }).toEqual({
      rows: 0,
      values: { upc: ['012345678905'], characteristics: [[{ a: 1 }]], category: ['Chips'] },
    });
  });

  it('keeps long ids exact, and the type of others', async () => {
    const { found } = await read(
      { rows: '$[*]', fields: { id: { at: '@.id' } } },
      '[{"id":9007199254740993},{"id":7}]',
    );
    expect(found).toEqual([{ id: '9007199254740993' }, { id: 7 }]);
  });

  it('has one digest, whatever the order and the chunks', async () => {
    const one = await read(PRODUCTS, BODY);
    const other = await read(PRODUCTS, { ...BODY, products: BODY.products.toReversed() }, { chunk: 3 });
    const changed = await read(PRODUCTS, { ...BODY, products: BODY.products.slice(1) });
    expect(other.digest).toBe(one.digest);
    expect(changed.digest).not.toBe(one.digest);
  });
});

describe('the next page', () => {
  it.each<[unknown, string | undefined]>([
    ['p2', 'p2'],
    [7, '7'],
    [null, undefined],
    ['', undefined],
    [false, undefined],
    [undefined, undefined],
    [{ '#text': '?page=2' }, '?page=2'],
  ])('%j is %j', async (next, expected) => {
    expect((await read({ ...PRODUCTS, next: '$.meta.next' }, { ...BODY, meta: { next } })).next).toBe(expected);
  });

  it('may be named by a header', async () => {
    const headers = [JSON_TYPE, ['X-Next', 'p3']] as const;
    expect((await read({ rows: '$[*]', next: '$response.header.x-next' }, [], { headers })).next).toBe('p3');
  });

  it('that is not a text makes the list incomplete', async () => {
    expect((await read({ ...PRODUCTS, next: '$.meta' }, BODY)).problem).toEqual({
      kind: 'rowsNotFound',
      message: 'the paging selector $.meta finds { asOf: "1970…", next: "p2" } instead of a text',
    });
    const fails = () => {
      throw new Error('no');
    };
    expect((await read({ ...PRODUCTS, next: fails }, BODY)).problem?.message).toBe(
      'the paging selector function fails failed: no',
    );
  });
});

describe('lines of JSON', () => {
  const headers = [['content-type', 'application/x-ndjson']] as const;
  const lines = '{"m":{"asOf":"1970-01-02"}}\n{"u":1,"p":{"u":3}}\n{"u":2}\n';
  const upc = { upc: { at: '@.u' } } as const;

  it.each([undefined, '$', '$[*]'])('are rows, with the rows selector %s', async (rows) => {
    const { found } = await read({ ...(rows && { rows }), fields: upc }, lines, { headers });
    expect(found.map((row) => row.upc)).toEqual([undefined, '000000000001', '000000000002']);
  });

  it('are one document to other selectors', async () => {
    const { found, values } = await read({ rows: '$[*].p', fields: { ...upc, asOf: { at: '$[0].m.asOf' } } }, lines, {
      headers,
    });
    expect(found).toEqual([{ upc: '000000000003' }]);
    expect(values).toEqual({ asOf: [1] });
    const filtered = await read({ rows: '$[?@.u]', fields: { ...upc, asOf: { at: '$..asOf' } } }, lines, { headers });
    expect(filtered).toMatchObject({ rows: 2, values: { asOf: [1] } });
  });

  it('may be none', async () => {
    for (const rows of ['$[*]', '$[*].p'])
      expect(await read({ rows }, '\n', { headers })).toMatchObject({ rows: 0, complete: true });
  });
});

describe('text', () => {
  it('is one value', async () => {
    const headers = [['content-type', 'text/plain']] as const;
    expect((await read({ fields: { jobId: { at: '$', as: 'trimmed' } } }, 'job-7\n', { headers })).values).toEqual({
      jobId: ['job-7'],
    });
  });

  it.each<[Partial<BodyPlan>, string]>([
    [{ rows: '$.a[*]' }, '$.a[*]'],
    [{ rows: '$' }, '$'],
    [{ fields: { jobId: { at: '$.id' } } }, '$.id'],
    [{ fields: { jobId: { at: '$..id' } } }, '$..id'],
    [{ fields: { jobId: { at: '$' } }, next: '$response.body#/next' }, '$response.body#/next'],
  ])('is not taken for an answer that lacks what is looked for: %j', async (plan, source) => {
    const headers = [['content-type', 'text/html; charset=utf-8']] as const;
    expect((await read(plan, '{"a":[1],"id":7}', { headers })).problem).toEqual({
      kind: 'media',
      message: `the response has the Content-Type "text/html; charset=utf-8", but ${source} cannot select from a text: declare its format in response.media`,
    });
    expect((await read({ ...plan, media: 'json' }, '{"a":[1],"id":7}', { headers })).problem).toBeUndefined();
    expect(await read(plan, 'no such product', { headers, status: 404 })).not.toHaveProperty('problem');
  });

  it('may be read by functions, and if the profile declares it', async () => {
    const headers = [['content-type', 'text/plain']] as const;
    const rows = (text: unknown) => String(text).split(' ');
    expect((await read({ rows, fields: { brand: { at: '@' } } }, 'a b', { headers })).found).toEqual([
      { brand: 'a' },
      { brand: 'b' },
    ]);
    expect((await read({ media: 'text', rows: '$.a[*]' }, 'none', { headers })).problem).toEqual({
      kind: 'rowsNotFound',
      message: '$.a[*] finds no rows; the body is "none"',
    });
  });
});

describe('problems', () => {
  it('missing rows are reported with a summary of the body', async () => {
    const { problem, values } = await read({ ...PRODUCTS, rows: '$.items[*]' }, BODY);
    expect(problem).toEqual({
      kind: 'rowsNotFound',
      message:
        '$.items[*] finds no rows; the body is { market: "Tota…", products: [ 3 × { gtin: "0123…", cat: "Chip…" } ], meta: { asOf: "1970…", next: "p2" } }',
    });
    expect(values).toEqual({ market: ['Total US'], asOf: [7] });
  });

  it.each<[NonNullable<BodyPlan['rows']>, unknown]>([
    ['$.a[*]', {}],
    ['$.a[*]', { a: 'none' }],
    ['$.a[*]', { a: 7 }],
    ['$.a', { b: [] }],
    ['$.a[*].b[*]', {}],
    ['$.a[?@.on]', { A: [] }],
    ['$[*]', 'null and void'],
    [() => undefined, {}],
    [
      () => {
        throw new Error('no');
      },
      {},
    ],
  ])('%s in %j', async (rows, body) => {
    expect((await read({ rows }, JSON.stringify(body))).problem?.kind).toBe('rowsNotFound');
  });

  it('an error response may lack rows', async () => {
    expect(await read(PRODUCTS, { error: 'unknown' }, { status: 404 })).toMatchObject({ rows: 0, complete: true });
    expect(
      await read({ ...PRODUCTS, media: 'json' }, '<html>', { status: 502, headers: [['Content-Type', 'text/html']] }),
    ).not.toHaveProperty('problem');
    expect(await read(PRODUCTS, '', { status: 500 })).not.toHaveProperty('problem');
  });

  it('a response without content has none', async () => {
    for (const status of [204, 205]) {
      expect(await read(PRODUCTS, '', { status })).toMatchObject({ rows: 0, complete: true });
      expect(await read(PRODUCTS, '', { status, headers: [] })).toMatchObject({ rows: 0, complete: true });
    }
    expect((await read(PRODUCTS, '')).problem).toEqual({
      kind: 'syntax',
      message: 'the body is empty, but a JSON document is expected',
    });
  });

  it('an unknown media type must be declared if the body is read', async () => {
    const headers = [['Content-Type', 'application/octet-stream']] as const;
    expect((await read(PRODUCTS, BODY, { headers })).problem).toEqual({
      kind: 'media',
      message:
        'the response has the Content-Type "application/octet-stream", which is not supported: declare its format in response.media',
    });
    expect((await read(PRODUCTS, BODY, { headers: [] })).problem?.message).toMatch(/^the response has no Content-Type/);
    expect(await read({ ...PRODUCTS, media: 'json' }, BODY, { headers })).toMatchObject({ rows: 3, complete: true });
    expect(
      await read({ fields: { market: { at: '$response.header.content-type' } } }, BODY, { headers }),
    ).toMatchObject({ complete: true, values: { market: ['application/octet-stream'] } });
  });

  it('every kind is reported, with the values of headers', async () => {
    const fields: BodyPlan['fields'] = { market: { at: '$response.header.x-market' } };
    const headers: [string, string][] = [JSON_TYPE, ['X-Market', 'US']];
    const gzip: [string, string] = ['Content-Encoding', 'gzip'];
    const bodies: [string, string | Uint8Array, [string, string][]][] = [
      ['syntax', '{"a":[1,]}', headers],
      ['truncated', '{"a":[1,', headers],
      ['truncated', gzipSync('{"a":[1]}').subarray(0, 15), [...headers, gzip]],
      ['charset', Buffer.from([0x22, 0xff, 0x22]), headers],
      ['encoding', '{"a":[1]}', [...headers, gzip]],
      ['tooLarge', `{"a":[${'['.repeat(1000)}`, headers],
    ];
    for (const [kind, body, lines] of bodies) {
      expect(await read({ rows: '$.a[*]', fields }, body, { headers: lines })).toMatchObject({
        complete: false,
        problem: { kind },
        values: { market: ['US'] },
      });
    }
  });

  it('limits are those of the plan', async () => {
    const long = { a: [{ x: 'y'.repeat(500) }], b: 'z'.repeat(500) };
    const plans: Partial<BodyPlan>[] = [
      { maxRowBytes: 100 },
      { maxWholeBytes: 100 },
      { maxBytes: 100 },
      { maxWholeBytes: 600, rows: '$..x' },
    ];
    for (const limit of plans) expect((await read({ rows: '$.a[*]', ...limit }, long)).problem?.kind).toBe('tooLarge');
  });

  it('rows before a problem are delivered', async () => {
    const { rows, problem } = await read({ rows: '$[*]' }, '[1,2,3,oops]', { chunk: 6 });
    expect({ rows, kind: problem?.kind }).toEqual({ rows: 2, kind: 'syntax' });
  });

  it('a broken connection is reported, not thrown', async () => {
    async function* broken() {
      yield Buffer.from('{"products":[{"gtin":"012345678905"},');
      throw new Error('reset');
    }
    const head: ResponseHead = { status: 200, reasonPhrase: '', headers: [JSON_TYPE] };
    expect(await readBody({ fields: {}, ...PRODUCTS }, head, broken(), () => undefined)).toMatchObject({
      rows: 1,
      problem: { kind: 'truncated', message: 'the body broke off: reset' },
    });
  });

  it('what the sink throws passes through', async () => {
    const sink = () => {
      throw new TypeError('a bug of ours');
    };
    const head: ResponseHead = { status: 200, reasonPhrase: '', headers: [JSON_TYPE] };
    await expect(readBody({ fields: {}, rows: '$[*]' }, head, chunksOf(Buffer.from('[1]'), 9), sink)).rejects.toThrow(
      'a bug of ours',
    );
  });
});

describe('an error in a 2xx in another format than the rows', () => {
  const coded = [{ at: '$.errors[0].code', is: ['400'], like: 400 }];
  const plan = { media: 'csv', rows: '$[*]', fields: { upc: { at: '@.upc' } }, refusals: coded } as const;
  const ERROR = { errors: [{ code: 400 }] };

  it.each([
    ['JSON in place of CSV', 'csv', [JSON_TYPE], ERROR],
    ['after blanks', 'csv', [JSON_TYPE], ` \n${JSON.stringify(ERROR)}`],
    ['without a Content-Type', 'csv', [], ERROR],
    ['in place of a text', 'text', [JSON_TYPE], ERROR],
    ['in place of a picture', 'binary', [JSON_TYPE], ERROR],
    ['in place of XML', 'xml', [JSON_TYPE], ERROR],
  ] as const)('is a refusal: %s', async (_, media, headers, body) => {
    const { refusal, found, problem } = await read({ ...plan, media }, body, { headers, chunk: 7 });
    expect(refusal).toEqual({ because: '$.errors[0].code is 400', like: 400 });
    expect([found, problem]).toEqual([[], undefined]);
  });

  it('is a refusal as XML in place of a table, too', async () => {
    const refusals = [{ at: '$.Fault[0].Code[0]', is: ['11'], like: 400 }];
    const headers: [string, string][] = [['Content-Type', 'text/xml; charset=utf-8']];
    const { refusal } = await read({ ...plan, refusals }, '<?xml version="1.0"?><Fault><Code>11</Code></Fault>', {
      headers,
    });
    expect(refusal?.like).toBe(400);
  });

  it('leaves a body as it is that is none', async () => {
    const table = { ...plan, csv: { delimiter: ';' } } as const;
    expect((await read(table, 'upc;n\n012345678905;x\n', { chunk: 3 })).found).toEqual([{ upc: '012345678905' }]);
    expect((await read({ ...plan, refusals: [] }, ERROR)).refusal).toBeUndefined();
    const state = {
      fields: { state: { at: '$', match: '"state": ?"(\\w+)"' } },
      media: 'text',
      refusals: coded,
    } as const;
    expect((await read(state, '{"state":"done"}', { chunk: 5 })).values).toEqual({ state: ['done'] });
    expect((await read(state, `{"state":"done"${' '.repeat(70_000)}}`)).values).toEqual({ state: ['done'] });
    const id = { fields: { id: { at: '$' } }, media: 'text', refusals: coded } as const;
    expect((await read(id, '{3F2504E0-4F89}', { headers: [] })).values).toEqual({ id: ['{3F2504E0-4F89}'] });
  });

  it('does not keep the source open when a body cannot be read', async () => {
    let isClosed = false;
    async function* source() {
      try {
        for (let at = 0; at < 9; at++) yield Buffer.from('x'.repeat(400));
      } finally {
        isClosed = true;
      }
    }
    const head: ResponseHead = { status: 200, reasonPhrase: '', headers: [] };
    const { problem } = await readBody({ ...plan, maxRowBytes: 100 }, head, source(), () => undefined);
    expect([problem?.kind, isClosed]).toEqual(['tooLarge', true]);
  });
});
