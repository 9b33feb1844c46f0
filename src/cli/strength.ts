/** `mdwi strength`: what would a run of this profile see if the service broke? */
import { configure, hasTarget } from '../commands/configure.ts';
import { measureStrength } from '../commands/measure-strength.ts';
import { samplingOf } from '../commands/selection.ts';
import { mapTexts } from '../exchange/map-texts.ts';
import { jsonText } from '../report/json-text.ts';
import { EXIT, firstToCount, interruptedExitCode } from '../run/exit-codes.ts';
import { interruptedBy } from '../run/interruption.ts';
import { redactor } from '../secrets/redact.ts';
import { strengthToConsole } from '../strength/console.ts';
import { listenForInterrupts } from '../terminal/interrupts.ts';
import { notify } from '../terminal/notify.ts';
import { startProgress } from '../terminal/progress.ts';
import { UsageError } from '../usage-error.ts';
import { type Command, numberOf, parse } from './parse-flags.ts';
import { printConfig } from './print-config.ts';
import { reportFilesOf, usesStandardOutput, writeReports } from './report-files.ts';
import { STRENGTH_FLAGS } from './usage/strength.ts';

const DEFAULT_MUTANTS = 1000;
const DEFAULT_LINES = 6;

/** Settings of a run that have no meaning for a strength. */
const UNUSED_SETTINGS = [...(['rules', 'skipRules', 'reports', 'waivers', 'ruleSet', 'baseline', 'history'] as const)];

export const strength: Command = async (args) => {
  const { values: flags, positionals } = parse(args, STRENGTH_FLAGS, 1);
  const {
    report: reportFlags,
    'max-mutants': most,
    lines,
    'min-score': least,
    'sample-seed': seedText,
    ...given
  } = flags;
  const [name] = positionals;
  const isTarget = name !== undefined && (await hasTarget(name, flags.config));
  if (name !== undefined && !isTarget && given.recordings !== undefined)
    throw new UsageError(`${name} and --recordings ${given.recordings}: one recording is measured at a time`);
  const configured = await configure(
    { ...given, recordings: given.recordings ?? (isTarget ? undefined : name) },
    { target: isTarget ? name : undefined, flags: STRENGTH_FLAGS, omit: UNUSED_SETTINGS },
  );
  if (flags['print-config']) return printConfig(configured);
  const maxMutants = numberOf('max-mutants', most, DEFAULT_MUTANTS, 1, 100_000);
  const minScore = numberOf('min-score', least, 0, 0, 100);
  const maxLines = numberOf('lines', lines, DEFAULT_LINES, 0, 1000);
  const { seed } = samplingOf({ 'sample-seed': seedText });
  const reports = reportFilesOf(reportFlags, ['json']);
  const interrupts = listenForInterrupts();
  const progress = startProgress({ noun: 'mutants' });
  const { report, secrets, received } = await measureStrength(configured.values, {
    maxMutants,
    maxLines,
    seed,
    signal: interrupts.signal,
    onProgress: progress.update,
  }).finally(() => {
    progress.end();
    interrupts.end();
  });
  const redacted = mapTexts(report, redactor(secrets));
  const failures = await writeReports(reports, () => jsonText(redacted));
  if (!usesStandardOutput(reports)) process.stdout.write(strengthToConsole(redacted));
  for (const each of failures) notify('strength', each);
  if (received) notify('strength', `${interruptedBy(received)}; the mutants judged so far are reported`);
  const { score } = report;
  const isTooLow = score !== undefined && score < minScore;
  if (isTooLow) notify('strength', `the score ${score} is below --min-score ${minScore}`);
  return firstToCount(
    score === undefined ? EXIT.undetermined : isTooLow ? EXIT.nonconformity : EXIT.ok,
    received ? interruptedExitCode(received) : EXIT.ok,
    failures.length > 0 ? EXIT.usage : EXIT.ok,
  );
};
