/**
 * Builds the published package: bundled JavaScript, types, bundled profiles, and the JSON Schemas.
 * `node scripts/build.ts [FOLDER [FLAG...]]`; the default is `dist`, which is replaced. Flags are those of tsc.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { configJsonSchema } from '../src/config/schema.ts';
import { profileJsonSchema } from '../src/profile/json-schema.ts';
import { driftJsonSchema } from '../src/recording/drift/formats/schema.ts';
import { runJsonSchema } from '../src/report/run-schema.ts';
import { bundleModules, writeBundles } from './bundle-modules.ts';
import { bundleMswjsData } from './bundle-mswjs-data.ts';
import { writeBundledProfiles } from './write-bundled-profiles.ts';

const root = join(import.meta.dirname, '..');
const dist = resolve(process.argv[2] ?? join(root, 'dist'));
rmSync(dist, { recursive: true, force: true });
const compiled = `${dist}.compiled`;
const flags = ['--outDir', compiled, '--declarationDir', dist, ...process.argv.slice(3)];
execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', join(root, 'tsconfig.build.json'), ...flags], {
  stdio: 'inherit',
});
const mswjsData = join(compiled, 'mswjs-data.js');
await bundleMswjsData(mswjsData, join(dist, 'simulator', 'model', 'mswjs-data.LICENSES.txt'));
const profiles = join(root, 'src', 'profile', 'bundled');
cpSync(profiles, join(dist, 'src', 'profile', 'bundled'), { recursive: true, filter: (path) => !path.endsWith('.ts') });
writeBundledProfiles(profiles, join(compiled, 'src', 'profile', 'bundled'));
writeBundles(await bundleModules(compiled, '.js', mswjsData), dist);
rmSync(compiled, { recursive: true });
// The recordings that ship; others in that folder are of whoever works here.
for (const name of ['reference'])
  cpSync(join(root, 'recordings', name), join(dist, 'recordings', name), {
    recursive: true,
    filter: (path) => !/^\.|\.part$/.test(basename(path)),
  });
mkdirSync(join(dist, 'schema'));
for (const [name, schema] of [
  ['config.schema.json', configJsonSchema()],
  ['profile.schema.json', profileJsonSchema()],
  ['run.schema.json', runJsonSchema()],
  ['drift.schema.json', driftJsonSchema()],
] as const) {
  writeFileSync(join(dist, 'schema', name), `${JSON.stringify(schema, null, 2)}\n`);
}
chmodSync(join(dist, 'src', 'cli', 'main.js'), 0o755);
