/**
 * Bundles what the simulator's store uses of @mswjs/data into one file of the published package. As a dependency it
 * brings 60 packages and 66 MB (date-fns, msw, graphql, lodash), which the store never calls: docs/decisions/install-size.md.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const ENTRY = 'store-entry';

/** Modules that @mswjs/data asks for, by what it asks with, and what it gets: its part of a library, or nothing. */
const INSTEAD: Readonly<Record<string, string>> = {
  [ENTRY]: "export { factory, primaryKey } from '@mswjs/data'",
  'date-fns': "export { default as compareAsc } from 'date-fns/compareAsc'",
  // Its logs; the library itself differs between Node and browsers.
  debug: 'export const debug = () => () => undefined',
  lodash: "export { default as isFunction } from 'lodash/isFunction.js'",
  './model/generateRestHandlers': '',
  './model/generateGraphQLHandlers': '',
};

const NAMES = Object.keys(INSTEAD);
/** Where the module of a name would lie: what it imports is looked up from there. */
const placeOf = (name: string): string => join(import.meta.dirname, `instead-${NAMES.indexOf(name)}.mjs`);

/** The folder of the package that a module is part of. */
const packageOf = (module: string): string[] =>
  /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(module)?.slice(0, 1) ?? [];

/** Name, version and licence of a package, with the text of its licence. */
function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : 'The package has no licence file.'}\n`;
}

/**
 * Writes the bundle as a module that exports `factory` and `primaryKey`, and beside it the licences of all it holds.
 * @param file where the module goes
 * @param licences where the licences go
 */
export async function bundleMswjsData(file: string, licences: string): Promise<void> {
  const bundle = await rolldown({
    input: ENTRY,
    platform: 'browser',
    cwd: join(import.meta.dirname, '..'),
    plugins: [
      {
        name: 'instead',
        resolveId: (name) => (NAMES.includes(name) ? placeOf(name) : null),
        load: (id) => INSTEAD[NAMES.find((name) => placeOf(name) === id) ?? ''],
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  const [{ code, moduleIds }] = output;
  const folders = [...new Set(moduleIds.flatMap(packageOf))].sort();
  writeFileSync(file, code);
  writeFileSync(licences, folders.map(licenceOf).join(`\n${'-'.repeat(80)}\n\n`));
}
