/** Inspects a service for `mdwi profile init`: sends a bare request to each harmless operation. */
import { type Network, networkOf } from '../../api/network.ts';
import { createLiveSource } from '../../client/live-source.ts';
import { OPERATIONS, type OperationKey } from '../../contract/index.ts';
import { firstHeader } from '../../exchange/headers.ts';
import { buildRequest } from '../../exchange/request.ts';
import type { Exchange } from '../../exchange/types.ts';
import { decodeBody } from '../../reading/decode.ts';
import { type Media, mediaOf } from '../../reading/media.ts';
import { summariseValue } from '../../reading/summarise-value.ts';
import { XmlTree } from '../../reading/xml-tree.ts';
import { parsePartialJson } from './partial-json.ts';

/** The response of one operation. Every text is one line. */
export interface ProbedOperation {
  /** Status and media type, or why there was no response. */
  readonly statusLine: string;
  readonly status?: number;
  /** The WWW-Authenticate header of a 401. */
  readonly challenge?: string;
  readonly sketch?: string;
  /** Selectors that find lists, the longest first, with their numbers of rows. */
  readonly lists: readonly { readonly rows: string; readonly length: number }[];
}

/** Enough of a body to see its structure; the rest is not fetched. */
const MAX_BYTES = 256 * 1024;

/** GET operations that change nothing and have no path parameter. */
const SAFE_GETS = OPERATIONS.filter(
  ({ safety, method, path }) => safety === 'read' && method === 'GET' && !path.includes('{'),
);

/** Sends one request to each harmless operation, without parameters and without credentials. */
export async function inspectService(
  base: string,
  network: Network = networkOf({}),
): Promise<Map<OperationKey, ProbedOperation>> {
  const source = createLiveSource({
    ...network,
    timeoutMs: 10_000,
    maxBodyBytes: MAX_BYTES,
    maxRequests: SAFE_GETS.length * 3,
    stopAfterRefusals: Number.POSITIVE_INFINITY,
    maxWaitMs: 2000,
  });
  const emptyProfile = { data: { name: 'init' }, source: 'init', secrets: [] };
  const responses = new Map<OperationKey, ProbedOperation>();
  try {
    for (const { key } of SAFE_GETS) {
      const exchange = await source.send({ ...buildRequest(base, key, emptyProfile, {}), anonymous: true });
      responses.set(key, await describeExchange(exchange));
    }
  } finally {
    await source.close();
  }
  return responses;
}

async function describeExchange({ response, failure, body }: Exchange): Promise<ProbedOperation> {
  if (!response) return { statusLine: oneLine(`no response: ${failure?.message ?? 'unknown'}`), lists: [] };
  const { status } = response;
  const type = firstHeader(response.headers, 'content-type');
  const challenge = status === 401 ? firstHeader(response.headers, 'www-authenticate') : undefined;
  const statusLine = oneLine(`${status}${type ? ` ${type}` : ''}`);
  const media = mediaOf(undefined, response);
  const text = await firstPartOf(response, body.chunks());
  const value = media && text !== '' ? await contentOf(media, text) : undefined;
  return {
    statusLine,
    status,
    ...(challenge !== undefined && { challenge: oneLine(challenge) }),
    ...(value !== undefined && { sketch: oneLine(summariseValue(value)) }),
    lists:
      status >= 200 && status < 300 && value !== undefined ? listsIn(value, media === 'ndjson' || media === 'csv') : [],
  };
}

/** Returns the first part of a body as decoded text. */
async function firstPartOf(
  head: NonNullable<Exchange['response']>,
  chunks: AsyncIterable<Uint8Array>,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of decodeBody(head, chunks, MAX_BYTES * 8)) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= MAX_BYTES) break;
    }
  } catch {
    // The beginning of a truncated or damaged body is still useful.
  }
  return text.slice(0, MAX_BYTES);
}

async function contentOf(media: Media, text: string): Promise<unknown> {
  const lines = text.split(/\r?\n/).filter((each) => each.trim() !== '');
  switch (media) {
    case 'json':
      return parsePartialJson(text);
    case 'ndjson':
      return lines.flatMap((each) => parsePartialJson(each) ?? []);
    case 'csv': {
      const [header = '', ...rows] = lines;
      const delimiter = [',', ';', '\t', '|'].sort(
        (x, y) => header.split(y).length - header.split(x).length,
      )[0] as string;
      const names = header.split(delimiter).map((each) => each.replace(/^"(.*)"$/, '$1'));
      return rows.map((row) =>
        Object.fromEntries(row.split(delimiter).map((cell, at) => [names[at] ?? String(at), cell])),
      );
    }
    case 'xml':
      return xmlOf(text);
    default:
      return text;
  }
}

function xmlOf(text: string): unknown {
  try {
    const tree = new XmlTree({
      rowSteps: undefined,
      retainedRows: 0,
      maxRowLength: MAX_BYTES,
      maxTreeLength: MAX_BYTES,
      onRow: () => undefined,
    });
    tree.push(text);
    return tree.end();
  } catch {
    return text;
  }
}

const MAX_LISTS = 4;
const MAX_DEPTH = 5;

/** Returns selectors of lists that may be the rows: lists of objects first, then longer lists first. */
function listsIn(value: unknown, isLines: boolean): { rows: string; length: number }[] {
  if (isLines) return [{ rows: '$[*]', length: Array.isArray(value) ? value.length : 0 }];
  const found: { rows: string; length: number; objects: boolean }[] = [];
  const visit = (node: unknown, at: string, depth: number): void => {
    if (typeof node !== 'object' || node === null || depth > MAX_DEPTH) return;
    if (Array.isArray(node)) {
      found.push({ rows: `${at}[*]`, length: node.length, objects: typeof node[0] === 'object' });
      // The root of an XML document is a list of one.
      if (node.length === 1) visit(node[0], `${at}[0]`, depth + 1);
      return;
    }
    for (const [name, child] of Object.entries(node))
      visit(
        child,
        /^[A-Za-z_]\w*$/.test(name) ? `${at}.${name}` : `${at}['${name.replace(/[\\']/g, '\\$&')}']`,
        depth + 1,
      );
  };
  visit(value, '$', 0);
  return found
    .filter(({ rows }) => rows === oneLine(rows))
    .sort((x, y) => Number(y.objects) - Number(x.objects) || y.length - x.length)
    .slice(0, MAX_LISTS)
    .map(({ rows, length }) => ({ rows, length }));
}

/** Formats a text of the service as one line, so that it stays inside its comment. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, 400);
