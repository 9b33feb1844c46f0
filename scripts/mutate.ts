/**
 * Breaks judges mechanically, one small change at a time, and shows which breakages nothing notices: `node
 * scripts/mutate.ts src/rule/row-rules.ts src/rule/fold.ts …` (default: all suites). Each mutant is tried on the cases of
 * judges and the tests of the rule vocabulary; what they let live, in a copy of the sources, on the reference dialect and
 * its counterexamples, and with `--deep` on the faults of its group, minutes for each survivor.
 */
import { fork, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Mutant, mutantsOf } from './mutants.ts';

const root = join(import.meta.dirname, '..');
/** A mutant that loops for ever is noticed too. */
const CASES_MS = 20_000;
const TRIAL_MS = 300_000;

/** The mutants of a file, from one on, that its cases do not notice. */
function tryCases(file: string, first = 0): Promise<number[]> {
  return new Promise((done, refuse) => {
    const lives: number[] = [];
    let last = first - 1;
    let isSound = false;
    const child = fork(join(root, 'scripts', 'try-cases.ts'), [file, String(first)], { stdio: 'ignore' });
    let alarm = setTimeout(() => child.kill(), CASES_MS);
    child.on('message', ([at, isNoticed]: [number, boolean]) => {
      clearTimeout(alarm);
      alarm = setTimeout(() => child.kill(), CASES_MS);
      if (at < 0 && isNoticed)
        refuse(new Error('the tests fail on the sources as they are, so that nothing can be told'));
      isSound ||= at < 0;
      if (at < 0) return;
      last = at;
      if (!isNoticed) lives.push(at);
    });
    child.on('exit', (code) => {
      clearTimeout(alarm);
      if (code === 0) done(lives);
      else if (!isSound) refuse(new Error(`the tests do not end on ${file} as it is`));
      else tryCases(file, last + 2).then((rest) => done([...lives, ...rest]), refuse);
    });
  });
}

const { positionals, values: flags } = parseArgs({ allowPositionals: true, options: { deep: { type: 'boolean' } } });
const files =
  positionals.length > 0
    ? positionals
    : globSync('suites/**/*.ts', { cwd: root, exclude: (path) => /\.test\.|vitest|index\.ts$/.test(path) });
const copy = mkdtempSync(join(tmpdir(), 'mdwi-mutants-'));

/** Whether a mutant lives through the reference dialect, its counterexamples and, if asked, the faults of its group. */
function livesOn({ file, line, after }: Mutant): boolean {
  const path = join(copy, file);
  const whole = readFileSync(path, 'utf8');
  const lines = whole.split('\n');
  writeFileSync(path, lines.with(line - 1, after).join('\n'));
  const script = [join(copy, 'scripts', 'try-mutant.ts'), file, ...(flags.deep ? ['--deep'] : [])];
  const trial = spawnSync(process.execPath, script, { cwd: copy, timeout: TRIAL_MS, stdio: 'ignore' });
  writeFileSync(path, whole);
  return trial.status === 0;
}

try {
  for (const name of ['suites', 'src', 'simulator', 'scripts', 'package.json', 'tsconfig.json']) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  let [tried, unnoticed] = [0, 0];
  for (const file of files) {
    const mutants = mutantsOf(file);
    tried += mutants.length;
    for (const at of await tryCases(file)) {
      const mutant = mutants[at] as Mutant;
      if (!livesOn(mutant)) continue;
      unnoticed++;
      process.stdout.write(`${file}:${mutant.line}\n  - ${mutant.before.trim()}\n  + ${mutant.after.trim()}\n`);
    }
  }
  process.stdout.write(`${tried} mutants tried, ${unnoticed} unnoticed\n`);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
