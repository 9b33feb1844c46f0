/**
 * Breaks judges mechanically, one small change at a time, and shows which breakages nothing notices: `node
 * scripts/mutate.ts suites/market.ts …` (default: all suites). Each mutant is tried, in a copy of the sources, on its
 * counterexamples, then on the conforming reference dialect and the faults of its group.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
/** A mutant that loops for ever is noticed too. */
const TIMEOUT_MS = 120_000;

/** What is changed into what. */
const MUTATIONS: readonly (readonly [RegExp, string])[] = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ (?=\w)/g, ' - '],
  [/ - (?=\w)/g, ' + '],
  [/(?<=[(\s])!(?=\w)/g, ''],
  [/\.some\(/g, '.every('],
  [/\.every\(/g, '.some('],
  [/\breturn failed\(/g, "return undecided('dropped') ?? failed("],
  [/\breturn undecided\(/g, 'return passed({ exchanges: 1 }) ?? undecided('],
  [/\breturn nothingSeen\(/g, 'return passed({ exchanges: 1 }) ?? nothingSeen('],
  [/\b0(?=[;,)\s])/g, '1'],
];

interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

/** Every mutant of a file; comments, imports and texts for people stay as they are. */
function mutantsOf(file: string): Mutant[] {
  return readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((before, at) => {
      if (/^\s*(?:\/\/|\/?\*|import\b|how:|demands:|since:)/.test(before)) return [];
      return MUTATIONS.flatMap(([from, to]) =>
        [...before.matchAll(from)].map(({ index, 0: found }) => ({
          file,
          line: at + 1,
          before,
          after: before.slice(0, index) + to + before.slice(index + found.length),
        })),
      );
    });
}

const { positionals } = parseArgs({ allowPositionals: true });
const files =
  positionals.length > 0
    ? positionals
    : globSync('suites/**/*.ts', { cwd: root, exclude: (path) => /\.test\.ts$|vitest|index\.ts$/.test(path) });
const copy = mkdtempSync(join(tmpdir(), 'mdwi-mutants-'));
try {
  for (const name of ['suites', 'src', 'simulator', 'scripts', 'package.json', 'tsconfig.json']) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  let [tried, unnoticed] = [0, 0];
  for (const mutant of files.flatMap(mutantsOf)) {
    const path = join(copy, mutant.file);
    const whole = readFileSync(path, 'utf8');
    const lines = whole.split('\n');
    writeFileSync(path, lines.with(mutant.line - 1, mutant.after).join('\n'));
    const trial = spawnSync(process.execPath, [join(copy, 'scripts', 'try-mutant.ts'), mutant.file], {
      cwd: copy,
      timeout: TIMEOUT_MS,
      stdio: 'ignore',
    });
    writeFileSync(path, whole);
    tried++;
    if (trial.status !== 0) continue;
    unnoticed++;
    process.stdout.write(`${mutant.file}:${mutant.line}\n  - ${mutant.before.trim()}\n  + ${mutant.after.trim()}\n`);
  }
  process.stdout.write(`${tried} mutants tried, ${unnoticed} unnoticed\n`);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
