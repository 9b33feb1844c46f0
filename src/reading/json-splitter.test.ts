import { describe, expect, it } from 'vitest';
import { EVERY, walk } from '../profile/path-steps.ts';
import fc from '../seeded-fast-check.test.support.ts';
import { JsonSplitter, type SplitterOptions } from './json-splitter.ts';
import { parseText } from './json-text.ts';
import { BodyError } from './problem.ts';

const MIB = 1024 * 1024;

interface Split {
  readonly rows: unknown[];
  readonly document?: unknown;
  readonly found: boolean;
  readonly problem?: { readonly kind: string; readonly message: string };
}

/** Splits a text, cut into chunks at the given byte positions. */
function split(
  text: string | Uint8Array,
  path?: readonly string[],
  cuts: readonly number[] = [],
  more: Partial<SplitterOptions> = {},
): Split {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const rows: unknown[] = [];
  const splitter = new JsonSplitter({
    path,
    retainedRows: 0,
    maxRowBytes: 4 * MIB,
    maxSkeletonBytes: 64 * MIB,
    onRows: (batch) => rows.push(...batch),
    ...more,
  });
  const positions = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort(
    (a, b) => a - b,
  );
  try {
    for (const [at, from] of positions.entries()) {
      // Handed over in a buffer that is overwritten afterwards, as a pool would.
      const chunk = Uint8Array.from(bytes.subarray(from, positions[at + 1] ?? from));
      splitter.push(chunk);
      chunk.fill(0x7b);
    }
    return { rows, document: splitter.end(), found: splitter.found };
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    return { rows, found: splitter.found, problem: { kind: error.kind, message: error.message } };
  }
}

const every = (text: string) => Array.from({ length: Buffer.byteLength(text) }, (_, at) => at);

describe('the location of the list', () => {
  it.each<[string, string, readonly string[], unknown[], unknown]>([
    ['at the root', '[1,"a",{"b":[2]}]', [], [1, 'a', { b: [2] }], []],
    [
      'behind lists and objects of like names',
      '{"a":[{"items":[9]}],"b":{"items":[8]},"items":[7]}',
      ['items'],
      [7],
      { a: [{ items: [9] }], b: { items: [8] }, items: [] },
    ],
    ['under a name with escapes', '{"Dollar \\u0053ales":[1]}', ['Dollar Sales'], [1], { 'Dollar Sales': [] }],
    ['under a name of several bytes a character', '{"größe":[1]}', ['größe'], [1], { größe: [] }],
    ['under the empty name', '{"":[1]}', [''], [1], { '': [] }],
    ['under a name such as objects inherit', '{"__proto__":[1]}', ['__proto__'], [1], JSON.parse('{"__proto__":[]}')],
  ])('%s', (_, text, path, rows, document) => {
    expect(split(text, path)).toEqual({ rows, document, found: true });
    expect(split(text, path, every(text))).toEqual({ rows, document, found: true });
  });

  it.each<[string, string, readonly string[]]>([
    ['a list of that name stands on the way', '{"a":[{"b":[1]}]}', ['a', 'b']],
    ['the path goes on', '{"a":[1]}', ['a', 'b']],
    ['the root is a scalar', '"a"', []],
  ])('nothing is split off when %s', (_, text, path) => {
    expect(split(text, path)).toEqual({ rows: [], document: JSON.parse(text), found: false });
  });

  it('without a path the whole document is kept', () => {
    expect(split('[1,2]', undefined)).toEqual({ rows: [], document: [1, 2], found: false });
  });

  it('keeps the first rows in the document if requested', () => {
    const text = JSON.stringify({ items: [{ m: 'US' }, { m: 2 }, { m: 3 }], n: 3 });
    for (const cuts of [[], every(text)]) {
      expect(split(text, ['items'], cuts, { retainedRows: 2 })).toEqual({
        rows: [{ m: 'US' }, { m: 2 }, { m: 3 }],
        document: { items: [{ m: 'US' }, { m: 2 }], n: 3 },
        found: true,
      });
    }
  });
});

