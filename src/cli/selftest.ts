/** `mdwi selftest`: tests the rules against faults, oddities, dialects and degenerate servers. */
import { availableParallelism } from 'node:os';
import { RULES } from '../../suites/index.ts';
import { samplingOf } from '../commands/selection.ts';
import { didYouMean } from '../profile/did-you-mean.ts';
import { EXIT, firstToCount, interruptedExitCode } from '../run/exit-codes.ts';
import { interruptedBy } from '../run/interruption.ts';
import { SELFTEST_FORMATS } from '../selftest/formats/index.ts';
import { SELFTEST_REPORTS } from '../selftest/formats/names.ts';
import { performSelftest } from '../selftest/perform-selftest.ts';
import { namesOfShard, TRIAL_NAMES, trialsOf } from '../selftest/trials.ts';
import { createPool } from '../selftest/worker-pool.ts';
import { listenForInterrupts } from '../terminal/interrupts.ts';
import { notify } from '../terminal/notify.ts';
import { startProgress } from '../terminal/progress.ts';
import { UsageError } from '../usage-error.ts';
import { type Command, parse } from './parse-flags.ts';
import { reportFilesOf, usesStandardOutput, writeReports } from './report-files.ts';
import { SELFTEST_FLAGS } from './usage/other.ts';

const MAX_THREADS = 4;

/** The names that are tried; undefined: all. */
function namesOf({
  only,
  shard,
}: {
  readonly only?: string[];
  readonly shard?: string;
}): readonly string[] | undefined {
  if (shard === undefined) return only;
  const names = namesOfShard(shard, only ?? TRIAL_NAMES);
  if (!names) throw new UsageError(`--shard ${shard}: N/M is needed, where N is from 1 to M, such as 1/4`);
  return names;
}

export const selftest: Command = async (args) => {
  const { values } = parse(args, SELFTEST_FLAGS);
  const reports = reportFilesOf(values.report, SELFTEST_REPORTS);
  for (const name of values.only ?? []) {
    if (!TRIAL_NAMES.includes(name))
      throw new UsageError(
        `--only ${name}: there is no such fault or oddity${didYouMean(name, TRIAL_NAMES)}; mdwi faults and mdwi oddities list them`,
      );
  }
  const { depth } = samplingOf(values);
  const only = namesOf(values);
  const scope = { full: values.full ?? false, ...(only && { only }), depth };
  const pool = createPool(Math.min(MAX_THREADS, availableParallelism()), depth);
  const all = { name: 'trials', bound: trialsOf(scope).length, has: () => true };
  const progress = startProgress({ noun: 'trials', groups: [all] });
  const interrupts = listenForInterrupts();
  interrupts.signal.addEventListener('abort', () => void pool.close(), { once: true });
  try {
    const tested = await performSelftest({
      scope,
      rules: RULES,
      perform: (trial) => pool.perform(trial),
      onProgress: progress.update,
      signal: interrupts.signal,
    });
    progress.end();
    const failures = await writeReports(reports, (format) => SELFTEST_FORMATS[format](tested, RULES));
    if (!usesStandardOutput(reports))
      process.stdout.write(SELFTEST_FORMATS[values.matrix ? 'matrix' : 'console'](tested, RULES));
    for (const each of failures) notify('selftest', each);
    const { ok, interrupted } = tested;
    if (interrupted) notify('selftest', interruptedBy(interrupted));
    const code = interrupted ? interruptedExitCode(interrupted) : ok ? EXIT.ok : EXIT.nonconformity;
    return failures.length > 0 ? firstToCount(code, EXIT.usage) : code;
  } finally {
    progress.end();
    interrupts.end();
    await pool.close();
  }
};
