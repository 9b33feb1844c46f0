/** The tests of `examples/python-client/`. The job of `examples/python/`: `examples.matrix.test.ts`. Examples in TypeScript are a vitest project of their own. */
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAIN } from '../main.test.support.ts';
import { newFolder } from '../resources.test.support.ts';

const ROOT = join(import.meta.dirname, '../..');

const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Runs the tests of `examples/python-client/` with the command line of the checkout. */
async function runUnittest(change: (client: string) => string = (client) => client) {
  const folder = newFolder();
  cpSync(join(ROOT, 'examples/python-client'), folder, { recursive: true });
  const client = join(folder, 'client.py');
  writeFileSync(client, change(readFileSync(client, 'utf8')));
  const env = { ...process.env, MDWI: `'${process.execPath}' '${MAIN}'` };
  return new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile('python3', ['-m', 'unittest'], { cwd: folder, env }, (error, _, output) =>
      resolve({ code: error?.code ?? 0, output }),
    );
  });
}

if (!hasPython) test.skip('the examples in Python: python3 is not installed, so they were not run', () => {});
else {
  test('the tests of examples/python-client pass, and fail for a client that is wrong', async () => {
    const { code, output } = await runUnittest();
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/Ran 7 tests[\s\S]*\nOK/) });
    const broken = await runUnittest((client) => {
      expect(client).toContain('.zfill(12)');
      return client.replace('.zfill(12)', '');
    });
    expect(broken.code).toBe(1);
    expect(broken.output).toContain("'input': 'upc'");
  });
}
