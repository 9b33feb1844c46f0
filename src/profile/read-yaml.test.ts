import { describe, expect, test } from 'vitest';
import { readYaml } from './read-yaml.ts';

describe('aliases', () => {
  test('hundreds of uses of one shared value are read', () => {
    const uses = Array.from({ length: 300 }, (_, at) => `use${at}: *shared`).join('\n');
    const { tree } = readYaml(
      `shared: &shared { type: object, properties: { id: { type: string } } }\n${uses}`,
      'p.yaml',
    );
    expect((tree as Record<string, unknown>).use299).toEqual({
      type: 'object',
      properties: { id: { type: 'string' } },
    });
  });

  test('a file that expands without end is refused in one sentence with the line and what to do', () => {
    const levels = Array.from({ length: 12 }, (_, at) =>
      at === 0
        ? 'a0: &a0 [x, x, x, x, x, x, x, x, x]'
        : `a${at}: &a${at} [${Array(9)
            .fill(`*a${at - 1}`)
            .join(', ')}]`,
    );
    expect(() => readYaml(levels.join('\n'), 'p.yaml')).toThrow(
      /^p\.yaml:6: with the alias \*a4 the file has more than 200000 values; use aliases in fewer places, or let them name smaller values$/,
    );
  });

  test('a merge key adds the members of one map or several that a map lacks', () => {
    const { tree } = readYaml('x: &x { a: 1, b: 2 }\ny: &y { c: 3 }\nz: { <<: [*x, *y], b: 5 }', 'p.yaml');
    expect(tree).toMatchObject({ z: { a: 1, b: 5, c: 3 } });
  });

  test.each(['a: *unknown', 'a: &a [*a]', 'a: &a {b: *a}'])('%s is one sentence', (text) => {
    expect(() => readYaml(text, 'p.yaml')).toThrow(/^p\.yaml(:1)?: [^\n]+$/);
  });
});
