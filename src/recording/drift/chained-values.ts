/**
 * Requests that carry what an earlier answer said: the id of a job that was started, the cursor or address of the next
 * page. Sent to a service at another time, they carry what it says then.
 */
import { operationOf } from '../../contract/index.ts';
import { PLACEHOLDER } from '../format/origin.ts';
import { storedBody } from './read-shape.ts';
import type { RecordedSequence, RecordedTraffic } from './recorded-requests.ts';
import { type RequestPartValues, requestPartsOf, type Sendable, sendableOf, withPart } from './request-parts.ts';
import { type ScalarValues, scalarValuesOf } from './scalar-values.ts';

/** Where the value of a part comes from. */
export interface Link {
  readonly from: RecordedSequence;
  /** Which of its answers. */
  readonly nth: number;
  readonly place: string;
  /** The part of the request; `target`: the answer says the whole address. */
  readonly part: string;
  readonly value: string;
  /** What the request goes on with. */
  readonly of: 'job' | 'page';
}

const lastWord = (place: string): string =>
  (/([A-Za-z][\w-]*)\W*$/.exec(place)?.[1] ?? '').toLowerCase().replace(/[^a-z]/g, '');

const ID = /id$|^id|job|token|handle|ticket|number|reference|location|uuid|guid|key$/;
const NEXT = /next|cursor|token|continu|after|offset|start|from|page$|marker|scroll/;
const NO_NEXT = /total|count|limit|size|prev|first|last$|self|current/;

const isStart = ({ operation }: RecordedSequence): boolean =>
  operation !== undefined && operationOf(operation).group === 'A' && operationOf(operation).method === 'POST';

const isJobs = ({ operation }: RecordedSequence): boolean =>
  operation !== undefined && operationOf(operation).group === 'A';

const pathOf = (target: string): string => target.split('?', 1)[0] ?? '';

/** The target of an address an answer gave, behind the base path; undefined: it leads elsewhere. */
export function targetFrom(address: string, basePath: string): string | undefined {
  const bare = address.startsWith(`${PLACEHOLDER}/`) ? address.slice(PLACEHOLDER.length) : address;
  if (!bare.startsWith('/')) return undefined;
  return bare.startsWith(`${basePath}/`) ? bare.slice(basePath.length) : bare;
}

type Source = Pick<Link, 'from' | 'nth' | 'place'>;

const laneAnd = (lane: string, text: string): string => `${lane}\n${text}`;

/** All links of a recording, by the request that carries the value. */
export async function findLinks(traffic: RecordedTraffic): Promise<ReadonlyMap<RecordedSequence, readonly Link[]>> {
  const { about, asked } = traffic;
  const { headers, withoutQuery, credentials = [] } = about.matching;
  const inputs = headers.filter((name) => !credentials.includes(name));
  const secret = new Set(withoutQuery.map((name) => `query ${name}`));
  const parts = new Map<RecordedSequence, RequestPartValues>(
    asked.map((each) => [
      each,
      new Map([...requestPartsOf(sendableOf(each), inputs)].filter(([part]) => !secret.has(part))),
    ]),
  );
  const links = new Map<RecordedSequence, Link[]>();
  const add = (to: RecordedSequence, link: Link): void => void links.set(to, [...(links.get(to) ?? []), link]);

  const started = await startedJobs(traffic);
  for (const to of asked.filter(isJobs)) {
    for (const [part, value] of parts.get(to) as RequestPartValues) {
      if (part.startsWith('path ') && !/[0-9]/.test(value)) continue;
      const source = started.get(laneAnd(to.lane, value));
      if (source && source.from !== to) add(to, { ...source, part, value, of: 'job' });
    }
  }
  const alike = Map.groupBy(asked, ({ lane, method, target }) => `${lane} ${method} ${pathOf(target)}`);
  for (const group of alike.values()) {
    if (group.length > 1) for (const [to, link] of await pagesIn(group, parts, traffic)) add(to, link);
  }
  return links;
}

/** By lane and value, which answer to the start of a job names it as an id. */
async function startedJobs({ asked, folder }: RecordedTraffic): Promise<ReadonlyMap<string, Source>> {
  const started = new Map<string, Source>();
  for (const from of asked.filter(isStart)) {
    for (const [nth, values] of (await valuesOf(from, folder)).entries()) {
      for (const [place, value] of values) {
        const names = /^\$(?: word \d+)?$/.test(place) || ID.test(lastWord(place)) || /location last$/.test(place);
        const key = laneAnd(from.lane, value);
        if (names && !started.has(key)) started.set(key, { from, nth, place });
      }
    }
  }
  return started;
}

