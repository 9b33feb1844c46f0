/** Reads `--report FORMAT=FILE` and writes the reports. `-` is standard output. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { writeNamedFile } from '../atomic-write.ts';
import { systemReason } from '../terminal/system-error.ts';
import { UsageError } from '../usage-error.ts';

export interface ReportFile<F extends string> {
  readonly format: F;
  /** A path, or `-`. */
  readonly file: string;
}

const STANDARD_OUTPUT = '-';

/**
 * Reads the values of `--report` and checks them before anything is sent: formats are known, files are different and
 * writable.
 *
 * @throws UsageError
 * @example reportFilesOf(['json=run.json', 'junit=-'], ['json', 'junit']) // [{ format: 'json', file: 'run.json' }, …]
 */
export function reportFilesOf<F extends string>(
  values: readonly string[] = [],
  formats: readonly F[],
): ReportFile<F>[] {
  const reports = values.map((value) => {
    const [, format = '', path = ''] = /^([^=]*)=(.+)$/s.exec(value) ?? [];
    if (!(formats as readonly string[]).includes(format) || path === '')
      throw new UsageError(`--report ${value}: write FORMAT=FILE, with a format of ${formats.join(', ')}`);
    const file = path === '/dev/stdout' ? STANDARD_OUTPUT : path;
    if (file !== STANDARD_OUTPUT) checkWritable(file);
    return { format: format as F, file };
  });
  const targets = reports.map(({ file }) => (file === STANDARD_OUTPUT ? file : resolve(file)));
  const duplicate = reports.find((_, at) => targets.indexOf(targets[at] as string) !== at);
  if (duplicate)
    throw new UsageError(
      duplicate.file === STANDARD_OUTPUT
        ? '--report FORMAT=-: standard output can hold only one report'
        : `--report ${duplicate.format}=${duplicate.file}: two reports cannot be written to one file`,
    );
  return reports;
}

/** Throws UsageError if a file cannot be written: it is a folder, or its nearest existing folder is not writable. */
function checkWritable(file: string): void {
  const refusal = (why: string) => new UsageError(`--report …=${file}: cannot be written: ${why}`);
  try {
    const target = resolve(file);
    if (statSync(target, { throwIfNoEntry: false })?.isDirectory()) throw refusal('it is a folder; name a file in it');
    let folder = dirname(target);
    while (!existsSync(folder)) folder = dirname(folder);
    if (!statSync(folder).isDirectory()) throw refusal(`${folder} is a file, not a folder`);
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const reason = systemReason(error);
    throw reason === undefined ? error : refusal(reason);
  }
}

/** Whether a report goes to standard output; nothing else may be written there then. */
export const usesStandardOutput = (reports: readonly ReportFile<string>[]): boolean =>
  reports.some(({ file }) => file === STANDARD_OUTPUT);

/**
 * Writes each report completely or not at all. A report that cannot be written does not prevent the others.
 * @returns one sentence for each report that was not written
 */
export async function writeReports<F extends string>(
  reports: readonly ReportFile<F>[],
  textOf: (format: F) => string | Promise<string>,
): Promise<string[]> {
  const failures: string[] = [];
  for (const { format, file } of reports) {
    const text = await textOf(format);
    if (file === STANDARD_OUTPUT) process.stdout.write(text);
    else
      await writeNamedFile(file, text).catch((error: Error) => {
        failures.push(`--report ${format}=${file}: cannot be written: ${systemReason(error) ?? error.message}`);
      });
  }
  return failures;
}
