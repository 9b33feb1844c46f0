/** Inspects a service for `mdwi profile init`: sends a bare request to each harmless operation. */

import { createLiveSource } from '../../client/live-source.ts';
import { type Network, networkOf } from '../../commands/network.ts';
import { OPERATIONS, type OperationKey } from '../../contract/index.ts';
import { firstHeader } from '../../exchange/headers.ts';
import { buildRequest } from '../../exchange/request.ts';
import type { Exchange } from '../../exchange/types.ts';
import { summariseValue } from '../../reading/summarise-value.ts';
import { PREVIEW_LENGTH, previewBody } from './body-preview.ts';

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
    maxBodyBytes: PREVIEW_LENGTH,
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
  const { media, value } = (await previewBody({ response, body })) ?? {};
  return {
    statusLine,
    status,
    ...(challenge !== undefined && { challenge: oneLine(challenge) }),
    ...(value !== undefined && { sketch: oneLine(summariseValue(value)) }),
    lists:
      status >= 200 && status < 300 && value !== undefined ? listsIn(value, media === 'ndjson' || media === 'csv') : [],
  };
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
