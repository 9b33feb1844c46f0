/** `mdwi history`: keeps runs in a folder, and shows what they have in common. */
import { mapTexts } from '../exchange/map-texts.ts';
import { printable } from '../exchange/printable.ts';
import { historyText } from '../report/history-text.ts';
import { jsonText } from '../report/json-text.ts';
import { EXIT } from '../run/exit-codes.ts';
import { notify } from '../terminal/notify.ts';
import { UsageError } from '../usage-error.ts';
import { historyKeeper } from './keep-history.ts';
import { type Command, needed, parse } from './parse-flags.ts';
import { reportFilesOf, usesStandardOutput, writeReports } from './report-files.ts';
import { HISTORY_FLAGS } from './usage/reports.ts';

const MAX_FILES = 1000;

export const history: Command = async (args) => {
  const { values, positionals } = parse(args, HISTORY_FLAGS, MAX_FILES + 1);
  const [first, ...files] = positionals;
  const folder = needed(first, 'mdwi history FOLDER [run.json …]: the folder of the history is missing');
  const reports = reportFilesOf(values.report, ['json']);
  const { readRun } = await import('../comparison/read-run.ts');
  const { readHistory } = await import('../comparison/history-folder.ts');
  const { historiesOf } = await import('../comparison/run-history.ts');
  const runs = files.map((file) => {
    const run = readRun(file);
    if (run.parts) throw new UsageError(`${file}: is a report of several runs; name the runs instead`);
    if (run.manifest.interrupted) notify('history', `${file}: the run was interrupted and is not stored`);
    return run;
  });
  const keep = await historyKeeper({ history: folder }, 'history');
  const byTime = runs.sort((x, y) => (x.manifest.startedAt < y.manifest.startedAt ? -1 : 1));
  for (const run of byTime) {
    const kept = await keep?.(run);
    if (kept?.problem !== undefined) throw new UsageError(kept.problem);
  }
  const histories = historiesOf(readHistory(folder).entries).filter(
    ({ target }) => values.target === undefined || target === values.target,
  );
  if (histories.length === 0)
    throw new UsageError(
      values.target === undefined
        ? `${folder}: contains no run; mdwi run --history ${folder} and mdwi history ${folder} run.json store one`
        : `${folder}: contains no run of the target ${values.target}`,
    );
  const failures = await writeReports(reports, () => jsonText(histories));
  if (!usesStandardOutput(reports)) process.stdout.write(historyText(mapTexts(histories, printable)));
  for (const each of failures) notify('history', each);
  return failures.length > 0 ? EXIT.usage : EXIT.ok;
};
