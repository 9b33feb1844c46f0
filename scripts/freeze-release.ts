/**
 * Freezes what a user of a release has, for `suites/releases.test.ts`: recordings of the service of a profile, and the run
 * as a baseline.
 *
 *   MDWI="node DIR/node_modules/mdwi-conformance/dist/src/cli/main.js" \
 *     node scripts/freeze-release.ts VERSION NAME BASE_URL
 *
 * Records with the profile in `suites/__fixtures__/releases/VERSION/NAME/`, with the installed release that `MDWI` names. With the
 * release of that version it writes the baseline, too; with a later one, a recording of what that one requests.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const [version = '', name = '', baseUrl = ''] = process.argv.slice(2);
const [program = 'npx', ...words] = (process.env.MDWI ?? 'npx mdwi').split(' ');
const folder = join(import.meta.dirname, '../suites/__fixtures__/releases', version, name);
const by = execFileSync(program, [...words, '--version'], { encoding: 'utf8' }).trim();
const temporary = mkdtempSync(join(tmpdir(), 'mdwi-freeze-'));

/** Writes JSON without `readable`, which repeats bodies for diffs. The window is as long as a recording repeats lists. */
function compress(from: string, to: string): void {
  const json = JSON.parse(readFileSync(from, 'utf8'), (key, value) => (key === 'readable' ? undefined : value));
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24 };
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(`${to}.br`, brotliCompressSync(JSON.stringify(json), { params }));
}

try {
  const run = join(temporary, 'run.json');
  const recording = `by-${by}`;
  const flags = ['--profile', 'profile.yaml', '--safety', 'all', '--name', recording, '--recordings', temporary];
  const args = [...words, 'record', '--base-url', baseUrl, ...flags, '--report', `json=${run}`];
  const { status } = spawnSync(program, args, { cwd: folder, stdio: 'inherit' });
  for (const entry of readdirSync(join(temporary, recording), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const file = join(entry.parentPath, entry.name);
      compress(file, join(folder, 'recordings', file.slice(temporary.length)));
    }
  if (by === version) compress(run, join(folder, 'run.json'));
  console.log(`${version} ${name}: recorded by ${by}, exit ${status}`);
} finally {
  rmSync(temporary, { recursive: true });
}
