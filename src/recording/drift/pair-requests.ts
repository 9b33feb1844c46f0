/** Which request of one recording is which of another. */
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
  /** Requests of one side for which the other has none, and why where that is known. */
  readonly onlyBefore: readonly { readonly asked: RecordedSequence; readonly why?: UnsendableError }[];
  readonly onlyNow: readonly RecordedSequence[];
  /** Ids of jobs and cursors of now, and what stands for them in the recording. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** Keys of both sides tell the same: headers that only one of them minds are left out. */
function commonKey(key: string, own: readonly string[], common: readonly string[]): string {
  if (own.length === common.length) return key;
  const lines = key.split('\n');
  const headers = lines.slice(1, 1 + own.length).filter((line) => common.includes(line.slice(0, line.indexOf(': '))));
  return [lines[0], ...headers, ...lines.slice(1 + own.length)].join('\n');
}

/** Pairs requests by what tells them apart, in their lanes; ids of jobs and cursors may be others. */
export async function pairRequests(was: RecordedTraffic, is: RecordedTraffic): Promise<PairedRequests> {
  const common = was.about.matching.headers.filter((name) => is.about.matching.headers.includes(name));
  const matching = {
    headers: common,
    withoutQuery: [...was.about.matching.withoutQuery, ...is.about.matching.withoutQuery],
    credentials: was.about.matching.credentials ?? [],
  };
  const lanes = new Set(is.asked.map((each) => each.lane));
  const [onlyLane] = lanes.size === 1 ? lanes : [];
  const idOf = (lane: string, key: string): string => `${lane}\n${key}`;
  const now = new Map(
    is.asked.map((each) => [idOf(each.lane, commonKey(each.key, is.about.matching.headers, common)), each]),
  );
  const links = await findLinks(was);
  const found = new Map<RecordedSequence, RecordedSequence>();
  const why = new Map<RecordedSequence, UnsendableError>();
  const renamed = new Map<string, string>();
  const loose = new Map<RecordedSequence, Promise<readonly ScalarValues[]>>();
  const answersOf = (from: RecordedSequence): Promise<readonly ScalarValues[]> | undefined => {
    const other = found.get(from);
    if (!other) return undefined;
    const known = loose.get(other) ?? Promise.all(other.exchanges.map((each) => valuesOf(each.response)));
    loose.set(other, known);
    return known;
  };
  const valuesOf = async (response: RecordedSequence['exchanges'][number]['response']): Promise<ScalarValues> =>
    response ? scalarValuesOf(response, response.body && { body: storedBody(is.folder, response.body) }) : new Map();
  for (const asked of inOrder(was.asked, links)) {
    const lane = lanes.has(asked.lane) ? asked.lane : (onlyLane ?? asked.lane);
    const own = links.get(asked) ?? [];
    const plain = commonKey(asked.key, was.about.matching.headers, common);
    if (own.length === 0) {
      const same = now.get(idOf(lane, plain));
      if (same) found.set(asked, same);
      continue;
    }
    const request = await carryForward(asked, own, answersOf, is.about.basePath, renamed);
    const key = typeof request === 'string' ? plain : keyFor({ method: asked.method, ...request }, matching);
    const same = now.get(idOf(lane, key)) ?? now.get(idOf(lane, plain));
    if (same) found.set(asked, same);
    else if (typeof request === 'string') why.set(asked, request);
  }
  const taken = new Set(found.values());
  return {
    pairs: [...found].map(([from, to]) => ({ was: from, is: to })),
    onlyBefore: was.asked
      .filter((each) => !found.has(each))
      .map((asked) => ({ asked, ...(why.has(asked) && { why: why.get(asked) as UnsendableError }) })),
    onlyNow: is.asked.filter((each) => !taken.has(each)),
    renamed,
  };
}
