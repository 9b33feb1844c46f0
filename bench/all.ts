/**
 * Runs every bench small, as each night does: it ends with 1 if a bench does not run, or a bound is broken.
 *
 *   node bench/all.ts [NAME …, default all]
 *
 * Small figures are coarse: a bound that is broken here is measured again by the bench itself, at its own size.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The arguments of each bench that make it take a minute or less on two cores. */
const SMALL = [
  ['run-cost', ['1']],
  ['distant', ['40', '1']],
  ['bulk-rows', ['20000']],
  ['depths', ['200']],
  ['gateway', ['60', '7']],
  ['replay', ['--requests', '10000', '--rounds', '5', '--entries', '1000']],
  ['simulator', ['1000', '1']],
  ['million-products', ['200000', '1']],
  ['learn', ['--count', '6', '--only', 'drawn', '--groups', 'CD']],
  ['learn', ['--count', '4', '--only', 'drawn', '--groups', 'CD', '--mode', 'none', '--faults', '4']],
  ['services/judge', ['--count', '20', '--depth', 'quick']],
] as const;
const MOST_MINUTES = 10;

const wanted = process.argv.slice(2);
const problems: string[] = [];
for (const [name, args] of SMALL) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`== bench/${name}.ts ${args.join(' ')}`);
  const { status, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: MOST_MINUTES * 60_000,
  });
  process.stdout.write(stdout);
  if (status !== 0) problems.push(`${name} does not run: it ended with ${status ?? 'its time limit'}`);
  for (const line of stdout.split('\n')) if (line.includes('(broken)')) problems.push(`${name}: ${line.trim()}`);
}
console.log(problems.length === 0 ? 'every bound is held' : `not held:\n${problems.join('\n')}`);
process.exitCode = problems.length === 0 ? 0 : 1;
