/** `mdwi drift`: compares a recording with the service now, or with another recording. */

import { compareSides, type DriftOptions } from '../api/find-drift.ts';
import { baseUrlOf } from '../api/selection.ts';
import { mapTexts } from '../exchange/map-texts.ts';
import { CLASSES, type DriftClass, flagOf } from '../recording/drift/classes.ts';
import { reportDriftToConsole } from '../report/drift/console.ts';
import { DRIFT_FORMATS, type DriftFormat } from '../report/drift/formats.ts';
import { EXIT, firstToCount } from '../run/exit-codes.ts';
import { secretValuesOf } from '../secrets/declared-secrets.ts';
import { redactor } from '../secrets/redact.ts';
import { usesColour } from '../terminal/colour.ts';
import { notify } from '../terminal/notify.ts';
import { UsageError } from '../usage-error.ts';
import type { Command } from './command-type.ts';
import { parse } from './parse-flags.ts';
import { failRecording } from './recording-flags.ts';
import { reportFilesOf, usesStandardOutput, writeReports } from './report-files.ts';

const FLAGS = {
  'base-url': { type: 'string' },
  recordings: { type: 'string' },
  profile: { type: 'string' },
  group: { type: 'string', multiple: true },
  operation: { type: 'string', multiple: true },
  safety: { type: 'string' },
  strict: { type: 'boolean' },
  secret: { type: 'string', multiple: true },
  'fail-on': { type: 'string' },
  ignore: { type: 'string', multiple: true },
  show: { type: 'string' },
  report: { type: 'string', multiple: true },
} as const;

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

export const drift: Command = {
  async run(args) {
    const { values, positionals } = parse(args, FLAGS, 2);
    const [name, other] = positionals;
    if (name === undefined)
      throw new UsageError('which recording is compared? mdwi drift NAME --base-url URL, or mdwi drift NAME NAME2');
    const { 'fail-on': failOn = 'breaking-shape', show = 'data', secret: secrets = [] } = values;
    const options: DriftOptions = {
      ...values,
      name,
      with: comparedWith(name, other, values['base-url']),
      dir: values.recordings ?? 'recordings',
      secrets,
      failOn: failOn === 'none' ? 'none' : classNamed('fail-on', failOn),
    };
    const leastShown = classNamed('show', show);
    const reports = reportFilesOf(values.report, FORMAT_NAMES);
    let found: Awaited<ReturnType<typeof compareSides>>;
    try {
      found = await compareSides(options);
    } catch (error) {
      return failRecording('drift', error);
    }
    const { report, profile, received } = found;
    // Redacted before it is formatted: a format escapes characters that secrets may contain.
    const redacted = mapTexts(report, redactor(secretValuesOf(profile, secrets, received)), DRIFT_WORDS);
    const failures = await writeReports(reports, (format) => DRIFT_FORMATS[format](redacted));
    if (!usesStandardOutput(reports))
      process.stdout.write(reportDriftToConsole(redacted, { colour: usesColour(), show: leastShown }));
    if (redacted.reason !== undefined) notify('drift', redacted.reason);
    for (const each of failures) notify('drift', each);
    return failures.length > 0 ? firstToCount(report.exitCode, EXIT.usage) : report.exitCode;
  },
};
