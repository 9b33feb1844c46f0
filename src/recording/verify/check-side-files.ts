/** Whether bodies in files of their own are there, whole, and needed. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { BODIES } from '../format/recorded-exchange.ts';
import { RecordingError } from '../format/schema.ts';
import { openWithin } from '../store/recording-files.ts';
import { entryName, type RecordingProblem } from './finding.ts';
import { damageSentence, type FolderOnDisk } from './read-folder.ts';

interface Hashed {
  readonly name: string;
  readonly bytes: number;
  /** As it would be called with LF in place of CR LF: git may have changed line endings. */
  readonly withoutCr: string;
}

async function hashOf(folder: string, file: string): Promise<Hashed> {
  const [hash, bare] = [createHash('sha256'), createHash('sha256')];
  let bytes = 0;
  for await (const chunk of createReadStream('', { fd: openWithin(folder, file), start: 0 }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    hash.update(chunk);
    bare.update(chunk.includes('\r') ? Buffer.from(chunk.toString('latin1').replaceAll('\r', ''), 'latin1') : chunk);
  }
  return { name: `sha256-${hash.digest('hex')}`, bytes, withoutCr: `sha256-${bare.digest('hex')}` };
}

/** The side files entries name, with the first entry that does. */
export function namedFiles({ lanes }: Pick<FolderOnDisk, 'lanes'>) {
  const named = new Map<string, { readonly bytes: number; readonly lane: string; readonly entry: string }>();
  for (const { file: lane, har } of lanes)
    for (const { _mdwi: extra } of har.log.entries)
      for (const body of [extra.requestBody, extra.responseBody])
        if (body && !named.has(body.file))
          named.set(body.file, { bytes: body.bytes, lane, entry: entryName(extra.key) });
  return named;
}

/** Side files no entry names; where a lane is damaged nothing is known of that. */
export const orphansOf = (onDisk: Pick<FolderOnDisk, 'lanes' | 'sideFiles' | 'findings'>): string[] => {
  if (onDisk.findings.some(({ kind, file }) => kind === 'damaged' && file?.endsWith('.har'))) return [];
  const named = namedFiles(onDisk);
  return onDisk.sideFiles.map((each) => `${BODIES}/${each}`).filter((each) => !named.has(each));
};

export async function checkSideFiles(onDisk: FolderOnDisk): Promise<RecordingProblem[]> {
  const { folder, sideFiles } = onDisk;
  const findings: RecordingProblem[] = [];
  const there = new Set(sideFiles.map((each) => `${BODIES}/${each}`));
  for (const [file, { bytes, lane, entry }] of namedFiles(onDisk)) {
    if (!there.has(file)) {
      const says = `its body is in ${file}, which is missing`;
      findings.push({
        kind: 'side file missing',
        file: lane,
        entry,
        says,
        advice: 'restore that file, or record anew',
      });
      continue;
    }
    const hashed = await hashOf(folder, file).catch((error: NodeJS.ErrnoException) => error);
    if (hashed instanceof Error) {
      // A link is told where the folder is listed.
      if (onDisk.findings.some((each) => each.kind === 'damaged' && each.file === file)) continue;
      const says =
        hashed instanceof RecordingError
          ? damageSentence(hashed, folder)
          : `cannot be read (${hashed.code ?? hashed.message})`;
      findings.push({ kind: 'damaged', file, entry, says, advice: 'restore that file, or record anew' });
      continue;
    }
    const name = file.slice(BODIES.length + 1);
    if (hashed.name === name && hashed.bytes === bytes) continue;
    const says =
      hashed.name === name
        ? `has ${hashed.bytes} bytes where its entry says ${bytes}`
        : hashed.withoutCr === name
          ? 'has other line endings than were recorded'
          : `holds something else than was recorded (${hashed.bytes} bytes, recorded ${bytes})`;
    const advice =
      hashed.withoutCr === name && hashed.name !== name
        ? 'tell git to leave it alone with a line “bodies/** -text” in .gitattributes, and check it out again'
        : 'restore that file, or record anew';
    findings.push({ kind: 'side file changed', file, entry, says, advice });
  }
  for (const file of orphansOf(onDisk))
    findings.push({
      kind: 'orphan',
      file,
      says: 'is named by no entry',
      advice: 'mdwi recordings prune removes it',
    });
  return findings;
}
