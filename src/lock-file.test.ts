/** What `npm ci` needs of package-lock.json on machines other than the one that wrote it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  /** It is a folder of this repository. */
  readonly link?: boolean;
  readonly optionalDependencies?: Record<string, string>;
}
type LockedPackages = Record<string, LockedPackage>;

const { packages } = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
  readonly packages: LockedPackages;
};

/** The folders in which Node looks for a dependency of the package at `folder`. */
const lookUpFolders = (folder: string): string[] => [
  'node_modules/',
  ...[...folder.matchAll(/\/node_modules\//g)].map(({ index }) => `${folder.slice(0, index)}/node_modules/`),
  `${folder}/node_modules/`,
];

/** Optional dependencies without an entry. npm leaves out the platforms that its registry does not serve. */
const missingPlatforms = (locked: LockedPackages): string[] =>
  Object.entries(locked).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !lookUpFolders(folder).some((prefix) => locked[prefix + name]))
      .map((name) => `${folder || 'the project'} needs ${name}`),
  );

test('every platform of every package is locked', () => {
  expect(missingPlatforms(packages)).toEqual([]);
});

test('a missing platform is found, wherever its package lies', () => {
  const platform = { optionalDependencies: { 'p-linux': '1', 'p-darwin': '1' } };
  expect(
    missingPlatforms({
      '': { optionalDependencies: { own: '1' } },
      'node_modules/a': {},
      'node_modules/a/node_modules/@s/p': platform,
      'node_modules/a/node_modules/p-linux': {},
      'node_modules/b': platform,
      'node_modules/p-darwin': {},
    }),
  ).toEqual(['the project needs own', 'node_modules/b needs p-linux']);
});

test('every package is locked by its content, and none to a registry', () => {
  const locked = Object.entries(packages).filter(([folder, { link }]) => folder.includes('node_modules/') && !link);
  expect(locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([]);
  expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
