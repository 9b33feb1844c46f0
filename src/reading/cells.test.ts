import { describe, expect, it } from 'vitest';
import type { FieldBinding } from '../profile/schema.ts';
import { bindFields, type FieldBindings, toRow, toValues } from './cells.ts';
import { Unconverted } from './types.ts';

const head = { status: 200, headers: [['X-Market', 'Total US']] } as const;

const cell = (
  at: FieldBinding['at'],
  node: unknown,
  field: keyof FieldBindings = 'category',
  as?: FieldBinding['as'],
) => toRow(bindFields({ [field]: { at, ...(as && { as }) } }, 'row').rowBindings, node, head)[field];

describe('a cell', () => {
  it('distinguishes undefined, null and a value', () => {
    expect(cell('@.c', {})).toBeUndefined();
    expect(cell('@.c', { c: null })).toBeNull();
    expect(cell('@.c', { c: 'Chips' })).toBe('Chips');
    expect(cell('@.c', null)).toBeUndefined();
    expect(cell('@', 'Chips')).toBe('Chips');
  });

  it('is converted by the named converter, or the default one of its kind', () => {
    expect(cell('@.s', { s: 1250 }, 'sales4Weeks', 'cents')).toBe(12.5);
    expect(cell('@.s', { s: '12.50' }, 'sales4Weeks')).toBe(12.5);
    expect(cell('@.u', { u: 12345678905 }, 'upc')).toBe('012345678905');
    expect(cell('@.d', { d: '1970-01-08' }, 'changedOn')).toBe(7);
  });

  it('is null if a text means “no value”', () => {
    const read = (value: unknown, field: keyof FieldBindings = 'sales4Weeks') =>
      toRow(bindFields({ [field]: { at: '@.v', missing: ['N/A', '-'] } }, 'row').rowBindings, { v: value }, head)[
        field
      ];
    expect([read('N/A'), read(' - '), read('N/A', 'category')]).toEqual([null, null, null]);
    expect([read('-1'), read('n/a', 'category')]).toEqual([-1, 'n/a']);
    const { responseBindings } = bindFields({ market: { at: '$.m', missing: ['N/A'] } }, 'row');
    expect(toValues(responseBindings, { m: 'N/A' }, head)).toEqual({ market: [null] });
  });

  it('is the part of the text that a pattern matches, cut out before it is converted', () => {
    const cut = (text: string, field: keyof FieldBindings, match: string) =>
      toRow(bindFields({ [field]: { at: '@.v', match } }, 'row').rowBindings, { v: text }, head)[field];
    expect(cut('https://h/jobs/4711?x=1', 'jobId', '/([^/?]+)(?:\\?|$)')).toBe('4711');
    expect(cut('UPC 012345678905 (new)', 'upc', '[0-9]{12}')).toBe('012345678905');
    expect(cut('https://h/', 'jobId', 'jobs/(.+)')).toEqual(
      new Unconverted('https://h/', 'no part of it matches jobs/(.+)'),
    );
  });

  it('keeps unconverted values, with the reason', () => {
    expect(cell('@.u', { u: '1234' }, 'upc')).toEqual(new Unconverted('1234', 'not exactly 12 ASCII digits'));
    expect(cell('@.c', { c: { name: 'Chips' } })).toEqual(new Unconverted({ name: 'Chips' }, 'not a text'));
    expect(cell('@.c[*]', { c: ['a', 'b'] })).toEqual(
      new Unconverted(['a', 'b'], '2 nodes found, but one value is expected'),
    );
  });

  it('takes a blank text for null, whatever is wanted', () => {
    expect(cell('@.s', { s: ' ' }, 'percentChange')).toBeNull();
    expect(cell('@.u', { u: '' }, 'upc')).toBeNull();
    expect(cell('@.c', { c: ' ' })).toBeNull();
    expect(cell('@.c[0]', { c: [{ '#text': '' }] })).toBeNull();
  });

  it('is read by a function, whose exception means no value', () => {
    expect(cell((row) => (row as { c: string }).c.toUpperCase(), { c: 'chips' })).toBe('CHIPS');
    expect(cell(() => undefined, {})).toBeUndefined();
    expect(cell((row) => (row as { c: { d: string } }).c.d, {})).toEqual(
      new Unconverted(undefined, expect.stringMatching(/^the selector failed: /)),
    );
  });
});

