/**
 * Chained requests carry a value of an earlier response: a job id, or the cursor or URL of the next page. When they are
 * sent again, they carry the values of the new responses.
 */
import { operationOf } from '../../contract/index.ts';
import { RECORDED_ORIGIN } from '../format/origin.ts';
import { canonicalTarget } from '../format/request-key.ts';
import {
  mapParts,
  type RequestPartValues,
  requestPartsOf,
  type ScalarValues,
  type Sendable,
  sendableOf,
  sequenceValuesOf,
} from './message-values.ts';
import type { RecordedSequence, RecordedTraffic } from './recorded-requests.ts';

/** A value of a request that an earlier response issued. */
export interface Link {
  readonly issuer: RecordedSequence;
  /** The index of the response among those to the issuer. */
  readonly responseIndex: number;
  readonly place: string;
  /** The part of the request; `target` if the response holds the whole URL. */
  readonly part: string;
  readonly value: string;
  /** Whether the request continues a job or a list. */
  readonly kind: 'job' | 'page';
}

const lastWord = (place: string): string =>
  (/([A-Za-z][\w-]*)\W*$/.exec(place)?.[1] ?? '').toLowerCase().replace(/[^a-z]/g, '');

const ID = /id$|^id|job|token|handle|ticket|number|reference|location|uuid|guid|key$/;
const NEXT = /next|cursor|token|continu|after|offset|start|from|page$|marker|scroll/;
const NO_NEXT = /total|count|limit|size|prev|first|last$|self|current/;

const isJobStart = ({ operation }: RecordedSequence): boolean =>
  operation !== undefined && operationOf(operation).group === 'A' && operationOf(operation).method === 'POST';

const isJobOperation = ({ operation }: RecordedSequence): boolean =>
  operation !== undefined && operationOf(operation).group === 'A';

const pathOf = (target: string): string => target.split('?', 1)[0] ?? '';

/** The target of a URL from a response, after the base path; undefined if it has another origin. */
export function targetFrom(address: string, basePath: string): string | undefined {
  const bare = address.startsWith(`${RECORDED_ORIGIN}/`) ? address.slice(RECORDED_ORIGIN.length) : address;
  if (!bare.startsWith('/')) return undefined;
  return bare.startsWith(`${basePath}/`) ? bare.slice(basePath.length) : bare;
}

type Source = Pick<Link, 'issuer' | 'responseIndex' | 'place'>;

const laneKey = (lane: string, text: string): string => `${lane}\n${text}`;

/** All links of a recording, by the request that carries the value. */
export async function findLinks(traffic: RecordedTraffic): Promise<ReadonlyMap<RecordedSequence, readonly Link[]>> {
  const { about, requests } = traffic;
  const { headers, withoutQuery, credentials = [] } = about.matching;
  const inputs = headers.filter((name) => !credentials.includes(name));
  const credentialParameters = new Set(withoutQuery.map((name) => `query ${name}`));
  const parts = new Map<RecordedSequence, RequestPartValues>(
    requests.map((each) => [
      each,
      new Map([...requestPartsOf(sendableOf(each), inputs)].filter(([part]) => !credentialParameters.has(part))),
    ]),
  );
  const links = new Map<RecordedSequence, Link[]>();
  const add = (dependent: RecordedSequence, link: Link): void =>
    void links.set(dependent, [...(links.get(dependent) ?? []), link]);

  const started = await startedJobs(traffic);
  for (const dependent of requests.filter(isJobOperation)) {
    for (const [part, value] of parts.get(dependent) as RequestPartValues) {
      if (part.startsWith('path ') && !/[0-9]/.test(value)) continue;
      const source = started.get(laneKey(dependent.lane, value));
      if (source && source.issuer !== dependent) add(dependent, { ...source, part, value, kind: 'job' });
    }
  }
  const samePath = Map.groupBy(requests, ({ lane, method, target }) => `${lane} ${method} ${pathOf(target)}`);
  for (const group of samePath.values()) {
    if (group.length > 1) for (const [dependent, link] of await pagesIn(group, parts, traffic)) add(dependent, link);
  }
  return links;
}

/** The responses to job starts that hold a value as an id, by lane and value. */
async function startedJobs({ requests, folder }: RecordedTraffic): Promise<ReadonlyMap<string, Source>> {
  const started = new Map<string, Source>();
  for (const issuer of requests.filter(isJobStart)) {
    for (const [responseIndex, values] of (await sequenceValuesOf(issuer, folder)).entries()) {
      for (const [place, value] of values) {
        const isIdPlace = /^\$(?: word \d+)?$/.test(place) || ID.test(lastWord(place)) || /location last$/.test(place);
        const key = laneKey(issuer.lane, value);
        if (isIdPlace && !started.has(key)) started.set(key, { issuer, responseIndex, place });
      }
    }
  }
  return started;
}

