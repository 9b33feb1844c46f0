/**
 * Replays recordings with stock Polly, for clients that use node:http with `@pollyjs/adapter-node-http`. Requests of undici
 * or fetch do not pass through that adapter; send those to `mdwi replay` instead.
 */
import { join } from 'node:path';
import { OriginSplitter, originPattern, piecesWithOrigin, RECORDED_ORIGIN, replaceOrigin } from '../format/origin.ts';
import { canonicalBody, headerInputsOf, type Matching } from '../format/request-key.ts';
import { type Har, parseProvenance } from '../format/schema.ts';
import { FsPersister, type Polly, type PollyConfig, type PollyRequest } from './polly.ts';
import { MATCH_BY } from './polly-adapter.ts';
import { readSideFile } from './read-side-file.ts';
import { PROVENANCE, readWithin } from './recording-files.ts';

type Entry = Har['log']['entries'][number];

const placeholder = originPattern(RECORDED_ORIGIN);

/** Bytes with the placeholder origin replaced. */
function withClientOrigin(bytes: Uint8Array, origin: string): Buffer {
  const splitter = new OriginSplitter(placeholder);
  return Buffer.concat(piecesWithOrigin([...splitter.push(bytes), ...splitter.end()], origin));
}

/**
 * Settings of stock Polly for one recording: no network access, and the same request matching as in replay.
 * @param folder of the recording, e.g. `recordings/reference`
 * @example
 * const polly = new Polly('main', { ...pollySettings('recordings/reference'), adapters: [NodeHttpAdapter] });
 * restoreBodies(polly, 'recordings/reference');
 */
export function pollySettings(folder: string): PollyConfig {
  const about = readWithin(folder, PROVENANCE).toString('utf8');
  const { matching } = parseProvenance(about, join(folder, PROVENANCE));
  return {
    mode: 'replay',
    persister: FsPersister,
    persisterOptions: { keepUnusedRequests: true, fs: { recordingsDir: folder } },
    recordIfMissing: false,
    recordFailedRequests: true,
    logLevel: 'error',
    matchRequestsBy: matchBy(matching),
  };
}

const matchBy = (matching: Matching): PollyConfig['matchRequestsBy'] => ({
  ...MATCH_BY,
  headers:
    matching.headers.length > 0 &&
    ((requestHeaders, request) => {
      const lines = Object.entries(requestHeaders).map(([name, value]): [string, string] => [
        name,
        [value].flat()[0] ?? '',
      ]);
      return Object.fromEntries(headerInputsOf({ target: request.url, headers: lines }, matching));
    }),
  body: (body: unknown, request) => {
    const type = [request.getHeader('content-type') ?? undefined].flat()[0];
    return canonicalBody(typeof body === 'string' ? Buffer.from(body, 'utf8') : (body as Uint8Array), type);
  },
  url: {
    ...MATCH_BY.url,
    query: (query) =>
      Object.fromEntries(Object.entries(query).filter(([name]) => !matching.withoutQuery.includes(name))),
  },
});

/** Makes Polly load bodies from side files, and replace the placeholder origin by the client’s origin. */
export function restoreBodies(polly: Polly, folder: string): void {
  polly.server.any().on('beforeReplay', (request: PollyRequest, { _mdwi: extra, response }: Entry) => {
    const { origin } = new URL(request.url);
    for (const header of response.headers) header.value = replaceOrigin(header.value, placeholder, origin);
    const { content } = response;
    const { responseBody } = extra;
    if (responseBody === undefined) {
      if (content.text !== undefined) content.text = replaceOrigin(content.text, placeholder, origin);
      return;
    }
    const bytes = withClientOrigin(readSideFile(folder, responseBody), origin);
    content.text = bytes.toString('base64');
    content.encoding = 'base64';
  });
}