/** Which requests of one path another one’s answer names as what comes next: by its address, or by a cursor. */
async function pagesIn(
  group: readonly RecordedSequence[],
  parts: ReadonlyMap<RecordedSequence, RequestPartValues>,
  { folder, about }: RecordedTraffic,
): Promise<ReadonlyMap<RecordedSequence, Link>> {
  const byTarget = new Map(group.map((each) => [sorted(each.target), each]));
  const byValue = new Map<string, RecordedSequence[]>();
  for (const each of group)
    for (const value of new Set((parts.get(each) as RequestPartValues).values()))
      byValue.set(value, [...(byValue.get(value) ?? []), each]);
  const pages = new Map<RecordedSequence, Link>();
  const offer = (to: RecordedSequence, link: Link): void => {
    if (to !== link.from && !pages.has(to)) pages.set(to, link);
  };
  for (const from of group) {
    for (const [nth, values] of (await valuesOf(from, folder)).entries()) {
      for (const [place, value] of values) {
        const target = isNext(place) ? targetFrom(value, about.basePath) : undefined;
        const named = target === undefined ? undefined : byTarget.get(sorted(target));
        if (named) offer(named, { from, nth, place, part: 'target', value, of: 'page' });
        const word = lastWord(place);
        if (!NEXT.test(word) || NO_NEXT.test(word)) continue;
        for (const to of byValue.get(value) ?? []) {
          const part = onlyDifference(parts.get(to) as RequestPartValues, parts.get(from) as RequestPartValues);
          if (part !== undefined && parts.get(to)?.get(part) === value)
            offer(to, { from, nth, place, part, value, of: 'page' });
        }
      }
    }
  }
  return pages;
}

const isNext = (place: string): boolean => /next|more|continu|following/i.test(place);

/** The one part in which two requests differ; undefined where they differ in more, or in none. */
function onlyDifference(one: RequestPartValues, other: RequestPartValues): string | undefined {
  const differing = [...new Set([...one.keys(), ...other.keys()])].filter((part) => one.get(part) !== other.get(part));
  return differing.length === 1 ? differing[0] : undefined;
}

/** The loose values of each answer. */
const valuesOf = (asked: RecordedSequence, folder: string): Promise<ScalarValues[]> =>
  Promise.all(
    asked.exchanges.map(async ({ response }): Promise<ScalarValues> => {
      if (!response) return new Map();
      return scalarValuesOf(response, response.body && { body: storedBody(folder, response.body) });
    }),
  );

const sorted = (target: string): string => {
  const path = pathOf(target);
  const query = [...new URLSearchParams(target.slice(path.length + 1))].map((pair) => pair.join('='));
  return `${path}?${query.sort().join('&')}`;
};

/** Why a request cannot be asked the other side. */
export type UnsendableError = 'its job was not started' | 'the list ends before that page';

/**
 * The request as the other side is to be asked it.
 * @param answersOf what the other side answered to a request, or undefined where it was not asked
 * @param basePath of the other side
 * @param renamed takes what stands there in place of a value of this side
 */
export async function carryForward(
  asked: RecordedSequence,
  links: readonly Link[],
  answersOf: (from: RecordedSequence) => Promise<readonly ScalarValues[]> | undefined,
  basePath: string,
  renamed?: Map<string, string>,
): Promise<Sendable | UnsendableError> {
  let request = sendableOf(asked);
  for (const { from, nth, place, part, value, of } of links) {
    const missing = of === 'job' ? 'its job was not started' : 'the list ends before that page';
    const answers = await answersOf(from);
    const values = answers?.[Math.min(nth, answers.length - 1)];
    const now = values?.get(place);
    if (now === undefined) return missing;
    renamed?.set(now, value);
    if (part !== 'target') request = withPart(request, part, value, now);
    else {
      const target = targetFrom(now, basePath);
      if (target === undefined) return missing;
      request = { ...request, target };
    }
  }
  return request;
}

/** Requests in an order in which each comes behind those it takes values from. */
export function inOrder(
  asked: readonly RecordedSequence[],
  links: ReadonlyMap<RecordedSequence, readonly Link[]>,
): RecordedSequence[] {
  const done = new Set<RecordedSequence>();
  const under = new Set<RecordedSequence>();
  const visit = (each: RecordedSequence): void => {
    // Two that name each other cannot both be second.
    if (done.has(each) || under.has(each)) return;
    under.add(each);
    for (const { from } of links.get(each) ?? []) visit(from);
    under.delete(each);
    done.add(each);
  };
  for (const each of asked) visit(each);
  return [...done];
}
