/** Presents a run's verdicts as tests through vitest, embedded, in any of its reporters. */
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { ReportersMap, startVitest } from 'vitest/node';
import { suitesOf } from '../../suites/index.ts';
import type { Run } from '../run/types.ts';
import { UsageError } from '../usage-error.ts';

const SUITES = join(dirname(import.meta.dirname), '..', 'suites');

const BUILT_IN = Object.keys(ReportersMap).filter((name) => name !== 'hanging-process');

/** Whether a package can be found from the working directory. */
function isInstalled(name: string): boolean {
  try {
    createRequire(join(process.cwd(), 'package.json')).resolve(name);
    return true;
  } catch (error) {
    // Any other error comes from a package that is installed.
    return (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND';
  }
}

/**
 * Finds the reporter that `--vitest` names: a built-in reporter, a file (its absolute path is returned), or a package.
 *
 * @throws UsageError if there is no such reporter
 * @example findReporter('./my-reporter.js') // '/home/me/my-reporter.js'
 */
export function findReporter(name: string): string {
  if (BUILT_IN.includes(name)) return name;
  if (name === 'html') {
    if (isInstalled('@vitest/ui')) return name;
    throw new UsageError('--vitest html needs the package @vitest/ui, which is not installed');
  }
  const path = resolve(name);
  if (name !== '' && existsSync(path) && statSync(path).isFile()) return path;
  if (/^(?:@[\w.-]+\/)?[\w-][\w./-]*$/.test(name) && isInstalled(name)) return name;
  throw new UsageError(
    `--vitest ${name}: there is no such reporter: allowed are ${BUILT_IN.join(', ')}, the path of a reporter’s file, or an installed package`,
  );
}

/**
 * Passes a finished run to the conformance entries of `suites/`. Nothing is judged again: each entry shows the results of
 * its folder, one test per result, and the first entry checks the exit code. Reporters write files below the working
 * directory. No port is opened.
 *
 * @param reporter from `findReporter`
 * @returns why the reporter could not be used; undefined if it could
 */
export async function presentInVitest(run: Run, reporter: string): Promise<string | undefined> {
  const extension = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
  try {
    const vitest = await startVitest(
      [],
      {
        config: false,
        root: process.cwd(),
        dir: SUITES,
        include: suitesOf(run.results.map(({ rule }) => rule)).map(
          (suite) => `${suite}/${suite}.conformance.${extension}`,
        ),
        exclude: [],
        watch: false,
        reporters: [reporter],
        isolate: false,
        cache: false,
        fsModuleCache: false,
        provide: { mdwiRun: JSON.stringify(run) },
      },
      // vitest must not read the user's project in the working directory: no configuration, no .env, no styles.
      { configFile: false, envDir: false, css: { postcss: {} } } as object,
    );
    await vitest.close();
    return undefined;
  } catch (error) {
    const { message, cause } = error as Error;
    return `--vitest ${reporter}: ${[message, (cause as Error | undefined)?.message].filter(Boolean).join(': ')}`;
  } finally {
    // The exit code is the run's; vitest sets its own on failures.
    process.exitCode = undefined;
  }
}
