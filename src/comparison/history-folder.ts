/** The folder of the history: one small file per run, so that CI can cache it and jobs do not write the same file. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../atomic-write.ts';
import { UsageError } from '../usage-error.ts';
import { entrySchema, type HistoryEntry } from './history-entry.ts';

/** Bounds of a folder. The oldest runs are removed first. */
export const HISTORY_LIMITS = { runsPerTarget: 100, bytes: 16 << 20, bytesPerRun: 1 << 20 } as const;

const FILE = /^run\.[\w-]{1,60}\.[0-9a-f]{8}\.(\d{8}T\d{9}Z)\.json$/;

/** The name of an entry’s file: target and time. The same run has the same name, so that adding it again changes nothing. */
function fileOf({ target, startedAt }: HistoryEntry): string {
  const slug =
    target
      .replace(/^https?:\/\//, '')
      .replace(/[^\w-]+/g, '-')
      .slice(0, 60) || '-';
  const hash = createHash('sha256').update(target).digest('hex').slice(0, 8);
  return `run.${slug}.${hash}.${new Date(startedAt).toISOString().replace(/[-:.]/g, '')}.json`;
}

interface StoredEntry {
  readonly file: string;
  readonly bytes: number;
  readonly entry: HistoryEntry;
}

/** What a folder holds: entries by time, the oldest first, and one sentence for each file that cannot be read. */
export interface StoredHistory {
  readonly entries: readonly HistoryEntry[];
  readonly damaged: readonly string[];
}

/** Undefined for a file that is damaged, or that another job removes at the same time. */
function readEntry(path: string): Omit<StoredEntry, 'file'> | undefined {
  try {
    const bytes = statSync(path).size;
    if (bytes > HISTORY_LIMITS.bytesPerRun) return undefined;
    const entry = entrySchema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
    return entry && { bytes, entry };
  } catch {
    return undefined;
  }
}

function readFolder(folder: string): { stored: StoredEntry[]; damaged: string[] } {
  if (!existsSync(folder)) return { stored: [], damaged: [] };
  if (!statSync(folder).isDirectory()) throw new UsageError(`${folder}: is a file; the history is a folder`);
  const stored: StoredEntry[] = [];
  const damaged: string[] = [];
  for (const file of readdirSync(folder).filter((name) => FILE.test(name))) {
    const path = join(folder, file);
    const read = readEntry(path);
    if (read) stored.push({ file, ...read });
    else damaged.push(`${path}: is no run of the history, or is damaged; it is ignored: delete it`);
  }
  stored.sort((x, y) => (x.entry.startedAt < y.entry.startedAt ? -1 : 1));
  return { stored, damaged };
}

/**
 * Reads the history. A folder that does not exist is empty.
 * @throws UsageError if it is a file
 */
export function readHistory(folder: string): StoredHistory {
  const { stored, damaged } = readFolder(folder);
  return { entries: stored.map(({ entry }) => entry), damaged };
}

/** The files to remove, the oldest first, so that the folder is within its limits. */
function surplus(
  stored: readonly StoredEntry[],
  limits: Pick<typeof HISTORY_LIMITS, 'runsPerTarget' | 'bytes'>,
): string[] {
  const removed = new Set<StoredEntry>();
  for (const own of Map.groupBy(stored, ({ entry }) => entry.target).values())
    for (const each of own.slice(0, Math.max(0, own.length - limits.runsPerTarget))) removed.add(each);
  let bytes = stored.reduce((sum, each) => (removed.has(each) ? sum : sum + each.bytes), 0);
  // The newest run stays, whatever its size.
  for (const each of stored.slice(0, -1)) {
    if (bytes <= limits.bytes) break;
    if (removed.has(each)) continue;
    removed.add(each);
    bytes -= each.bytes;
  }
  return [...removed].map(({ file }) => file);
}

/** Writes an entry, and removes the oldest ones beyond the limits. */
export async function storeHistoryEntry(
  folder: string,
  entry: HistoryEntry,
  limits: { readonly runsPerTarget: number; readonly bytes: number } = HISTORY_LIMITS,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await replaceFile(join(folder, fileOf(entry)), `${JSON.stringify(entry)}\n`);
  const { stored } = readFolder(folder);
  for (const file of surplus(stored, limits as typeof HISTORY_LIMITS)) await rm(join(folder, file), { force: true });
}
