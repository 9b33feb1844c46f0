/** The judge needs no drafting of profiles, no recording, no simulator and no other command than `run`. */
import { execFile } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { listen, newFolder } from '../resources.test.support.ts';
import { USAGE } from './usage.ts';

const root = join(import.meta.dirname, '../..');

const COMMANDS = Object.keys(USAGE).filter((name) => name !== 'run');

/** Folders and files of the repository without which the judge works. */
const DELETED = [
  ...['simulator', 'src/recording', 'src/selftest', 'src/profile/openapi'],
  ...COMMANDS.flatMap((name) => [`src/cli/${name}`, `src/cli/${name}.ts`]),
];

function copyOfJudge(): string {
  const copy = newFolder();
  for (const folder of ['src', 'suites'])
    cpSync(join(root, folder), join(copy, folder), {
      recursive: true,
      filter: (path) => !DELETED.includes(relative(root, path)) && !/\.test(\.support)?\.ts$/.test(path),
    });
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Serves categories as the reference profile describes them. Returns the base address. */
async function serve(categories: readonly object[]): Promise<string> {
  const server = createServer(({ url }, response) => {
    const isKnown = url === '/PLATFORMAPI/prodRef/v1/allCategories';
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isKnown ? { categories } : {}));
  });
  return listen(server);
}

const run = (copy: string, base: string): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const flags = ['--base-url', base, '--profile', 'reference', '--rule', 'C.categories-named', '--summary'];
    execFile(process.execPath, [join(copy, 'src/cli/main.ts'), 'run', ...flags], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });

test('without drafting, recording, drift, selftest, simulator and other commands, a run judges a service', async () => {
  const copy = copyOfJudge();
  const named = await run(copy, await serve([{ category: 'Tea', subCategory: 'Green' }]));
  expect(named).toMatchObject({ code: 0, stderr: '' });
  const nameless = await run(copy, await serve([{ subCategory: 'Green' }]));
  expect(nameless).toMatchObject({ code: 1, stdout: expect.stringContaining('nonconformant') });
});
