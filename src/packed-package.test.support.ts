/** The package as a user installs it, without a registry, for tests that run what documents and CI files contain. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

export interface PackedPackage {
  /** Makes an empty folder in which `npx mdwi` runs the package. */
  readonly emptyFolder: () => string;
  /** The environment of commands: nothing of the environment of the test except the path. */
  readonly env: Readonly<Record<string, string>>;
  readonly remove: () => void;
}

/**
 * Writes commands in place of npm, npx, node and mdwi: nothing is downloaded, and `npm install` links the modules.
 * @param modules a folder `node_modules`
 * @param main the file that starts mdwi
 * @returns the environment of commands: nothing of the environment of the test except the path and Node’s compile cache
 */
export function writeCommands(home: string, modules: string, main: string): Record<string, string> {
  const path = process.env.PATH ?? '';
  const commands = {
    npm: `case "$1" in
  install|ci) [ -f package.json ] || echo '{}' > package.json; [ -e node_modules ] || ln -s '${modules}' node_modules ;;
  *) PATH='${path}' exec npm "$@" ;;
esac`,
    npx: `name=$1; shift
case "$name" in mdwi-conformance|mdwi) exec mdwi "$@" ;; *) exec '${modules}/.bin/'"$name" "$@" ;; esac`,
    mdwi: `exec '${process.execPath}' '${main}' "$@"`,
    node: `exec '${process.execPath}' "$@"`,
  };
  const bin = join(home, 'bin');
  mkdirSync(bin);
  for (const [name, text] of Object.entries(commands)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return {
    PATH: `${bin}${delimiter}${path}`,
    HOME: home,
    TMPDIR: tmpdir(),
    LANG: 'C.UTF-8',
    CI: 'true',
    // Commands start often: Node compiles their modules once.
    NODE_COMPILE_CACHE: main.startsWith(home) ? join(home, 'compile-cache') : (process.env.NODE_COMPILE_CACHE ?? ''),
  };
}

/** Builds the package into a temporary folder, beside links to its dependencies. */
export function packPackage(): PackedPackage {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'mdwi-packed-')));
  const modules = join(home, 'node_modules');
  const packed = join(modules, 'mdwi-conformance');
  mkdirSync(packed, { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { files: readonly string[] };
  for (const file of ['package.json', 'README.md', ...files.filter((each) => each !== 'dist' && !each.startsWith('!'))])
    cpSync(join(ROOT, file), join(packed, file), { recursive: true });
  // `npm run check` checks the types.
  const flags = ['--noCheck', '--singleThreaded'];
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.ts'), join(packed, 'dist'), ...flags], {
    stdio: 'inherit',
  });
  const env = writeCommands(home, modules, join(packed, 'dist/src/cli/main.js'));
  return {
    env,
    emptyFolder: () => mkdtempSync(join(home, 'work-')),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
