/** Presents a run's verdicts as tests through vitest, embedded: any of its reporters can tell them. */
import { dirname, join } from 'node:path';
import { startVitest } from 'vitest/node';
import type { Run } from '../run/types.ts';

const SUITES = join(dirname(import.meta.dirname), '..', 'suites');

/**
 * Hands a finished run to the suite entry of this package. Nothing is judged anew: the entry shows what the engine
 * decided, one test per result. Nothing is written and no port is opened.
 */
export async function presentInVitest(run: Run, reporter: string): Promise<void> {
  const extension = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
  const vitest = await startVitest(
    [],
    {
      config: false,
      root: SUITES,
      include: [`verdicts.vitest.${extension}`],
      exclude: [],
      watch: false,
      reporters: [reporter],
      isolate: false,
      cache: false,
      fsModuleCache: false,
      provide: { mdwiRun: JSON.stringify(run) },
    },
    // Vite would look for a configuration of the user's project beside the package; its type hides the switch.
    { configFile: false } as object,
  );
  await vitest.close();
  // The exit code is the run's; vitest sets its own on failures.
  process.exitCode = undefined;
}
