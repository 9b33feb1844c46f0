/** One digest of the contents of a recording. The redaction receipt states the contents it was made for. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PARTIAL_SUFFIX } from '../../atomic-write.ts';
import { BODIES } from './recorded-exchange.ts';

/**
 * The digest of the lanes and of the names of the side files, which are their hashes. It leaves out the provenance, which
 * stores the digest, and carriage returns, which git may change and which no JSON string contains.
 * @param folder of the recording
 */
export async function contentDigest(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const each of (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!each.isDirectory() || each.name.startsWith('.')) continue;
    const files = await readdir(join(folder, each.name), { withFileTypes: true });
    for (const entry of files.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const { name } = entry;
      // A file that a killed recorder left is not part of the recording.
      if (name.endsWith(PARTIAL_SUFFIX)) continue;
      hash.update(`${each.name}/${name}\n`);
      if (each.name === BODIES || !entry.isFile()) continue;
      for await (const chunk of createReadStream(join(folder, each.name, name)) as AsyncIterable<Buffer>)
        hash.update(chunk.includes(CR) ? Buffer.from(chunk.toString('latin1').replaceAll('\r', ''), 'latin1') : chunk);
    }
  }
  return `sha256-${hash.digest('hex')}`;
}

const CR = '\r';
