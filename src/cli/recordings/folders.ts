/** The folders of the recordings that a command line names. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { recordingsFolderOf } from '../../commands/open-replay.ts';
import { UsageError } from '../../usage-error.ts';

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * Returns the folders of the named recordings, or of all in `dir`.
 * @throws UsageError if there is none
 */
export function foldersOf(names: readonly string[], dir = 'recordings'): string[] {
  const recordingNames = (): string[] => {
    if (!isFolder(dir))
      throw new UsageError(`there is no folder ${dir}; name the folder of all recordings with --recordings DIR`);
    return readdirSync(dir)
      .filter((each) => !each.startsWith('.') && !each.includes('.quarantined-') && isFolder(join(dir, each)))
      .sort();
  };
  if (names.length === 0) {
    const all = recordingNames();
    if (all.length === 0)
      throw new UsageError(
        `there is no recording in ${dir}; run mdwi record, or name another folder with --recordings DIR`,
      );
    return all.map((each) => join(dir, each));
  }
  return names.map((name) => {
    const folder = join(recordingsFolderOf(name, dir), name);
    if (!isFolder(folder)) {
      const all = recordingNames();
      throw new UsageError(
        `there is no recording ${folder}; ${all.length > 0 ? `there are: ${all.join(', ')}` : `${dir} is empty`}`,
      );
    }
    return folder;
  });
}
