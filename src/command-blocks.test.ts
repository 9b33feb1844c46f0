/** What README and docs contain is run or compiled, from the packed package: every command block of the README, the programs of docs/api.md. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BLOCKS, isCommand, testPages } from './command-blocks.test.support.ts';
import { ROOT } from './packed-package.test.support.ts';

const installed = testPages((page) => page === 'README.md');

test('few commands are not run, each for a reason', () => {
  const notRun = BLOCKS.filter(isCommand).filter(({ info }) => info.includes('not-run'));
  expect(notRun.map(({ page, info }) => `${page}: ${info.slice('sh not-run='.length)}`)).toEqual([]);
  expect(BLOCKS.filter(isCommand).length).toBeGreaterThan(12);
});

test('every program of docs/api.md compiles against the types of the package', () => {
  const folder = installed().emptyFolder();
  const programs = BLOCKS.filter(({ page, info }) => page === 'docs/api.md' && info === 'ts');
  expect(programs.length).toBeGreaterThan(2);
  writeFileSync(join(folder, 'app.ts'), "export const app = async (): Promise<Response> => new Response('{}');\n");
  for (const [at, { text }] of programs.entries()) writeFileSync(join(folder, `program-${at}.ts`), text);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const compilerOptions = { noEmit: true, incremental: false, rootDir: '.', paths: {}, noUnusedLocals: false };
  const config = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { status, stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});
