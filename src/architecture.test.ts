/** ARCHITECTURE.md and CONTRIBUTING.md describe the tree as it is. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const textOf = (document: string): string => readFileSync(join(root, document), 'utf8');

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/decisions/hand-written.md'])(
  'every path in %s exists',
  (document) => {
    const paths = [
      ...textOf(document).matchAll(/`((?:src|suites|simulator|bench|scripts|docs|recordings)\/[^`\s*]*)`/g),
    ];
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  },
);

describe('the code paths of ARCHITECTURE.md', () => {
  const [, paths = ''] = /## Code paths\n([\s\S]*?)\n## /.exec(textOf('ARCHITECTURE.md')) ?? [];
  const lists = paths.split(/^\*\*/m).slice(1);

  test('are three or more', () => expect(lists.length).toBeGreaterThanOrEqual(3));

  test.each(lists.map((list) => [list.split('**', 1)[0], list] as const))('%s: at most eight files', (_, list) => {
    const steps = list.split('\n').filter((line) => /^\d+\. /.test(line));
    expect(steps.length).toBeGreaterThan(2);
    expect(steps.length).toBeLessThanOrEqual(8);
    expect(steps.filter((line) => !/^\d+\. `[\w/.-]+\.ts`/.test(line))).toEqual([]);
  });
});
