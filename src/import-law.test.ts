/** Who may import whom (ARCHITECTURE.md). */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Each folder and the folders it may import besides itself. */
const LAW: Record<string, readonly string[]> = {
  'src/contract': [],
  'src/profile': ['src/contract'],
  'src/exchange': ['src/contract', 'src/profile'],
  'src/secrets': ['src/contract', 'src/profile', 'src/exchange'],
  'src/reading': ['src/contract', 'src/profile', 'src/exchange'],
  'src/rule': ['src/contract', 'src/profile', 'src/exchange', 'src/reading'],
  'src/client': ['src/contract', 'src/profile', 'src/exchange', 'src/secrets'],
  'src/recording/format': ['src/contract', 'src/profile', 'src/exchange', 'src/secrets'],
  'src/recording/store': ['src/exchange', 'src/secrets', 'src/recording/format'],
  'src/recording/rerecord': [
    'src/contract',
    'src/profile',
    'src/exchange',
    'src/secrets',
    'src/reading',
    'src/run',
    'src/recording/format',
    'src/recording/store',
  ],
  'src/recording/record': [
    'src/contract',
    'src/profile',
    'src/exchange',
    'src/secrets',
    'src/recording/format',
    'src/recording/store',
    'src/recording/rerecord',
  ],
  'src/recording/import': [
    'src/contract',
    'src/profile',
    'src/exchange',
    'src/secrets',
    'src/run',
    'src/recording/format',
    'src/recording/store',
    'src/recording/record',
  ],
  'src/recording/replay': [
    'src/contract',
    'src/profile',
    'src/exchange',
    'src/secrets',
    'src/run',
    'src/recording/format',
    'src/recording/store',
    'simulator/replay',
  ],
  'src/run': [
    'src/contract',
    'src/profile',
    'src/exchange',
    'src/secrets',
    'src/reading',
    'src/rule',
    'src/client',
    'src/recording/format',
  ],
};

const folderOf = (file: string): string | undefined =>
  Object.keys(LAW)
    .filter((folder) => file.startsWith(`${folder}/`))
    .sort((x, y) => y.length - x.length)[0];

const files = globSync(['src/**/*.ts', 'suites/**/*.ts', 'simulator/**/*.ts'], { cwd: root }).filter(
  (file) => !/\.test(\.support)?\.ts$|\.vitest\.ts$/.test(file),
);

test('every file imports only what its folder may', () => {
  const breaches: string[] = [];
  for (const file of files) {
    const folder = folderOf(file);
    if (!folder) continue;
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, target = ''] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
      const path = normalize(join(dirname(file), target));
      const allowed = [folder, ...(LAW[folder] ?? [])];
      if (!allowed.some((each) => path.startsWith(`${each}/`))) breaches.push(`${file} imports ${path}`);
    }
  }
  expect(breaches).toEqual([]);
  expect(files.length).toBeGreaterThan(50);
});

/** Libraries with one reason to be here, and the one place that imports each. */
const LIBRARIES: Record<string, RegExp> = {
  undici: /^(src\/client|src\/exchange\/wire|simulator\/gateway)\//,
  '@mswjs/data': /^simulator\/model\/store\.ts$/,
  yaml: /^src\/profile\//,
  ajv: /^src\/profile\/body-schema\//,
  'ajv-formats': /^src\/profile\/body-schema\//,
  'json-p3': /^src\/profile\//,
  re2js: /^src\/profile\/pattern\//,
  zod: /^src\/(profile|report|exchange\/(har|secrets))\//,
  '@pollyjs/core': /^simulator\/gateway\//,
  '@pollyjs/adapter': /^simulator\/gateway\//,
  '@pollyjs/persister-fs': /^simulator\/gateway\//,
  'vitest/node': /^src\/cli\/present-in-vitest\.ts$/,
};

test('each library is imported in one place', () => {
  const breaches = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return Object.entries(LIBRARIES)
      .filter(([name, place]) => new RegExp(`(?:from |import\\(|load\\()'${name}'`).test(text) && !place.test(file))
      .map(([name]) => `${file} imports ${name}`);
  });
  expect(breaches).toEqual([]);
});
