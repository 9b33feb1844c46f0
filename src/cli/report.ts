/** `mdwi report`: one report and one exit code of several runs. */
import { resolve } from 'node:path';
import { mapTexts } from '../exchange/map-texts.ts';
import { printable } from '../exchange/printable.ts';
import { reportToConsole } from '../report/console.ts';
import type { Run } from '../run/types.ts';
import { usesColour } from '../terminal/colour.ts';
import { systemSentence } from '../terminal/system-error.ts';
import { UsageError } from '../usage-error.ts';
import { type Command, numberOf, parse } from './parse-flags.ts';
import { reportingOf } from './report-options.ts';
import { MERGE_FLAGS } from './usage/reports.ts';

const MAX_PARTS = 1000;

/** One line per part, with its scope. */
const partsText = ({ parts = [] }: Run): string[] =>
  parts.map(
    ({ file, target, outcomeInScope, exitCode, missing, reason }) =>
      `  ${file}  ${missing === undefined ? `${target}: ${outcomeInScope}, exit code ${exitCode}${reason ? ` – ${reason}` : ''}` : 'missing'}`,
  );

export const report: Command = async (args) => {
  const { values, positionals: files } = parse(args, MERGE_FLAGS, MAX_PARTS);
  const expected = numberOf('expect', values.expect, files.length, 1, MAX_PARTS);
  if (files.length === 0 && values.expect === undefined)
    throw new UsageError('mdwi report a.json b.json …: the files of the runs are missing');
  const paths = files.map((file) => resolve(file));
  const repeated = files.find((_, at) => paths.indexOf(paths[at] as string) !== at);
  if (repeated !== undefined) throw new UsageError(`${repeated}: is given twice`);
  const { readRun } = await import('../comparison/read-run.ts');
  const { mergeRuns } = await import('../comparison/merge-runs.ts');
  const parts = files.map((file) => {
    try {
      const run = readRun(file);
      if (run.parts && files.length > 1)
        throw new UsageError(`${file}: is a report of several runs; name the runs instead`);
      return { file, run };
    } catch (error) {
      const missing = error instanceof UsageError ? error.message : systemSentence(error);
      if (missing === undefined) throw error;
      return { file, missing };
    }
  });
  const absent = Array.from({ length: Math.max(0, expected - files.length) }, (_, at) => {
    const file = `part ${files.length + at + 1}`;
    return { file, missing: `${file}: --expect ${expected} is given, and there are only ${files.length} files` };
  });
  const run = mergeRuns([...parts, ...absent], new Date().toISOString());
  const reporting = await reportingOf(values, 'report');
  const textOf = (each: Run): string =>
    [
      reportToConsole(each, { colour: usesColour(), verbose: values.verbose ?? false }),
      ...partsText(mapTexts(each, printable)).map((line) => `${line}\n`),
    ].join('');
  return reporting.report(run, [], { textOf });
};
