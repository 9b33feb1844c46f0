/** Bundles the checkout for tests that start the command line in a process of its own: it starts in half of the time. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BUNDLES } from '../src/main.test.support.ts';
import { bundleModules, writeBundles } from './bundle-modules.ts';
import { bundleMswjsData } from './bundle-mswjs-data.ts';

const root = join(import.meta.dirname, '..');
/** What modules name beside themselves. */
const BESIDE = [join('src', 'profile', 'bundled'), 'recordings'];

/** The global set-up of vitest. Equal bundles are not written again: another run may be reading them. */
export default async function setup(): Promise<void> {
  mkdirSync(dirname(BUNDLES), { recursive: true });
  const mswjsData = join(dirname(BUNDLES), 'mswjs-data.js');
  if (!existsSync(mswjsData)) await bundleMswjsData(mswjsData, `${mswjsData}.LICENSES.txt`);
  const bundles = await bundleModules(root, '.ts', mswjsData);
  const digest = createHash('sha256')
    .update(JSON.stringify([...bundles]))
    .digest('hex');
  const mark = join(BUNDLES, 'digest');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === digest) return;
  rmSync(BUNDLES, { recursive: true, force: true });
  writeBundles(bundles, BUNDLES);
  for (const each of BESIDE) {
    mkdirSync(dirname(join(BUNDLES, each)), { recursive: true });
    symlinkSync(join(root, each), join(BUNDLES, each));
  }
  writeFileSync(mark, digest);
}