describe('what is wrong with a body', () => {
  it.each<[string, string, readonly string[] | undefined]>([
    ['a comma before the first row', '[,1]', []],
    ['two commas', '[1,,2]', []],
    ['a comma after the last row', '[1,]', []],
    ['a comma in an empty list', '[,]', []],
    ['no comma', '[1 2]', []],
    ['a single quote', "[{'a':1}]", []],
    ['a control character in a text', '["a\nb"]', []],
    ['something behind the document', '[1] x', []],
    ['a second document', '{"a":[1]}{"a":[2]}', ['a']],
    ['no JSON at all', '<html><body>{</body></html>', ['a']],
    ['nothing', '', ['a']],
    ['blanks only', ' \n', undefined],
    ['a number with a leading zero', '[01]', []],
  ])('%s is a syntax problem', (_, text, path) => {
    for (const cuts of [[], every(text), [1], [3]]) expect(split(text, path, cuts).problem?.kind).toBe('syntax');
  });

  it.each<[string, string, readonly string[]]>([
    ['the list', '{"a":[1],"a":[2]}', ['a']],
    ['what holds the list', '{"d":{"a":[1]},"d":null}', ['d', 'a']],
  ])('%s standing twice is legal, and cannot be read', (_, text, path) => {
    for (const cuts of [[], every(text)])
      expect(split(text, path, cuts).problem).toEqual({
        kind: 'rowsNotFound',
        message: `the member "${path[0]}" on the path to the rows occurs twice, so the list of rows is ambiguous`,
      });
  });

  it('of duplicate members elsewhere the last one is used', () => {
    const text = '{"x":1,"a":[{"u":1,"u":2},{"u":3,"u":4}],"x":{"a":[5]}}';
    for (const cuts of [[], every(text)])
      expect(split(text, ['a'], cuts)).toEqual({
        rows: [{ u: 2 }, { u: 4 }],
        document: { a: [], x: { a: [5] } },
        found: true,
      });
  });

  it('delivers the rows before the bad one when they came earlier', () => {
    expect(split('[1,2,oops]', [], [5])).toMatchObject({
      rows: [1, 2],
      problem: { kind: 'syntax', message: expect.stringContaining('from row 2 on') },
    });
  });

  it('never quotes the body', () => {
    for (const text of ['{"secret":12345.67 "x"}', '["secret" 12345.67]', 'secret', '{"a":"secret']) {
      expect(split(text, []).problem?.message).not.toContain('secret');
    }
  });

  it('every beginning of a document is truncated, none is called wrong', () => {
    const text = '{"n":[1,{"x":"\\u00e9é"}],"items":[{"a":1},{"b":"ü\\""}],"end":true}';
    for (let length = 1; length < Buffer.byteLength(text); length++) {
      const cut = Buffer.from(text).subarray(0, length);
      const { problem } = split(cut, ['items']);
      // Within a character the bytes are no UTF-8, which is as good a sign.
      expect(['truncated', 'charset']).toContain(problem?.kind);
    }
  });

  it('a body that is wrong before it breaks off is wrong', () => {
    expect(split('{"a" "b", {', ['x']).problem?.kind).toBe('syntax');
  });

  it('names what is too large', () => {
    const row = JSON.stringify('x'.repeat(200_000));
    const limits = { maxRowBytes: 100_000, maxSkeletonBytes: 150_000 };
    expect(split(`[1,${row}]`, [], [], limits)).toMatchObject({
      problem: { kind: 'tooLarge', message: 'row 1 is longer than 100000 bytes' },
    });
    expect(split(`{"a":${row},"b":[1]}`, ['b'], [], limits).problem).toMatchObject({
      kind: 'tooLarge',
      message: expect.stringContaining(
        'the first 150000 bytes, the limit of what is read whole, contain no list of rows',
      ),
    });
    expect(split(`{"b":[1],"a":${row}}`, ['b'], [], limits).problem).toMatchObject({
      kind: 'tooLarge',
      message: expect.stringContaining('the part of the body outside the rows'),
    });
  });

  it('reads rows longer than a slice', () => {
    const rows = ['x'.repeat(100_000), 'é'.repeat(70_000), 'z'];
    expect(split(JSON.stringify({ a: rows }), ['a']).rows).toEqual(rows);
  });

  it.each(['[', '{"a":'])('a hundred thousand levels of %s do not crash', (open) => {
    const close = open === '[' ? ']' : '}';
    const deep = open.repeat(100_000) + 1 + close.repeat(100_000);
    for (const [text, path] of [
      [deep, undefined],
      [deep, []],
      [`{"rows":[${deep}]}`, ['rows']],
      [`{"x":${deep},"rows":[]}`, ['rows']],
    ] as const) {
      expect(split(text, path).problem).toMatchObject({
        kind: 'tooLarge',
        message: expect.stringContaining('nested deeper than 512'),
      });
    }
  });

  it('bytes that are not UTF-8 are a charset problem', () => {
    for (const bad of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
      const body = Buffer.concat([Buffer.from('{"a":["'), Buffer.from(bad), Buffer.from('"]}')]);
      expect(split(body, ['a']).problem?.kind).toBe('charset');
      expect(split(body, ['b']).problem?.kind).toBe('charset');
      expect(split(body, undefined).problem?.kind).toBe('charset');
    }
  });
});

