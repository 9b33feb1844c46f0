/** Keeps runs in a folder. */
import type { SettingValues } from '../config/settings.ts';
import type { Run } from '../run/types.ts';
import { notify } from '../terminal/notify.ts';
import { systemSentence } from '../terminal/system-error.ts';
import { UsageError } from '../usage-error.ts';

interface KeptRun {
  /** The run with its history. */
  readonly run: Run;
  /** Why it could not be stored. */
  readonly problem?: string;
}

/**
 * Reads the history before anything is sent.
 * @returns a function that stores a run without secrets, and returns it with its history; an interrupted run, which is
 * partial, is not stored
 * @throws UsageError if the folder is a file
 */
export async function historyKeeper(
  { history: folder }: Pick<SettingValues, 'history'>,
  command: string,
): Promise<((run: Run) => Promise<KeptRun>) | undefined> {
  if (folder === undefined) return undefined;
  const { readHistory, storeHistoryEntry } = await import('../comparison/history-folder.ts');
  const { historyEntry } = await import('../comparison/history-entry.ts');
  const { historyOf, withFirstFailures } = await import('../comparison/run-history.ts');
  for (const each of readHistory(folder).damaged) notify(command, each);
  return async (run) => {
    let kept = run;
    try {
      const entry = historyEntry(run);
      // Another job may have stored a run since the start.
      const earlier = readHistory(folder).entries.filter(
        ({ target, startedAt }) => target === entry.target && startedAt < entry.startedAt,
      );
      const own = withFirstFailures(entry, earlier);
      kept = { ...run, history: historyOf([...earlier, own]) };
      if (!run.manifest.interrupted) await storeHistoryEntry(folder, own);
      return { run: kept };
    } catch (error) {
      const problem = error instanceof UsageError ? error.message : systemSentence(error);
      if (problem === undefined) throw error;
      return { run: kept, problem: `the run is not in the history: ${problem}` };
    }
  };
}
