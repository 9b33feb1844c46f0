import { describe, expect, it } from 'vitest';
import { compileSelector } from '../profile/selector.ts';
import fc from '../seeded-fast-check.test.support.ts';
import { BodyError } from './problem.ts';
import { type XmlNode, XmlTree } from './xml-tree.ts';

interface Settings {
  readonly rows?: string;
  readonly retainedRows?: number;
  readonly maxRowLength?: number;
  readonly maxTreeLength?: number;
  /** The length of the pieces the text arrives in. */
  readonly size?: number;
}

function read(text: string, settings: Settings = {}) {
  const {
    rows: path,
    retainedRows = 0,
    maxRowLength = 100_000,
    maxTreeLength = 100_000,
    size = text.length,
  } = settings;
  const rows: XmlNode[] = [];
  const rowSteps = path === undefined ? undefined : compileSelector(path).steps;
  const tree = new XmlTree({ rowSteps, retainedRows, maxRowLength, maxTreeLength, onRow: (row) => rows.push(row) });
  try {
    for (let at = 0; at < text.length; at += size) tree.push(text.slice(at, at + size));
    return { rows, document: tree.end() };
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    return { rows, problem: { kind: error.kind, message: error.message } };
  }
}

const node = (text: string, more: XmlNode = {}): XmlNode => ({ ...more, '#text': text });

describe('the tree', () => {
  it.each<[string, XmlNode]>([
    ['<a/>', { a: [node('')] }],
    ['<a></a>', { a: [node('')] }],
    ['<a>1</a>', { a: [node('1')] }],
    ['<a> 1 </a>', { a: [node(' 1 ')] }],
    ['<a x="1"><b>2</b></a>', { a: [{ '@x': '1', b: [node('2')] }] }],
    ['<a>\n  <b/>\n  <b/>\n</a>', { a: [{ b: [node(''), node('')] }] }],
    ['<a>one <b>two</b> three</a>', { a: [{ b: [node('two')], '#text': 'one  three' }] }],
    ['<a><![CDATA[<b>]]> &amp; &#x41;</a>', { a: [node('<b> & A')] }],
    ['<n:a xmlns:n="urn:x" xmlns="urn:y" n:z="1"><n:b/></n:a>', { a: [{ '@z': '1', b: [node('')] }] }],
    ['<?xml version="1.0"?><!-- c --><a><!-- d -->1<?pi x?>2</a>\n', { a: [node('12')] }],
    ['<!DOCTYPE a><a>größe 😀</a>', { a: [node('größe 😀')] }],
  ])('of %s', (text, document) => {
    for (const size of [1, 2, 1000]) expect(read(text, { size })).toEqual({ rows: [], document });
  });

  it('contains names that objects inherit like any other', () => {
    const document = read('<a __proto__="1"><constructor>1</constructor><__proto__>2</__proto__><__proto__/></a>')
      .document as XmlNode;
    const root = (document.a as XmlNode[])[0] as XmlNode;
    expect(Object.keys(root)).toEqual(['@__proto__', 'constructor', '__proto__']);
    expect(root.constructor).toEqual([node('1')]);
    expect(Object.getOwnPropertyDescriptor(root, '__proto__')?.value).toEqual([node('2'), node('')]);
  });
});

