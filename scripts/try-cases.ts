/**
 * Tries the mutants of one file, from one on, on the cases of judges and the tests of the rule vocabulary, in one
 * process: only what may be broken is loaded anew. Tells the parent of each whether it is noticed; -1 is the file as it is.
 */
import { globSync, readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runTests } from './bare-vitest.ts';
import { mutantsOf } from './mutants.ts';

const root = join(import.meta.dirname, '..');
const [, , file = '', first = '0'] = process.argv;
const broken = pathToFileURL(join(root, file)).href;
const renewed = [pathToFileURL(join(root, 'suites/')).href, pathToFileURL(join(root, 'src/rule/')).href];

let [round, source] = [0, ''];
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'vitest') return { url: new URL('./bare-vitest.ts', import.meta.url).href, shortCircuit: true };
    const resolved = next(specifier, context);
    if (!renewed.some((folder) => resolved.url.startsWith(folder))) return resolved;
    return { ...resolved, url: `${resolved.url.replace(/\?.*/, '')}?round=${round}` };
  },
  load(url, context, next) {
    if (!url.includes('?round=')) return next(url, context);
    const plain = url.replace(/\?.*/, '');
    const text = plain === broken ? source : readFileSync(fileURLToPath(plain), 'utf8');
    return { format: 'module', source: stripTypeScriptTypes(text), shortCircuit: true };
  },
});

/** What is likeliest to notice comes first: the file's own cases, then those of its folder. */
const nearness = (tests: string): number =>
  Number(dirname(tests) === dirname(file)) + 2 * Number(basename(tests).startsWith(basename(file, '.ts')));
const tests = globSync(['suites/**/*.judge.test.ts', 'src/rule/*.test.ts'], { cwd: root }).sort(
  (x, y) => nearness(y) - nearness(x),
);

/** Whether all tests hold with the file as `source` is. */
async function holds(): Promise<boolean> {
  round++;
  for (const each of tests) {
    try {
      await import(pathToFileURL(join(root, each)).href);
    } catch {
      return false;
    }
    if (!(await runTests())) return false;
  }
  return true;
}

const whole = readFileSync(join(root, file), 'utf8');
const lines = whole.split('\n');
for (const [at, mutant] of [[-1, undefined] as const, ...mutantsOf(file).entries()]) {
  if (at >= 0 && at < Number(first)) continue;
  source = mutant ? lines.with(mutant.line - 1, mutant.after).join('\n') : whole;
  process.send?.([at, !(await holds())]);
}
process.disconnect?.();