describe('a list', () => {
  const list = (at: FieldBinding['at'], node: unknown) => cell(at, node, 'characteristics');

  it.each<[string, unknown, unknown]>([
    ['@.c', { c: [1, 2] }, [1, 2]],
    ['@.c', { c: [] }, []],
    [
      '@.c',
      { c: { size: 'L', colour: 'red' } },
      [
        ['size', 'L'],
        ['colour', 'red'],
      ],
    ],
    ['@.c', { c: {} }, []],
    ['@.c', { c: null }, null],
    ['@.c', {}, undefined],
    ['@.c', { c: 'red' }, ['red']],
    ['@.c[*]', { c: [1, 2] }, [1, 2]],
    ['@.c[*]', { c: [[1, 2]] }, [[1, 2]]],
    ['@.c[*]', { c: [] }, []],
    ['@.c.*', { c: { size: 'L' } }, ['L']],
    ['@.c[*]', {}, undefined],
    ['@.c[*]', { c: 'none' }, undefined],
    ['@.c[?@.on == true]', { c: [{ on: false }] }, []],
  ])('%s in %j is %j', (at, node, expected) => {
    expect(list(at, node)).toEqual(expected);
  });

  const formatted = (binding: FieldBinding, node: unknown) =>
    toRow(bindFields({ characteristics: binding }, 'row').rowBindings, node, head).characteristics;

  it.each<[FieldBinding, unknown, unknown]>([
    [{ at: '@.c', match: '^([0-9]+);' }, { c: '12;NEW' }, ['12']],
    [{ at: '@.c[*]', match: '=(.*)$' }, { c: ['a=1', 'b=2'] }, ['1', '2']],
    [
      { at: '@.c', match: '[a-z]+' },
      { c: { size: '3cm', unit: '1oz' } },
      [
        ['size', 'cm'],
        ['unit', 'oz'],
      ],
    ],
    [{ at: '@.c', as: 'text' }, { c: [16, true, 'oz'] }, ['16', 'true', 'oz']],
    [{ at: '@.c', as: 'trimmed' }, { c: ['OZ  '] }, ['OZ']],
    [{ at: '@.c', as: 'list' }, { c: [16] }, [16]],
    [{ at: '@.c', missing: ['-'] }, { c: ['red', '-', '', null] }, ['red']],
    [{ at: '@.c', missing: ['-'] }, { c: { size: '-', unit: 'oz' } }, [['unit', 'oz']]],
    [{ at: '@.c', split: '|', match: '^.' }, { c: 'red|blue' }, ['r', 'b']],
  ])('%j of %j is %j, value by value', (binding, node, expected) => {
    expect(formatted(binding, node)).toEqual(expected);
  });

  it('is unconverted if one value is', () => {
    const why = 'no part of it matches ^[0-9]+';
    expect(formatted({ at: '@.c', match: '^[0-9]+' }, { c: ['1', 'x'] })).toEqual(new Unconverted('x', why));
    expect(formatted({ at: '@.c', match: '^[0-9]+' }, { c: { a: 'x' } })).toEqual(new Unconverted('x', why));
  });

  it('of a function is unchanged', () => {
    expect(list(() => [1, 2], {})).toEqual([1, 2]);
    expect(list(() => [], {})).toEqual([]);
    expect(list(() => undefined, {})).toBeUndefined();
  });
});

describe('values read once per response', () => {
  const values = (fields: FieldBindings, document: unknown) =>
    toValues(bindFields(fields, 'response').responseBindings, document, head);

  it('are every node found, converted', () => {
    expect(
      values(
        { market: { at: '$response.header.x-market' }, asOf: { at: '$..asOf' }, brand: { at: '$.brand' } },
        { asOf: '1970-01-02', x: { asOf: 'soon' } },
      ),
    ).toEqual({
      market: ['Total US'],
      asOf: [1, new Unconverted('soon', expect.any(String))],
      brand: [],
    });
  });

  it('contain a list as one cell', () => {
    expect(values({ characteristics: { at: '$.c' } }, { c: [1, 2] })).toEqual({ characteristics: [[1, 2]] });
    expect(values({ characteristics: { at: '$.c[*]' } }, {})).toEqual({ characteristics: [] });
  });

  it('say when a function failed', () => {
    const fails = () => {
      throw new Error('no such thing');
    };
    expect(values({ market: { at: fails } }, {})).toEqual({
      market: [new Unconverted(undefined, 'the selector failed: no such thing')],
    });
  });

  it('pass on that a module of ours is missing: it says nothing about the value', () => {
    const fails = () => {
      throw Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });
    };
    expect(() => values({ market: { at: fails } }, {})).toThrow('Cannot find module');
  });
});

it('a function at the as-of date reads the document, also beside rows', () => {
  const { rowBindings, responseBindings } = bindFields({ asOf: { at: (found) => (found as { d: string }).d } }, 'row');
  expect(rowBindings.fields).toEqual([]);
  expect(toValues(responseBindings, { d: '1970-01-02' }, head)).toEqual({ asOf: [1] });
});