describe('the splitter and JSON.parse', () => {
  const path = ['data', 'i"t'];
  // No name with a backslash: next to one, the JSON.parse of V8 13.6 confuses it with an escaped name such as \u00fc.
  const names = fc.constantFrom('data', 'i"t', 'a', 'ü', '', '\t', '__proto__');
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, false, 0, -1.5e-7, 1e21),
      fc.string({ unit: 'binary', maxLength: 6 }).map((text) => text.toWellFormed()),
      fc.constantFrom(']', '}', '"', '\\', ',', '[{', '\u2028', '😀'),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(names, tie('tree'), { maxKeys: 4 }),
    ),
  }));
  const envelope = fc.record({
    a: tree,
    data: fc.oneof(tree, fc.record({ x: tree, 'i"t': fc.array(tree, { maxLength: 6 }), y: tree })),
    z: tree,
  });
  const layout = fc.constantFrom<(value: unknown) => string>(
    (value) => JSON.stringify(value),
    (value) => JSON.stringify(value, null, 2),
    (value) =>
      JSON.stringify(value).replace(
        /[\u0080-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    (value) => JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n'),
  );
  const cuts = fc.array(fc.nat(), { maxLength: 12 });

  it('agree on documents, however they are cut', () => {
    fc.assert(
      fc.property(fc.oneof(envelope, tree), layout, cuts, (value, write, at) => {
        const text = write(value);
        const document = JSON.parse(text);
        const [list] = walk(document, path);
        const result = split(text, path, at);
        expect(result.problem).toBeUndefined();
        expect(result.found).toBe(Array.isArray(list));
        expect(result.rows).toEqual(Array.isArray(list) ? walk(document, [...path, EVERY]) : []);
        if (Array.isArray(list)) list.length = 0;
        expect(result.document).toEqual(document);
      }),
      { numRuns: 1000 },
    );
  });

  it('agree on rows with a common prefix, and on texts that resemble it', () => {
    const inner = fc.constantFrom<unknown>(1, 'x', ',{"u":', '"},{"u":"', '],[', { u: [{ u: 1 }, { u: 2 }] }, [
      [{ u: 3 }],
    ]);
    const number = fc.constantFrom('1', '-0.5', '9007199254740993', '12345678901234567890');
    const row = fc.tuple(fc.boolean(), number, inner).map(([isAlike, id, value]) => {
      const members = [`"u":${id}`, `"v":${JSON.stringify(value)}`];
      return `{${(isAlike ? members : members.reverse()).join()}}`;
    });
    const rest = fc.constantFrom('', ',"x":[{"u":1},{"u":2}]', ',"x":"],{\\"u\\":"');
    const comma = fc.constantFrom(',', ' ,\n  ');
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), comma, rest, cuts, (rows, between, behind, at) => {
        const text = `{"a":[${rows.join(between)}]${behind}}`;
        const result = split(text, ['a'], at);
        expect(result.problem).toBeUndefined();
        expect(result).toEqual({ ...split(text, ['a']), found: true });
        expect(result.rows).toEqual(rows.map((each) => parseText(each, 'a row')));
      }),
      { numRuns: 1000 },
    );
  });

  it('agree that rows are too deep, wherever they are cut', () => {
    const deep = `{"u":${'{"u":'.repeat(511)}1${'}'.repeat(511)}}`;
    const rows = ['{"u":1}', '{"u":2}', deep, '{"u":3}'];
    for (const cut of [0, 8, 12, 20, 500, 3000]) {
      expect(split(`[${rows.join()}]`, [], [cut]).rows).toHaveLength(4);
      expect(split(`[${rows.join().replace(deep, `[${deep}]`)}]`, [], [cut]).problem?.kind).toBe('tooLarge');
    }
  });

  it('agree on whether a damaged document is one', () => {
    const damage = fc.tuple(
      fc.nat(),
      fc.constantFrom('', ',', ']', '}', '[', '{', '"', '\\', ':', '0', ' ', 'x', '\n'),
      fc.nat(2),
    );
    fc.assert(
      fc.property(
        fc.oneof(envelope, fc.array(tree)),
        fc.boolean(),
        damage,
        cuts,
        (value, atRoot, [at, insert, drop], where) => {
          const text = JSON.stringify(value);
          const from = at % text.length;
          const damaged = (text.slice(0, from) + insert + text.slice(from + drop)).toWellFormed();
          let document: unknown;
          try {
            document = JSON.parse(damaged);
          } catch {
            const { problem } = split(damaged, atRoot ? [] : path, where);
            // The damage may duplicate a member of the path before it breaks the document.
            if (!problem?.message.includes('occurs twice')) expect(['syntax', 'truncated']).toContain(problem?.kind);
            return;
          }
          const { problem, found, rows } = split(damaged, atRoot ? [] : path, where);
          if (problem) {
            // Stricter than JSON.parse in one point: members on the path to the rows must not occur twice.
            expect(problem.message).toContain('occurs twice');
          } else if (found) expect(rows).toEqual(walk(document, [...(atRoot ? [] : path), EVERY]));
        },
      ),
      { numRuns: 1000 },
    );
  });
});
