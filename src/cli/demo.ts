/** `mdwi demo`: judges the simulator, which conforms, and then the simulator with one fault. */
import { faultNamed } from '../../simulator/faults/index.ts';
import { startSimulator } from '../../simulator/server.ts';
import { judgeTarget } from '../commands/judge-target.ts';
import { withoutWaiting } from '../commands/start-simulator.ts';
import { loadProfile } from '../profile/load.ts';
import { reportToConsole } from '../report/console.ts';
import { EXIT } from '../run/exit-codes.ts';
import type { Run } from '../run/types.ts';
import { Interrupted } from '../terminal/interrupts.ts';
import { type Command, parse } from './parse-flags.ts';
import { outputOptions } from './report-options.ts';

/** One row of the whole bulk list has a UPC of 11 digits: a sample of rows would miss it. */
const FAULT = 'bulk-upc-11-digits';

async function judgeSimulator(fault?: string): Promise<Run> {
  const simulator = await startSimulator(fault ? { fault } : {});
  try {
    const run = await judgeTarget({
      base: simulator.url,
      profile: await loadProfile('reference'),
      selection: { safety: 'all' },
      wait: withoutWaiting,
    });
    if (run.manifest.interrupted) throw new Interrupted(run.manifest.interrupted);
    return run;
  } finally {
    await simulator.close();
  }
}

export const demo: Command = async (args) => {
  parse(args, {});
  const statement = faultNamed(FAULT)?.statement;
  process.stdout.write('1. The built-in simulator, which conforms\n\n');
  const conforming = await judgeSimulator();
  process.stdout.write(reportToConsole(conforming, outputOptions()));
  process.stdout.write(`\n2. The same simulator with the fault ${FAULT}: ${faultNamed(FAULT)?.says}\n\n`);
  const faulty = await judgeSimulator(FAULT);
  process.stdout.write(reportToConsole(faulty, outputOptions()));
  const isCaught =
    faulty.outcome === 'nonconformant' &&
    faulty.results.some((each) => each.verdict === 'fail' && each.statement === statement);
  const isExpected = conforming.outcome === 'conformant' && isCaught;
  process.stdout.write(
    `\n${isExpected ? 'Both results are as expected.' : 'A result is not as expected: please report it.'}\n`,
  );
  return isExpected ? EXIT.ok : EXIT.ownError;
};
