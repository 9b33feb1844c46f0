import { describe, expect, it } from 'vitest';
import fc from '../seeded-fast-check.test.support.ts';
import { CsvRecords } from './csv-records.ts';
import { BodyError } from './problem.ts';

interface Settings {
  readonly delimiter?: ',' | ';' | '|' | '\t';
  readonly maxRecordLength?: number;
  /** The length of the pieces the text arrives in. */
  readonly size?: number;
}

function read(text: string, { delimiter = ',', maxRecordLength = 1_000_000, size = text.length + 1 }: Settings = {}) {
  const records: (readonly string[])[] = [];
  const reader = new CsvRecords({ delimiter, maxRecordLength, onRecord: (cells) => records.push(cells) });
  try {
    for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size));
    reader.end();
    return { records };
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    return { records, problem: { kind: error.kind, message: error.message } };
  }
}

describe('records of delimited text', () => {
  it.each<[string, string]>([
    ['', '[]'],
    ['a', '[["a"]]'],
    ['a,b\r\n1,2\r\n', '[["a","b"],["1","2"]]'],
    ['a,b\n1,2', '[["a","b"],["1","2"]]'],
    ['a\rb\r', '[["a"],["b"]]'],
    ['a,\n,b\n', '[["a",""],["","b"]]'],
    ['a,', '[["a",""]]'],
    ['a\n\n\r\nb\n', '[["a"],["b"]]'],
    ['"a"\n', '[["a"]]'],
    ['"a,b","c\r\nd"\n', '[["a,b","c\\r\\nd"]]'],
    ['"say ""hi""",""""', '[["say \\"hi\\"","\\""]]'],
    ['"",x', '[["","x"]]'],
    ['5" pipe,a"b"\n', '[["5\\" pipe","a\\"b\\""]]'],
    [' a , "b" ', '[[" a "," \\"b\\" "]]'],
    ['a\tb,c\n', '[["a\\tb","c"]]'],
  ])('%j are %s', (text, records) => {
    for (const size of [1, 2, 3, 1000]) expect(read(text, { size })).toEqual({ records: JSON.parse(records) });
  });

  it('may be parted by semicolons, bars or tabs', () => {
    const records = [
      ['a', 'b,c'],
      ['x\ty', ''],
    ];
    expect(read('a;b,c\n"x;y";z', { delimiter: ';' })).toEqual({
      records: [
        ['a', 'b,c'],
        ['x;y', 'z'],
      ],
    });
    expect(read('a|b;c', { delimiter: '|' })).toEqual({ records: [['a', 'b;c']] });
    expect(read('a\tb,c\n"x\ty"\t', { delimiter: '\t' })).toEqual({ records });
  });

  it('a quoted cell that never ends is truncated', () => {
    expect(read('a,b\n1,"2\n3,4\n', { size: 2 })).toEqual({
      records: [['a', 'b']],
      problem: { kind: 'truncated', message: 'the CSV body ends within a quoted cell of record 1' },
    });
  });

  it('text after a closing quote is not CSV', () => {
    expect(read('a\n"b"c\n')).toEqual({
      records: [['a']],
      problem: { kind: 'syntax', message: 'record 1 of the CSV body has text after a closing quote' },
    });
  });

  it.each([
    ['plain', 'x'.repeat(200_000)],
    ['quoted', `"${'x\n'.repeat(100_000)}`],
  ])('a %s record of any length is stopped', (_, endless) => {
    expect(read(`a\n${endless}`, { maxRecordLength: 100_000, size: 10_000 }).problem).toEqual({
      kind: 'tooLarge',
      message: 'record 1 of the CSV body is longer than 100000 characters',
    });
  });

  it('are reported before the body ends', () => {
    let records = 0;
    const reader = new CsvRecords({ delimiter: ',', maxRecordLength: 1e6, onRecord: () => records++ });
    for (let at = 0; at < 100_000; at++) reader.push(`${at},x\n`);
    expect(records).toBeGreaterThan(90_000);
    reader.end();
    expect(records).toBe(100_000);
  });

  it('read back as they were written, however they are cut', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'ü', '😀', ',', '"', '\n', '\r', ' ', '\t'), maxLength: 5 });
    // A blank line is no record.
    const record = fc.array(cell, { minLength: 1, maxLength: 4 }).filter((cells) => cells.join() !== '');
    const write = (text: string) => (/[,"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const ending = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(fc.array(record), ending, fc.boolean(), fc.nat(8), (records, end, isEnded, size) => {
        const text = records.map((cells) => cells.map(write).join(',')).join(end) + (isEnded ? end : '');
        expect(read(text, { size: size + 1 })).toEqual({ records });
      }),
      { numRuns: 600 },
    );
  });
});
