/** One digest of all that a recording holds, so that a receipt can say what it was made for. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { BODIES } from './recorded-exchange.ts';

/**
 * The digest of lanes and of the names of side files, which are their hashes. The provenance, where it is written, is left
 * out; so are line endings, which git may change and which stand in no string of JSON.
 * @param folder of the recording
 */
export async function contentDigest(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const each of (await readdir(folder, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!each.isDirectory() || each.name.startsWith('.')) continue;
    const within = await readdir(join(folder, each.name), { withFileTypes: true });
    for (const entry of within.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const { name } = entry;
      if (name.endsWith(UNFINISHED)) continue;
      hash.update(`${each.name}/${name}\n`);
      if (each.name === BODIES || !entry.isFile()) continue;
      for await (const chunk of createReadStream(join(folder, each.name, name)) as AsyncIterable<Buffer>)
        hash.update(chunk.includes(CR) ? Buffer.from(chunk.toString('latin1').replaceAll('\r', ''), 'latin1') : chunk);
    }
  }
  return `sha256-${hash.digest('hex')}`;
}

const CR = '\r';
/** What a killed recorder left is no part of it. */
const UNFINISHED = '.part';
