/** `mdwi drift`: compares a recording with the service now, or with another recording. */

import { configure, hasTarget } from '../commands/configure.ts';
import { compareSides, type DriftOptions } from '../commands/find-drift.ts';
import { baseUrlOf } from '../commands/selection.ts';
import { mapTexts } from '../exchange/map-texts.ts';
import { CLASSES, type DriftClass, flagOf } from '../recording/drift/classes.ts';
import { reportDriftToConsole } from '../recording/drift/formats/console.ts';
import { DRIFT_FORMATS, type DriftFormat } from '../recording/drift/formats/index.ts';
import { EXIT, firstToCount } from '../run/exit-codes.ts';
import { secretValuesOf } from '../secrets/declared-secrets.ts';
import { redactor } from '../secrets/redact.ts';
import { usesColour } from '../terminal/colour.ts';
import { notify } from '../terminal/notify.ts';
import { UsageError } from '../usage-error.ts';
import { type Command, needed, parse } from './parse-flags.ts';
import { printConfig } from './print-config.ts';
import { failRecording } from './recording-flags.ts';
import { reportFilesOf, usesStandardOutput, writeReports } from './report-files.ts';
import { DRIFT_FLAGS } from './usage/recordings.ts';

/** Settings of a run; the reports of a comparison have other formats. */
const UNUSED_SETTINGS = [
  ...(['simulator', 'rules', 'skipRules', 'reports', 'waivers', 'ruleSet', 'baseline', 'history'] as const),
];

const FORMAT_NAMES = Object.keys(DRIFT_FORMATS) as DriftFormat[];

/** Members of a comparison whose values are words of closed sets; secrets are not hidden there. */
const DRIFT_WORDS: ReadonlySet<string> = new Set(['class', 'kind', 'failOn']);

/** Finds a class by its name, with dashes or blanks, or by its first word. */
function classNamed(flag: string, text: string): DriftClass {
  const requested = text.trim().toLowerCase().replaceAll(' ', '-');
  const found = CLASSES.find((each) => flagOf(each) === requested || each.split(' ')[0] === requested);
  if (!found) throw new UsageError(`--${flag} ${text}: allowed are ${CLASSES.map(flagOf).join(', ')}`);
  return found;
}

/** Returns what the recording is compared with. */
function comparedWith(name: string, other: string | undefined, base: string | undefined): DriftOptions['with'] {
  if (other !== undefined && base !== undefined)
    throw new UsageError('either --base-url URL or a second recording can be compared with, not both');
  if (other !== undefined) return { recording: other };
  if (base !== undefined) return { base: baseUrlOf(base) };
  throw new UsageError(`with what is ${name} compared? Give --base-url URL, or the name of a second recording`);
}

export const drift: Command = async (args) => {
  const { values: flags, positionals } = parse(args, DRIFT_FLAGS, 2);
  const [first, other] = positionals;
  const name = needed(first, 'which recording is compared? mdwi drift NAME --base-url URL, or mdwi drift NAME NAME2');
  const { recordings: folder, report, ...view } = flags;
  const isTarget = other !== undefined && (await hasTarget(other, flags.config));
  const configured = await configure(
    { ...view, 'recordings-dir': folder, recordings: isTarget ? undefined : other },
    {
      target: isTarget ? other : undefined,
      flags: DRIFT_FLAGS,
      omit: UNUSED_SETTINGS,
    },
  );
  if (flags['print-config']) return printConfig(configured);
  const { values } = configured;
  const { 'fail-on': failOn = 'breaking-shape', show = 'data', secret: secrets = [] } = values;
  const options: DriftOptions = {
    ...values,
    name,
    with: comparedWith(name, values.recordings, values['base-url']),
    dir: values['recordings-dir'] ?? 'recordings',
    secrets,
    failOn: failOn === 'none' ? 'none' : classNamed('fail-on', failOn),
  };
  const leastShown = classNamed('show', show);
  const reports = reportFilesOf(report, FORMAT_NAMES);
  let found: Awaited<ReturnType<typeof compareSides>>;
  try {
    found = await compareSides(options);
  } catch (error) {
    return failRecording('drift', error);
  }
  const { report: drifted, profile, received } = found;
  // Redacted before it is formatted: a format escapes characters that secrets may contain.
  const redacted = mapTexts(drifted, redactor(secretValuesOf(profile, secrets, received)), DRIFT_WORDS);
  const failures = await writeReports(reports, (format) => DRIFT_FORMATS[format](redacted));
  if (!usesStandardOutput(reports))
    process.stdout.write(reportDriftToConsole(redacted, { colour: usesColour(), show: leastShown }));
  if (redacted.reason !== undefined) notify('drift', redacted.reason);
  for (const each of failures) notify('drift', each);
  return failures.length > 0 ? firstToCount(drifted.exitCode, EXIT.usage) : drifted.exitCode;
};