/** The requests of one path that a response to another one links as the next page: by URL or by cursor. */
async function pagesIn(
  group: readonly RecordedSequence[],
  parts: ReadonlyMap<RecordedSequence, RequestPartValues>,
  { folder, about }: RecordedTraffic,
): Promise<ReadonlyMap<RecordedSequence, Link>> {
  const byTarget = new Map(group.map((each) => [canonicalTarget(each.target), each]));
  const byValue = new Map<string, RecordedSequence[]>();
  for (const each of group)
    for (const value of new Set((parts.get(each) as RequestPartValues).values()))
      byValue.set(value, [...(byValue.get(value) ?? []), each]);
  const pages = new Map<RecordedSequence, Link>();
  const addPage = (dependent: RecordedSequence, link: Link): void => {
    if (dependent !== link.issuer && !pages.has(dependent)) pages.set(dependent, link);
  };
  for (const issuer of group) {
    for (const [responseIndex, values] of (await sequenceValuesOf(issuer, folder)).entries()) {
      for (const [place, value] of values) {
        const target = isNextPlace(place) ? targetFrom(value, about.basePath) : undefined;
        const nextPage = target === undefined ? undefined : byTarget.get(canonicalTarget(target));
        if (nextPage) addPage(nextPage, { issuer, responseIndex, place, part: 'target', value, kind: 'page' });
        const lastName = lastWord(place);
        if (!NEXT.test(lastName) || NO_NEXT.test(lastName)) continue;
        for (const dependent of byValue.get(value) ?? []) {
          const part = onlyDifference(
            parts.get(dependent) as RequestPartValues,
            parts.get(issuer) as RequestPartValues,
          );
          if (part !== undefined && parts.get(dependent)?.get(part) === value)
            addPage(dependent, { issuer, responseIndex, place, part, value, kind: 'page' });
        }
      }
    }
  }
  return pages;
}

const isNextPlace = (place: string): boolean => /next|more|continu|following/i.test(place);

/** The only part in which two requests differ; undefined if they differ in none or in several. */
function onlyDifference(one: RequestPartValues, other: RequestPartValues): string | undefined {
  const differing = [...new Set([...one.keys(), ...other.keys()])].filter((part) => one.get(part) !== other.get(part));
  return differing.length === 1 ? differing[0] : undefined;
}

/** Why a request cannot be sent to the other side. */
export type UnsendableError = 'its job was not started' | 'the list ends before that page';

/**
 * The request with the values of the other side.
 * @param responsesOf the values of the other side’s responses to a request; undefined if it was not sent
 * @param basePath of the other side
 * @param renamed receives the values of the other side with those of this side
 */
export async function withCurrentValues(
  sequence: RecordedSequence,
  links: readonly Link[],
  responsesOf: (issuer: RecordedSequence) => Promise<readonly ScalarValues[]> | undefined,
  basePath: string,
  renamed?: Map<string, string>,
): Promise<Sendable | UnsendableError> {
  let request = sendableOf(sequence);
  for (const { issuer, responseIndex, place, part, value, kind } of links) {
    const unsendable = kind === 'job' ? 'its job was not started' : 'the list ends before that page';
    const responses = await responsesOf(issuer);
    const values = responses?.[Math.min(responseIndex, responses.length - 1)];
    const currentValue = values?.get(place);
    if (currentValue === undefined) return unsendable;
    renamed?.set(currentValue, value);
    if (part !== 'target')
      request = mapParts(request, (each, former) => (each === part && former === value ? currentValue : former));
    else {
      const target = targetFrom(currentValue, basePath);
      if (target === undefined) return unsendable;
      request = { ...request, target };
    }
  }
  return request;
}

/** Sorts requests so that each comes after those from which it takes values. */
export function inDependencyOrder(
  requests: readonly RecordedSequence[],
  links: ReadonlyMap<RecordedSequence, readonly Link[]>,
): RecordedSequence[] {
  const done = new Set<RecordedSequence>();
  const visiting = new Set<RecordedSequence>();
  const visit = (each: RecordedSequence): void => {
    // Two requests that link each other: break the cycle.
    if (done.has(each) || visiting.has(each)) return;
    visiting.add(each);
    for (const { issuer } of links.get(each) ?? []) visit(issuer);
    visiting.delete(each);
    done.add(each);
  };
  for (const each of requests) visit(each);
  return [...done];
}
