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

/** Commands in place of npm and npx: nothing is downloaded, and the package is linked where `npm install` would put it. */
const COMMANDS = (modules: string, path: string): Record<string, string> => ({
  npm: `case "$1" in
  install|ci) [ -f package.json ] || echo '{}' > package.json; [ -e node_modules ] || ln -s '${modules}' node_modules ;;
  *) PATH='${path}' exec npm "$@" ;;
esac`,
  npx: `name=$1; shift
case "$name" in mdwi-conformance|mdwi) exec mdwi "$@" ;; *) exec '${modules}/.bin/'"$name" "$@" ;; esac`,
  mdwi: `exec '${process.execPath}' '${modules}/mdwi-conformance/dist/src/cli/main.js' "$@"`,
  node: `exec '${process.execPath}' "$@"`,
});

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
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.ts'), join(packed, 'dist')], { stdio: 'inherit' });
  const bin = join(home, 'bin');
  mkdirSync(bin);
  for (const [name, text] of Object.entries(COMMANDS(modules, process.env.PATH ?? ''))) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const env = {
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    HOME: home,
    TMPDIR: tmpdir(),
    LANG: 'C.UTF-8',
    CI: 'true',
  };
  return {
    env,
    emptyFolder: () => mkdtempSync(join(home, 'work-')),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}
