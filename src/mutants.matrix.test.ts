import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('the cases of judges hold in the small runner that tries mutants, so that what it does not notice is unnoticed', async () => {
  const root = join(import.meta.dirname, '..');
  const child = fork(join(root, 'scripts', 'try-cases.ts'), ['src/text-patterns.ts', '1000000'], { stdio: 'ignore' });
  // -1 is the file as it is; the second value says whether a test noticed something.
  const [reported] = await once(child, 'message');
  child.kill();
  expect(reported).toEqual([-1, false]);
});
