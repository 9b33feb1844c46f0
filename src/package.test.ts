/** What the published package holds, and that README, documents and messages point to nothing else. */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { bundleMswjsData } from '../scripts/bundle-mswjs-data.ts';
import { writeBundledProfiles } from '../scripts/write-bundled-profiles.ts';
import { BUNDLES } from './main.test.support.ts';
import { bundledProfile } from './profile/bundled.ts';
import { bundledProfiles } from './profile/load.ts';
import { parseProfile } from './profile/parse-profile.ts';
import type { ProfileData } from './profile/schema.ts';
import { newFolder } from './resources.test.support.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The files of the package, apart from what the build makes. */
const packed = (): string[] => {
  const told = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files }] = JSON.parse(told) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path).filter((path) => !path.startsWith('dist/'));
};

/** Files that the build writes and texts name. */
const SCHEMAS = ['config', 'profile', 'run', 'drift'].map((name) => `dist/schema/${name}.schema.json`);

const files = [...packed(), ...SCHEMAS];
const isThere = (path: string): boolean => files.some((each) => each === path || each.startsWith(`${path}/`));

/** Paths of the package in a text, as `[what is written, path in the package]`. */
function pathsIn(file: string): [written: string, path: string][] {
  const text = read(file);
  const beside = (target: string) => posix.join(posix.dirname(file), target.replace(/#.*$/, ''));
  const links = file.endsWith('.md') ? [...text.matchAll(/\]\(([^)\s]+)\)/g)] : [];
  return [
    ...links
      .filter(([, target = '']) => !/^(?:[a-z]+:|#)/.test(target))
      .map(([, target = '']): [string, string] => [target, beside(target)]),
    ...[...text.matchAll(/node_modules\/mdwi-conformance\/([\w./-]*\w)/g)].map(
      ([written, path = '']): [string, string] => [written, path],
    ),
    // Outside links a path counts from the root of the package, or from the file.
    ...[...text.matchAll(/(?<![\w./-])(?:\.\.\/)*(?:docs|examples)\/[\w./-]*\w/g)].map(
      ([written]): [string, string] => [written, written.startsWith('..') ? beside(written) : written],
    ),
  ];
}

const temporaryFolder = (): string => {
  const dir = newFolder();
  return dir;
};

test('every path that a text of the package names is part of the package', () => {
  const texts = files.filter((path) => /\.(?:md|ya?ml|mjs)$/.test(path));
  expect(texts).toContain('README.md');
  expect(texts).toContain('docs/profile.md');
  expect(texts).toContain('examples/product-reference.yaml');
  const missing = texts.flatMap((file) =>
    pathsIn(file)
      .filter(([, path]) => !isThere(path))
      .map(([written]) => `${file}: ${written}`),
  );
  expect(missing).toEqual([]);
});

test('messages name documents by where they lie beside an installed package', () => {
  const sources = globSync('{src,simulator,suites}/**/*.ts', { cwd: root }).filter((file) => !/\.test\./.test(file));
  const wrong = sources.flatMap((file) => {
    const code = read(file).replace(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, '');
    return [...code.matchAll(/([\w./-]*)\b(?:docs|examples)\/[\w./-]*\w/g)]
      .map(([written]) => written)
      .filter(
        (written) =>
          !isThere(written.replace(/^node_modules\/mdwi-conformance\//, '')) || !/^node_modules/.test(written),
      )
      .map((written) => `${file}: ${written}`);
  });
  expect(wrong).toEqual([]);
});

test('no class is created from the result of a call: TypeScript 7 emits `new f().C()` for `new (f() as T).C()`', () => {
  const sources = globSync('{src,simulator,suites}/**/*.ts', { cwd: root }).filter((file) => !/\.test\./.test(file));
  expect(sources.filter((file) => /\bnew \((?:await |<[^>]*>)?\w+\(/.test(read(file)))).toEqual([]);
  expect(sources.length).toBeGreaterThan(100);
});

test('what only some users need is an optional peer, and no test tool is a dependency', () => {
  const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(read('package.json'));
  for (const name of Object.keys(peerDependencies)) {
    expect(peerDependenciesMeta[name]).toEqual({ optional: true });
    expect(dependencies).not.toHaveProperty(name);
  }
  expect(Object.keys(peerDependencies)).toContain('vitest');
});

test('the bundled @mswjs/data keeps, finds and changes what a store holds, and brings its licences', async () => {
  const dir = temporaryFolder();
  const file = join(dir, 'data.mjs');
  await bundleMswjsData(file, join(dir, 'LICENSES.txt'));
  const code = readFileSync(file, 'utf8');
  expect(code).not.toMatch(/\bfrom ['"](?!node:)/);
  const { factory, primaryKey } = (await import(file)) as typeof import('@mswjs/data');
  const db = factory({ job: { id: primaryKey(String), reads: Number, at: () => new Date(0) } });
  db.job.create({ id: 'one', reads: 0 });
  db.job.create({ id: 'two', reads: 0 });
  db.job.update({ where: { id: { equals: 'two' } }, data: { reads: 2 } });
  expect(db.job.count()).toBe(2);
  expect(db.job.findMany({ where: { reads: { gt: 1 }, at: { lt: new Date(1) } } }).map(({ id }) => id)).toEqual([
    'two',
  ]);
  const licences = readFileSync(join(dir, 'LICENSES.txt'), 'utf8');
  for (const name of ['@mswjs/data', 'date-fns', 'lodash', 'md5']) expect(licences).toContain(`${name} `);
});

test('the data of bundled profiles in the package is what their YAML says', async () => {
  const dir = temporaryFolder();
  cpSync(join(root, 'src/profile/bundled'), dir, { recursive: true });
  writeBundledProfiles(dir, dir);
  const names = bundledProfiles().filter((name) => name !== 'empty');
  expect(names).toContain('reference');
  const { bundledData } = await import(join(dir, 'index.js'));
  for (const name of names) {
    const packaged = bundledProfile((await bundledData(name)) as ProfileData, `bundled:${name}`);
    const checked = parseProfile(readFileSync(join(dir, `${name}.yaml`), 'utf8'), `bundled:${name}`, {});
    expect({ ...packaged, lineOf: undefined }).toStrictEqual({ ...checked, lineOf: undefined });
  }
});

test('the bundles import modules of Node and dependencies of the package only', () => {
  const { dependencies, peerDependencies } = JSON.parse(read('package.json')) as Record<string, object>;
  const known = Object.keys({ ...dependencies, ...peerDependencies });
  const imported = globSync('**/*.js', { cwd: BUNDLES }).flatMap((file) => {
    const code = readFileSync(join(BUNDLES, file), 'utf8');
    return [...code.matchAll(/^(?:import|export)\b[^'"]*["']([^./'"][^'"]*)["']/gm)].map(([, name = '']) => name);
  });
  expect(imported.length).toBeGreaterThan(20);
  const packages = imported.map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'));
  expect(new Set(packages.filter((name) => !known.includes(name) && !isBuiltin(name)))).toEqual(new Set());
});
