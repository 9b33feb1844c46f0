/**
 * Removes secrets that were recognised only after they were written. For example, a token in a plain text response is
 * recognised as a credential only when the client sends it. The affected entries and side files are written again.
 */
import { rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { mapTexts } from '../../exchange/map-texts.ts';
import type { Protection } from '../../secrets/hide-in-exchange.ts';
import { allMatches, matchesInJson } from '../../secrets/search.ts';
import { fromHarEntry, targetOf } from '../format/entry.ts';
import { type StoredBody, sha256Of } from '../format/recorded-exchange.ts';
import { CANONICAL_BYTES, hashedForm, type Matching, requestKey } from '../format/request-key.ts';
import type { HarEntry } from '../format/schema.ts';
import { LaneFile } from './lane-file.ts';
import { recordWithPolly, type UnorderedExchange } from './polly-adapter.ts';
import { type SideFile, sideFileChunks, storedBytes } from './read-side-file.ts';
import { readWholeLane } from './recording-files.ts';
import { BodySink } from './side-file.ts';

export interface RepairOptions {
  /** The folder of the recording; nothing else writes to it. */
  readonly folder: string;
  /** Contains the secrets found so far. */
  readonly protection: Protection;
  readonly matching: Matching;
}

/** Writes lanes and side files that contain a secret again. @param paths of the lane files */
export async function repairRecording(options: RepairOptions, paths: readonly string[]): Promise<void> {
  const bodies = new Map<string, Promise<StoredBody>>();
  const namedFiles = new Set<string>();
  for (const path of paths) {
    const { log } = readWholeLane(options.folder, `${basename(dirname(path))}/${basename(path)}`);
    const { entries, ...rest } = log;
    const lane = new LaneFile(path, { log: rest });
    for (const entry of entries as HarEntry[]) {
      const repaired = await repairEntry(options, log._recordingName, entry, bodies);
      for (const { file } of [repaired._mdwi.requestBody, repaired._mdwi.responseBody].filter((each) => !!each))
        namedFiles.add(file);
      lane.add(repaired);
    }
    await lane.write();
  }
  for (const file of bodies.keys()) if (!namedFiles.has(file)) await rm(join(options.folder, file), { force: true });
}

async function repairEntry(
  { folder, protection, matching }: RepairOptions,
  lane: string,
  entry: HarEntry,
  bodies: Map<string, Promise<StoredBody>>,
): Promise<HarEntry> {
  const { needles } = protection.registry;
  const side = 'response' as const;
  const text = (unhidden: string): string => protection.text(unhidden, { side });
  const bodyOf = (unhidden: StoredBody | undefined): Promise<StoredBody> | undefined => {
    if (!unhidden) return undefined;
    if ('text' in unhidden) return Promise.resolve({ text: text(unhidden.text) });
    const known = bodies.get(unhidden.file) ?? rewrite(folder, unhidden, protection);
    bodies.set(unhidden.file, known);
    return known;
  };
  const { request, response, ...rest } = fromHarEntry(entry);
  const [requestBody, responseBody] = [await bodyOf(request.body), await bodyOf(response?.body)];
  const entryBytes = Buffer.from(JSON.stringify(entry));
  const isClean = allMatches(entryBytes, needles).length === 0 && matchesInJson(entryBytes, needles).length === 0;
  if (isClean && sameFile(requestBody, request.body) && sameFile(responseBody, response?.body)) return entry;
  // Bodies are hidden above, and the key is computed anew.
  const hidden = mapTexts({ rest, request, response }, text, new Set(['body', 'key', 'kind', 'method', 'operation']));
  const { method, url, headers } = hidden.request;
  const sent = requestBody && storedBytes(folder, requestBody, CANONICAL_BYTES);
  const body = sent ?? (requestBody && 'file' in requestBody ? hashedForm(sha256Of(requestBody)) : '');
  const exchange: UnorderedExchange = {
    ...hidden.rest,
    key: requestKey({ method, target: targetOf({ url }), headers, body }, matching),
    request: { ...hidden.request, ...(requestBody && { body: requestBody }) },
    ...(hidden.response && { response: { ...hidden.response, ...(responseBody && { body: responseBody }) } }),
  };
  const { har } = await recordWithPolly(lane, exchange, matching);
  return har.log.entries[0] ?? entry;
}

const fileOf = (body: StoredBody | undefined): string | undefined => (body && 'file' in body ? body.file : undefined);
const sameFile = (now: StoredBody | undefined, before: StoredBody | undefined): boolean =>
  fileOf(now) === fileOf(before);

/** Copies the file with secrets replaced; a file without secrets keeps its name. */
async function rewrite(folder: string, body: SideFile, protection: Protection): Promise<StoredBody> {
  const sink = new BodySink(folder);
  const hide = protection.stream({ side: 'response' });
  for await (const chunk of sideFileChunks(folder, body)) await sink.write(hide(chunk));
  await sink.write(hide());
  // A side file is never empty.
  return (await sink.end()) as StoredBody;
}
