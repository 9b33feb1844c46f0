import { jsonpath } from 'json-p3';
import { describe, expect, it } from 'vitest';
import fc from '../seeded-fast-check.test.support.ts';
import { EVERY, walk } from './path-steps.ts';
import { checkSelector, compileSelector } from './selector.ts';

const head = {
  status: 202,
  headers: [
    ['Location', '/jobs/1'],
    ['set-cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
  ],
} as const;

const found = (source: string, node: unknown) => compileSelector(source).select(node, head);

describe('what selectors find', () => {
  const document = {
    meta: { asOf: '2026-11-21', 'a/b': 1, 'm~n': 2 },
    items: [
      { id: 1, on: true },
      { id: 2, on: false },
    ],
    by: { x: [1, 2], y: [3] },
    none: null,
    '': 'empty name',
    'Dollar Sales': 12.5,
    '0': 'zero',
  };

  it.each<[string, unknown[]]>([
    ['$', [document]],
    ['$.none', [null]],
    ['$.none.more', []],
    ['$.items[?@.on == true].id', [1]],
    ['$.items[?length(@) == 2].id', [1, 2]],
    ["$.meta['asOf','a/b']", ['2026-11-21', 1]],
    ['$.items[?@.id == $.items[0].id].on', [true]],
    ['$.constructor', []],
    ['$.__proto__', []],
    ['$.items.length', []],
    ['$response.body', [document]],
    ['$response.body#', [document]],
    ['$response.body#/meta/asOf', ['2026-11-21']],
    ['$response.body#/meta/a~1b', [1]],
    ['$response.body#/meta/m~0n', [2]],
    ['$response.body#/items/1/id', [2]],
    ['$response.body#/items/01/id', []],
    ['$response.body#/0', ['zero']],
    ['$response.body#/', ['empty name']],
    ['$response.body#/items/id', []],
  ])('%s in an answer', (source, nodes) => {
    expect(found(source, document)).toEqual(nodes);
    expect(compileSelector(source).scope).toBe('response');
  });

  it.each<[string, unknown[]]>([
    ['@', [{ a: { b: [7] }, 'x y': 1 }]],
    ['@.a[?@[0] == 7]', [[7]]],
    ['@.z', []],
  ])('%s in a row', (source, nodes) => {
    expect(found(source, { a: { b: [7] }, 'x y': 1 })).toEqual(nodes);
    expect(compileSelector(source).scope).toBe('row');
  });

  it.each<[string, unknown[]]>([
    ['$response.header.location', ['/jobs/1']],
    ['$response.header.LOCATION', ['/jobs/1']],
    ['$response.header.Set-Cookie', ['a=1', 'b=2']],
    ['$response.header.x-absent', []],
    ['$response.status', [202]],
  ])('%s without a body', (source, nodes) => {
    expect(found(source, undefined)).toEqual(nodes);
    expect(compileSelector(source).scope).toBe('header');
  });

  it('takes the rows of a function: a list for its elements, undefined for nothing', () => {
    const run = (result: unknown) => compileSelector(() => result);
    expect(run([1, 2]).select({}, head)).toEqual([1, 2]);
    expect(run(undefined).select({}, head)).toEqual([]);
    expect(run(null).select({}, head)).toEqual([null]);
    expect(run([]).containerExists({}, head)).toBe(true);
    expect(run(undefined).containerExists({}, head)).toBe(false);
  });

  it('passes a function the node and the head, in the scope of the caller', () => {
    const selector = compileSelector((node, { status }) => [node, status], 'row');
    expect(selector.scope).toBe('row');
    expect(selector.select('node', head)).toEqual(['node', 202]);
    expect(compileSelector(() => 1).scope).toBe('response');
    expect(compileSelector(function named() {}).source).toBe('function named');
  });

  it('reads documents deeper than the library would by itself', () => {
    let deep: unknown = { x: 1 };
    for (let level = 0; level < 500; level++) deep = { a: deep };
    expect(found('$..x', deep)).toEqual([1]);
  });

  it('filters lists longer than an argument list may be', () => {
    const rows = Array.from({ length: 300_000 }, (_, id) => ({ id }));
    expect(found('$.rows[?@.id >= 299999].id', { rows })).toEqual([299_999]);
    expect(found('$.rows[:200000]', { rows })).toHaveLength(200_000);
  });
});

describe('properties of a selector', () => {
  it.each<[string, readonly string[] | undefined]>([
    ['$', []],
    ['$[*]', []],
    ['$.*', []],
    ['$.a.b[*]', ['a', 'b']],
    ["$['a b'][*]", ['a b']],
    ['$.a', ['a']],
    ['$response.body#/a/b', ['a', 'b']],
    ['$.a[0].b[*]', undefined],
    ['$.a[*].b', undefined],
    ['$.a[*][*]', undefined],
    ['$..a', undefined],
    ['$.a[?@.b]', undefined],
    ['$response.body#/a/0', undefined],
  ])('%s streams at %j', (source, names) => {
    expect(compileSelector(source).stream).toEqual(names);
  });

  it.each<[string, boolean]>([
    ['$', true],
    ['@.a[0]', true],
    ['$response.body#/a/0', true],
    ['@.a[*]', false],
    ['@..a', false],
    ["@['a','b']", false],
    ['@[?@.a]', false],
  ])('%s finds at most one node: %s', (source, singular) => {
    expect(compileSelector(source).singular).toBe(singular);
  });

  it.each<[string, unknown, boolean]>([
    ['$.data[*].items[*]', { data: [] }, true],
    ['$.data[*].items[*]', { data: null }, true],
    ['$.data[*].items[*]', { data: 'none' }, false],
    ['$.data[*].items[*]', {}, false],
    ['$.data[?@.on]', { data: [{ on: false }] }, true],
    ['$.data[?@.on]', { dato: [] }, false],
    ['$..items', {}, true],
    ['$..items', 'text', false],
    ['$[*]', null, true],
    ['$[*]', undefined, false],
    ['$response.body#/a/0', { a: [{}] }, true],
    ['$response.body#/a/0', { a: [] }, false],
  ])('%s has its holder in %j: %s', (source, document, exists) => {
    expect(compileSelector(source).containerExists(document, head)).toBe(exists);
  });
});

describe('checkSelector', () => {
  it.each(['@', '$', '@.a', '$[?match(@.a, "x.*")]', '$response.header.X-Total', '$response.status'])(
    'takes %s',
    (text) => {
      expect(checkSelector(text)).toBeUndefined();
    },
  );

  it.each([
    ['', 'is not a selector: write @… within a row'],
    ['items', 'is not a selector'],
    [' $.a', 'is not a selector'],
    ['$.a ', 'is not a JSONPath'],
    ['$.a[', 'is not a JSONPath'],
    ['@a', 'is not a JSONPath'],
    ['$.a[?@.b = 1]', 'is not a JSONPath'],
    ['$[?nofunction(@)]', 'is not a JSONPath'],
    ['$response.header', 'is not a runtime expression'],
    ['$response.header.', 'is not a runtime expression'],
    ['$response.header.a b', 'is not a runtime expression'],
    ['$response.status.x', 'is not a runtime expression'],
    ['$response.body.a', 'is not a runtime expression'],
    ['$response.body#a', 'is not a runtime expression'],
    ['$response.body#/a~2', 'is not a runtime expression'],
    ['$request.body', 'is not a JSONPath'],
  ])('refuses %j', (text, message) => {
    expect(checkSelector(text)).toContain(`"${text}"`);
    expect(checkSelector(text)).toContain(message);
  });
});

describe('walking and the library', () => {
  const name = fc.constantFrom('a', 'b', "it's", '"', '\\', '', '0', 'ü', '__proto__', 'length');
  const steps = fc.array(fc.oneof(name, fc.integer({ min: -3, max: 3 }), fc.constant(EVERY)), { maxLength: 5 });
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      fc.constantFrom(null, 1, 'a'),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(name, tie('tree'), { maxKeys: 4 }),
    ),
  }));
  const spell = (step: string | number | typeof EVERY) => (step === EVERY ? '[*]' : `[${JSON.stringify(step)}]`);

  it('agree on every simple path', () => {
    fc.assert(
      fc.property(tree, steps, (document, path) => {
        // JSON.parse makes __proto__ an ordinary member.
        const decoded = JSON.parse(JSON.stringify(document));
        const text = `$${path.map(spell).join('')}`;
        const expected = jsonpath.query(text, decoded).values();
        expect(walk(decoded, path)).toEqual(expected);
        expect(compileSelector(text).select(decoded, head)).toEqual(expected);
        expect(compileSelector(text).steps).toEqual(path);
      }),
      { numRuns: 1000 },
    );
  });

  it('agree on paths that need the library', () => {
    const path = fc.constantFrom(
      '$..a',
      '$..*',
      '$..[0]',
      '$[?@.a]',
      "$['a','b'][0:2]",
      '$..[?@.b == 1]',
      '$[::-1]',
      '$..[*].a',
    );
    fc.assert(
      fc.property(tree, path, (document, text) => {
        const decoded = JSON.parse(JSON.stringify(document));
        expect(compileSelector(text).select(decoded, head)).toEqual(jsonpath.query(text, decoded).values());
      }),
      { numRuns: 500 },
    );
  });
});
