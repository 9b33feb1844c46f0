/** The programs in docs/api.md are correct TypeScript. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../resources.test.support.ts';

const ROOT = join(import.meta.dirname, '../..');

test('every program of docs/api.md compiles against the public types', () => {
  const folder = newFolder();
  const programs = [...readFileSync(join(ROOT, 'docs/api.md'), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)];
  expect(programs.length).toBeGreaterThan(2);
  writeFileSync(join(folder, 'app.ts'), "export const app = async (): Promise<Response> => new Response('{}');\n");
  programs.forEach(([, code = ''], at) => {
    writeFileSync(join(folder, `program-${at}.ts`), code);
  });
  const paths = {
    'mdwi-conformance': [join(ROOT, 'src/api/index.ts')],
    'mdwi-conformance/msw': [join(ROOT, 'src/api/msw.ts')],
    'mdwi-conformance/vitest': [join(ROOT, 'src/api/vitest.ts')],
  };
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: join(ROOT, 'tsconfig.json'),
      compilerOptions: {
        paths,
        noEmit: true,
        rootDir: '/',
        noUnusedLocals: false,
        typeRoots: [join(ROOT, 'node_modules/@types')],
      },
      include: ['*.ts'],
    }),
  );
  const { status, stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});