describe('rows', () => {
  const lists = '<list><p id="1"><n>A</n></p><other/><p id="2"/></list><list><p id="3"/></list>';
  const text = `<r><meta><asOf>2026-11-21</asOf></meta>${lists}</r>`;
  const row = (id: string) => node('', { '@id': id });
  const first: XmlNode = { '@id': '1', n: [node('A')] };
  const meta = [{ asOf: [node('2026-11-21')] }];
  const other = [node('')];
  const [list1, list2]: XmlNode[] = [{ p: [first, row('2')], other }, { p: [row('3')] }] as const;

  it.each<[string, XmlNode[], XmlNode]>([
    ['$.r[0].list[0].p[*]', [first, row('2')], { meta, list: [{ other }, list2 as XmlNode] }],
    ['$.r[0].list[1].p[*]', [row('3')], { meta, list: [list1 as XmlNode, node('')] }],
    ['$.r[0].list[*].p[*]', [first, row('2'), row('3')], { meta, list: [{ other }, node('')] }],
    ['$.r[*].meta[*]', meta, { list: [list1 as XmlNode, list2 as XmlNode] }],
    ['$.r[0].list[2].p[*]', [], { meta, list: [list1 as XmlNode, list2 as XmlNode] }],
  ])('at %s leave the tree', (rows, found, root) => {
    for (const size of [1, 5, 1000]) {
      const result = read(text, { rows, size });
      expect(result.rows).toEqual(found);
      expect(withoutText(result.document)).toEqual(withoutText({ r: [root] }));
    }
  });

  /** An element whose rows have left it may or may not have a text of blanks. */
  const withoutText = (value: unknown) =>
    JSON.parse(JSON.stringify(value, (name, inner) => (name === '#text' && inner === '' ? undefined : inner)));

  it('remain in the tree if they are needed', () => {
    const { rows, document } = read(text, { rows: '$.r[0].list[*].p[*]', retainedRows: 1 });
    expect(rows).toHaveLength(3);
    expect(document).toEqual({ r: [{ meta, list: [{ p: [first], other }, {}] }] });
  });

  it('within rows are not rows', () => {
    const nested = '<p><p><p/></p><p/></p>';
    expect(read(nested, { rows: '$.p[*]' }).rows).toEqual([{ p: [{ p: [node('')] }, node('')] }]);
    expect(read(nested, { rows: '$.p[0].p[*]' }).rows).toEqual([{ p: [node('')] }, node('')]);
  });

  it('may be many and large together, none of them alone', () => {
    const settings = { rows: '$.r[0].p[*]', maxRowLength: 100, maxTreeLength: 1000, size: 90 };
    expect(read(`<r>${'<p><n>0123456789</n></p>'.repeat(20_000)}</r>`, settings).rows).toHaveLength(20_000);
    expect(read(`<r><p>${'x'.repeat(50)}</p><p>${'<n>x</n>'.repeat(100)}</p></r>`, settings).problem).toEqual({
      kind: 'tooLarge',
      message: 'row 1 is longer than 100 characters',
    });
  });
});

describe('invalid XML', () => {
  it.each([
    ['<a><b></a>', 'syntax'],
    ['<a>', 'truncated'],
    ['<a><b>x', 'truncated'],
    ['<a>1</a><b/>', 'syntax'],
    ['<a>1</a>x', 'syntax'],
    ['{"a":1}', 'syntax'],
    ['', 'syntax'],
    ['<a b=1/>', 'syntax'],
    ['<a b="1" b="2"/>', 'syntax'],
    ['<a>&nbsp;</a>', 'syntax'],
    ['<a>\u0001</a>', 'syntax'],
    ['<!DOCTYPE a [<!ENTITY b "xxxxxxxx"><!ENTITY c "&b;&b;">]><a>&c;</a>', 'syntax'],
  ])('%j: %s', (text, kind) => {
    for (const size of [1, 1000]) expect(read(text, { size }).problem?.kind).toBe(kind);
  });

  it('reports the location', () => {
    expect(read('<a>\n<b></c></a>').problem?.message).toMatch(/^the body is not XML: 2:\d+: /);
    expect(read('<a><b>').problem?.message).toBe('the body ends within the XML element b');
  });

  it('nesting, texts and trees beyond measure are stopped', () => {
    expect(read('<a>'.repeat(100_000)).problem).toEqual({
      kind: 'tooLarge',
      message: 'the body is nested deeper than 512 levels',
    });
    for (const text of [`<a>${'x'.repeat(300_000)}`, `<!-- ${'x'.repeat(300_000)}`, `<${'x'.repeat(300_000)}`]) {
      expect(read(text, { size: 1000 }).problem?.message).toContain('longer than 100000 characters');
    }
    expect(read(`<a>${'<bb/>'.repeat(100_000)}</a>`, { size: 1000 }).problem?.message).toMatch(
      /^more than 100000 characters of XML are outside the rows/,
    );
  });

  it('is the same however any text is cut', () => {
    const marks = ['<a>', '</a>', '<a/>', '<b x="1">', '</b>', 'x', '&amp;', '&', '<', '>', '"', '<!DOCTYPE'];
    const piece = fc.constantFrom(...marks, '<![CDATA[', ']]>', '<!--', '-->', '<?', '?>');
    fc.assert(
      fc.property(fc.array(piece), fc.integer({ min: 1, max: 5 }), (pieces, size) => {
        const text = pieces.join('');
        const cut = read(text, { size });
        const whole = read(text);
        expect(cut.document).toEqual(whole.document);
        expect(cut.problem?.kind).toBe(whole.problem?.kind);
      }),
      { numRuns: 1000 },
    );
  });
});
