/** Answers the requests of the learner from recorded exchanges; nothing is sent. */
import { type OperationKey, operationOf } from '../../contract/index.ts';
import { bodyFrom } from '../../exchange/body.ts';
import { operationLocator } from '../../exchange/operation-finder.ts';
import type { Exchange, Source, WireRequest } from '../../exchange/types.ts';
import type { PlainObject } from '../../profile/plain-object.ts';
import type { Profile } from '../../profile/schema.ts';
import { decodeAnswer } from '../decode-answer.ts';
import { recordedAuth } from './recorded-auth.ts';
import { pathText, type RecordedOperation, readRecordedRequests, type SuccessfulRequest } from './recorded-requests.ts';
import { readSentRequest, type SentValue, sentValues } from './sent-request.ts';

export interface Recorded {
  /** Returns the recorded exchange with the same inputs, else a failure of kind `notRecorded`. */
  readonly source: Source;
  readonly operations: ReadonlyMap<OperationKey, RecordedOperation>;
  /** The credentials of all successful requests, by variables of the environment. */
  readonly auth: PlainObject | PlainObject[] | undefined;
}

interface Found {
  readonly exchange: Exchange;
  readonly pathname: string;
  readonly values: ReadonlyMap<string, string>;
}

const isFilled = ({ value }: SentValue): boolean => typeof value !== 'object' || value === null;

const textsOf = (values: readonly SentValue[]): ReadonlyMap<string, string> =>
  new Map(values.filter(isFilled).map((each) => [pathText(each), String(each.value)]));

/** Reads the exchanges below a base address. */
export async function openRecorded(base: string, exchanges: readonly Exchange[], { data }: Profile): Promise<Recorded> {
  const basePath = new URL(base).pathname.replace(/\/+$/, '');
  const locate = operationLocator(data.prefixes);
  const found = new Map<OperationKey, Found[]>();
  const sent = new Map<OperationKey, SuccessfulRequest[]>();
  const successful: WireRequest[] = [];
  for (const exchange of exchanges) {
    const { request } = exchange;
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith(`${basePath}/`) || !exchange.response) continue;
    const located = locate(request.method, pathname.slice(basePath.length));
    if (located?.basePath !== '') continue;
    const { key } = located;
    const values = sentValues(readSentRequest(request));
    listAt(found, key).push({ exchange, pathname, values: textsOf(values) });
    const { isSuccess, document } = await decodeAnswer(exchange, key);
    if (!isSuccess) continue;
    successful.push(request);
    const upc = operationOf(key).path.endsWith('/{upc}') ? decodedPart(pathname.split('/').at(-1) ?? '') : undefined;
    listAt(sent, key).push({ values, upc, document });
  }
  const operations = readRecordedRequests(sent);
  return {
    operations,
    auth: recordedAuth(successful),
    source: { send: async (request) => answerTo(request), close: async () => undefined },
  };

  function answerTo(request: WireRequest): Exchange {
    const { pathname } = new URL(request.url);
    const asked = textsOf(sentValues(readSentRequest(request)));
    for (const [key, all] of found) {
      const operation = operations.get(key);
      const matching = all.filter(
        (each) =>
          each.pathname === pathname &&
          each.exchange.request.method === request.method &&
          [...asked].every(([path, value]) => each.values.get(path) === value) &&
          [...each.values].every(([path, value]) => asked.has(path) || operation?.isOptional(path, value)),
      );
      const [first] = matching.sort((x, y) => statusOf(x) - statusOf(y));
      if (first) return { ...first.exchange, request };
    }
    return {
      request,
      body: bodyFrom(new Uint8Array(0)),
      failure: { kind: 'notRecorded', message: 'no recorded request has these inputs' },
      redirects: [],
      timing: { startedAt: new Date(0).toISOString(), totalMs: 0 },
    };
  }
}

/** The list of a key, which begins empty. */
function listAt<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

/** A part of a path without percent-encoding, as far as it is valid. */
function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const statusOf = ({ exchange }: Found): number => exchange.response?.status ?? 0;
