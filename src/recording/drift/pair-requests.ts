/** Finds the corresponding requests of two recordings. */
import { carryForward, findLinks, inOrder, type UnsendableError } from './chained-values.ts';
import { storedBody } from './read-shape.ts';
import { keyFor, type RecordedSequence, type RecordedTraffic } from './recorded-requests.ts';
import { type ScalarValues, scalarValuesOf } from './scalar-values.ts';

export interface RequestPair {
  readonly was: RecordedSequence;
  readonly is: RecordedSequence;
}

export interface PairedRequests {
  readonly pairs: readonly RequestPair[];
  /** Requests without a counterpart, and why if known. */
  readonly onlyBefore: readonly { readonly request: RecordedSequence; readonly why?: UnsendableError }[];
  readonly onlyNow: readonly RecordedSequence[];
  /** Current job ids and cursors, and the recorded ones in their place. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** The key without the headers that only one side matches by, so that keys of both sides are comparable. */
function commonKey(key: string, own: readonly string[], common: readonly string[]): string {
  if (own.length === common.length) return key;
  const lines = key.split('\n');
  const headers = lines.slice(1, 1 + own.length).filter((line) => common.includes(line.slice(0, line.indexOf(': '))));
  return [lines[0], ...headers, ...lines.slice(1 + own.length)].join('\n');
}

/** Pairs requests by key and lane; job ids and cursors may differ. */
export async function pairRequests(was: RecordedTraffic, is: RecordedTraffic): Promise<PairedRequests> {
  const common = was.about.matching.headers.filter((name) => is.about.matching.headers.includes(name));
  const matching = {
    headers: common,
    withoutQuery: [...was.about.matching.withoutQuery, ...is.about.matching.withoutQuery],
    credentials: was.about.matching.credentials ?? [],
  };
  const lanes = new Set(is.requests.map((each) => each.lane));
  const [onlyLane] = lanes.size === 1 ? lanes : [];
  const idOf = (lane: string, key: string): string => `${lane}\n${key}`;
  const now = new Map(
    is.requests.map((each) => [idOf(each.lane, commonKey(each.key, is.about.matching.headers, common)), each]),
  );
  const links = await findLinks(was);
  const found = new Map<RecordedSequence, RecordedSequence>();
  const why = new Map<RecordedSequence, UnsendableError>();
  const renamed = new Map<string, string>();
  const scalars = new Map<RecordedSequence, Promise<readonly ScalarValues[]>>();
  const responsesOf = (from: RecordedSequence): Promise<readonly ScalarValues[]> | undefined => {
    const other = found.get(from);
    if (!other) return undefined;
    const known = scalars.get(other) ?? Promise.all(other.exchanges.map((each) => valuesOf(each.response)));
    scalars.set(other, known);
    return known;
  };
  const valuesOf = async (response: RecordedSequence['exchanges'][number]['response']): Promise<ScalarValues> =>
    response ? scalarValuesOf(response, response.body && { body: storedBody(is.folder, response.body) }) : new Map();
  for (const sequence of inOrder(was.requests, links)) {
    const lane = lanes.has(sequence.lane) ? sequence.lane : (onlyLane ?? sequence.lane);
    const own = links.get(sequence) ?? [];
    const plain = commonKey(sequence.key, was.about.matching.headers, common);
    if (own.length === 0) {
      const same = now.get(idOf(lane, plain));
      if (same) found.set(sequence, same);
      continue;
    }
    const request = await carryForward(sequence, own, responsesOf, is.about.basePath, renamed);
    const key = typeof request === 'string' ? plain : keyFor({ method: sequence.method, ...request }, matching);
    const same = now.get(idOf(lane, key)) ?? now.get(idOf(lane, plain));
    if (same) found.set(sequence, same);
    else if (typeof request === 'string') why.set(sequence, request);
  }
  const taken = new Set(found.values());
  return {
    pairs: [...found].map(([from, to]) => ({ was: from, is: to })),
    onlyBefore: was.requests
      .filter((each) => !found.has(each))
      .map((request) => ({ request, ...(why.has(request) && { why: why.get(request) as UnsendableError }) })),
    onlyNow: is.requests.filter((each) => !taken.has(each)),
    renamed,
  };
}
