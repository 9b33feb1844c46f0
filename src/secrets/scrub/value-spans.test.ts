import { describe, expect, test } from 'vitest';
import fc from '../../seeded-fast-check.test.support.ts';
import { parseSpans, ScrubRefusal, type ValueSpans } from './value-spans.ts';

const parse = (media: 'csv' | 'json' | 'ndjson' | 'xml', text: string): ValueSpans =>
  parseSpans(text, { status: 200, headers: [] }, { media, ...(media === 'csv' && { csv: { delimiter: ';' } }) });

/** Every text and number of the tree beside what stands at its place. */
function pairs(places: ValueSpans, text: string): [value: unknown, raw: string][] {
  const walk = (holder: object): [unknown, string][] =>
    Object.entries(holder).flatMap(([key, value]): [unknown, string][] => {
      if (typeof value === 'object' && value !== null) return walk(value);
      const span = places.at(holder, Array.isArray(holder) ? Number(key) : key);
      return span ? [[value, text.slice(span.start, span.end)]] : [];
    });
  return walk(places.tree as object);
}

describe('JSON', () => {
  test('is read as JSON.parse reads it, and every value is found in its place', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify([value], null, indent);
        const places = parse('json', text);
        expect(places.tree).toEqual(JSON.parse(text));
        for (const [found, raw] of pairs(places, text))
          expect(JSON.parse(typeof found === 'string' ? `"${raw}"` : raw)).toEqual(found);
      }),
    );
  });

  test.each(['', '{', '[1,]', '{"a" 1}', '[1] 2', '{a:1}', '"', '['.repeat(600)])('%s is refused', (text) => {
    expect(() => parse('json', text)).toThrow(ScrubRefusal);
  });

  test('a line each is a list', () => {
    expect(parse('ndjson', '{"a":1}\n\n{"a":2}\r\n').tree).toEqual([{ a: 1 }, { a: 2 }]);
  });
});

test('CSV is read by its header, quotes undone', () => {
  const text = '\ufeffa;"b ""x"""\r\n1;"2;""3"\r\n\r\n4;\n5';
  const places = parse('csv', text);
  expect(places.tree).toEqual([{ a: '1', 'b "x"': '2;"3' }, { a: '4', 'b "x"': '' }, { a: '5' }]);
  expect(pairs(places, text)).toEqual([
    ['1', '1'],
    ['2;"3', '2;""3'],
    ['4', '4'],
    ['', ''],
    ['5', '5'],
  ]);
});

describe('XML', () => {
  test('is read as the tree of selectors', () => {
    const text =
      '<?xml version="1.0"?><!-- <x/> --><r xmlns:n="u"><n:row id="1 &amp; 2">\n<v k=\'a\'>1,5</v><v><![CDATA[<2>]]></v><e/></n:row></r>\n';
    const places = parse('xml', text);
    expect(places.tree).toEqual({
      r: [{ row: [{ '@id': '1 & 2', v: [{ '@k': 'a', '#text': '1,5' }, { '#text': '<2>' }], e: [{ '#text': '' }] }] }],
    });
    expect(pairs(places, text)).toEqual([
      ['1 & 2', '1 &amp; 2'],
      ['a', 'a'],
      ['1,5', '1,5'],
      ['<2>', '<2>'],
    ]);
  });

  test.each(['<a>', '<a></b>', '</a>', '<a', '<a b=c></a>'])('%s is refused', (text) => {
    expect(() => parse('xml', text)).toThrow(ScrubRefusal);
  });
});
