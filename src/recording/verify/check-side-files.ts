/** Checks that side files exist, are unchanged and are named by an entry. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { BODIES } from '../format/recorded-exchange.ts';
import { RecordingError } from '../format/schema.ts';
import { openWithin } from '../store/recording-files.ts';
import { entryName, problem, type RecordingProblem } from './finding.ts';
import { describeDamage, type FolderOnDisk } from './read-folder.ts';

interface Hashed {
  readonly name: string;
  readonly bytes: number;
  /** The name that the file would have without CR: git may have changed line endings. */
  readonly withoutCr: string;
}

async function hashOf(folder: string, file: string): Promise<Hashed> {
  const [hash, withoutCr] = [createHash('sha256'), createHash('sha256')];
  let bytes = 0;
  for await (const chunk of createReadStream('', { fd: openWithin(folder, file), start: 0 }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    hash.update(chunk);
    withoutCr.update(
      chunk.includes('\r') ? Buffer.from(chunk.toString('latin1').replaceAll('\r', ''), 'latin1') : chunk,
    );
  }
  return { name: `sha256-${hash.digest('hex')}`, bytes, withoutCr: `sha256-${withoutCr.digest('hex')}` };
}

/** The side files that entries name, with the first entry that names each. */
export function namedFiles({ lanes }: Pick<FolderOnDisk, 'lanes'>) {
  const named = new Map<string, { readonly bytes: number; readonly lane: string; readonly entry: string }>();
  for (const { file: lane, har } of lanes)
    for (const { _mdwi: extra } of har.log.entries)
      for (const body of [extra.requestBody, extra.responseBody])
        if (body && !named.has(body.file))
          named.set(body.file, { bytes: body.bytes, lane, entry: entryName(extra.key) });
  return named;
}

/** Side files that no entry names; empty if a lane is damaged, because its entries are unknown. */
export const orphansOf = (onDisk: Pick<FolderOnDisk, 'lanes' | 'sideFiles' | 'findings'>): string[] => {
  if (onDisk.findings.some(({ kind, file }) => kind === 'damaged' && file?.endsWith('.har'))) return [];
  const named = namedFiles(onDisk);
  return onDisk.sideFiles.map((each) => `${BODIES}/${each}`).filter((each) => !named.has(each));
};

export async function checkSideFiles(onDisk: FolderOnDisk): Promise<RecordingProblem[]> {
  const { folder, sideFiles } = onDisk;
  const findings: RecordingProblem[] = [];
  const existing = new Set(sideFiles.map((each) => `${BODIES}/${each}`));
  for (const [file, { bytes, lane, entry }] of namedFiles(onDisk)) {
    if (!existing.has(file)) {
      findings.push(problem('side file missing', `its body is in ${file}, which is missing`, { file: lane, entry }));
      continue;
    }
    const hashed = await hashOf(folder, file).catch((error: NodeJS.ErrnoException) => error);
    if (hashed instanceof Error) {
      // readFolder reports a symbolic link.
      if (onDisk.findings.some((each) => each.kind === 'damaged' && each.file === file)) continue;
      const says =
        hashed instanceof RecordingError
          ? describeDamage(hashed, folder)
          : `cannot be read (${hashed.code ?? hashed.message})`;
      findings.push(problem('damaged', says, { file, entry }, 'restore that file, or record again'));
      continue;
    }
    const name = file.slice(BODIES.length + 1);
    if (hashed.name === name && hashed.bytes === bytes) continue;
    const says =
      hashed.name === name
        ? `has ${hashed.bytes} bytes, but its entry states ${bytes}`
        : hashed.withoutCr === name
          ? 'has other line endings than the recorded file'
          : `has other content than the recorded file (${hashed.bytes} bytes, recorded ${bytes})`;
    const advice =
      hashed.withoutCr === name && hashed.name !== name
        ? 'add the line “bodies/** -text” to .gitattributes, so that git does not change it, and check it out again'
        : undefined;
    findings.push(problem('side file changed', says, { file, entry }, advice));
  }
  for (const file of orphansOf(onDisk)) findings.push(problem('orphan', 'is not named by any entry', { file }));
  return findings;
}
