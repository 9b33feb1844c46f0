/**
 * Draws services: profiles whose names, envelopes, notations, paging and credentials are drawn by fast-check, and whose
 * openings are those of the reference profile. The simulator serves each, so that the profile is its true one.
 *
 * `SEED` and the order of the draws are fixed: service 17 is the same on every machine.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { ProfileInput } from '../../src/profile/schema.ts';

export const SEED = 20_261_123;
export const COUNT = 200;

type Node = Record<string, unknown>;

/** Words for a neutral name, in the order of their frequency in real services. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  upc: ['upc', 'item code', 'product code', 'barcode', 'gtin', 'scan code', 'article number', 'id'],
  category: ['category', 'category name', 'department', 'product group', 'cat', 'warengruppe'],
  categoryId: ['category id', 'category key', 'cat code', 'dept no', 'group number'],
  subCategory: ['sub category', 'segment', 'subcat', 'sub category name', 'class'],
  manufacturer: ['manufacturer', 'maker', 'vendor', 'mfr', 'company', 'hersteller'],
  brand: ['brand', 'brand name', 'label', 'marke', 'trademark'],
  market: ['market', 'geography', 'country', 'region', 'mkt'],
  characteristics: ['characteristics', 'attributes', 'facts', 'properties', 'features'],
  value: ['value', 'val', 'text', 'content'],
  activeOn: ['active on', 'last sold', 'last activity', 'last movement date', 'active'],
  changedOn: ['changed on', 'last changed', 'modified', 'updated at', 'effective date'],
  firstActiveOn: ['first active on', 'first sold', 'introduced', 'start date', 'since'],
  changeKind: ['change kind', 'action', 'change type', 'operation', 'event'],
  asOf: ['as of', 'week ending', 'data date', 'period end', 'stichtag'],
  sales4Weeks: ['sales 4 weeks', 'dollars 4w', 'l4w', 'sales month', 'usd 4'],
  sales12Weeks: ['sales 12 weeks', 'dollars 12w', 'l12w', 'sales quarter', 'usd 12'],
  sales52Weeks: ['sales 52 weeks', 'dollars 52w', 'l52w', 'sales year', 'usd 52'],
  salesLastYear: ['sales last year', 'dollars ya', 'prior year', 'year ago', 'usd ly'],
  percentChange: ['percent change', 'pct chg', 'change vs ya', 'growth', 'delta pct'],
  id: ['id', 'key', 'code', 'identifier', 'ref'],
  name: ['name', 'label', 'title', 'description', 'display name'],
  parent: ['parent', 'parent id', 'owner', 'belongs to', 'below'],
  parentItem: ['parent item', 'upper', 'above', 'parent value', 'super'],
  date: ['date', 'refresh date', 'day', 'loaded on', 'when'],
  jobId: ['job id', 'ticket', 'task', 'handle', 'request number'],
  state: ['state', 'status', 'phase', 'progress', 'zustand'],
  total: ['total', 'count', 'total count', 'number of rows', 'size'],
  list: ['items', 'rows', 'results', 'entries', 'records', 'elements'],
  data: ['data', 'result', 'payload', 'response', 'body'],
  meta: ['meta', 'header', 'info', 'page info', 'envelope'],
  query: ['query', 'request', 'filters', 'echo', 'parameters'],
  window: ['weeks', 'window', 'period', 'since', 'span'],
  catalogueId: ['catalogue id', 'catalog', 'database', 'cube', 'source'],
  dimension: ['dimension', 'axis', 'dim', 'dimension id'],
  attribute: ['attribute', 'attr', 'property', 'attribute id'],
  group: ['group', 'grouping', 'set', 'group id'],
  hierarchy: ['hierarchy', 'tree', 'hier', 'hierarchy id'],
  level: ['level', 'tier', 'depth', 'level id'],
  measure: ['measure', 'fact', 'metric', 'measure id'],
  mapId: ['map id', 'map', 'saved map'],
  page: ['page', 'page number', 'p', 'seite'],
  offset: ['offset', 'start', 'skip', 'from'],
  cursor: ['cursor', 'token', 'after', 'continue'],
  pageSize: ['size', 'limit', 'page size', 'take', 'count'],
  next: ['next', 'next page', 'more', 'following'],
  figures: ['figures', 'sales', 'measures', 'numbers'],
  names: ['names', 'dimensions', 'keys', 'about'],
  job: ['job', 'task', 'ticket', 'process'],
};

/** How a service writes names of several words. */
const STYLES = {
  camel: (words: readonly string[]) => words.map((word, at) => (at === 0 ? word : capitalised(word))).join(''),
  pascal: (words: readonly string[]) => words.map(capitalised).join(''),
  snake: (words: readonly string[]) => words.join('_'),
  upper: (words: readonly string[]) => words.join('_').toUpperCase(),
  kebab: (words: readonly string[]) => words.join('-'),
  flat: (words: readonly string[]) => words.join(''),
  prefixed: (words: readonly string[]) => `x:${words.join('_')}`,
} as const;

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

const WINDOWS = [
  undefined,
  { 1: 'P1W', 4: 'P4W', 13: 'P13W' },
  { 1: '1w', 4: '4w', 13: '13w' },
  { 1: 'LW', 4: 'L4W', 13: 'L13W' },
  { 1: '7', 4: '28', 13: '91' },
  { 1: 'week', 4: 'month', 13: 'quarter' },
] as const;

const STATES = [
  ['queued', 'running', 'done', 'failed'],
  ['WAITING', 'ACTIVE', 'COMPLETED', 'ERROR'],
  ['Pending', 'In Progress', 'Succeeded', 'Aborted'],
  ['0', '1', '2', '9'],
  ['angenommen', 'in Arbeit', 'fertig', 'fehlgeschlagen'],
] as const;

const AUTH = [
  { scheme: 'none' },
  { scheme: 'apiKey', in: 'header', name: 'X-Api-Key', value: 'drawn-key-1' },
  { scheme: 'apiKey', in: 'query', name: 'access', value: 'drawn-key-2' },
  { scheme: 'bearer', token: 'drawn-token-3' },
  { scheme: 'basic', username: 'drawn', password: 'drawn-password-4' },
] as const;

/** Where a JSON service puts rows, and what it says once beside them. */
const ENVELOPES = ['member', 'data', 'meta', 'bare', 'value', 'deep'] as const;
/** How it writes a row. */
const ROWS = ['flat', 'nested', 'attributes', 'positional'] as const;
/** How a request of group B carries its inputs. */
const BODIES = ['json', 'nested', 'array', 'form'] as const;
const PAGES = ['none', 'page', 'pageFrom0', 'offset', 'cursor', 'link', 'next'] as const;

const REFERENCE = parse(
  readFileSync(new URL('../../src/profile/bundled/reference.yaml', import.meta.url), 'utf8'),
) as Node;

const oneOf = <const T>(values: readonly T[]) => fc.constantFrom(...values);

const drawnService = fc.record({
  media: oneOf(['json', 'json', 'json', 'xml']),
  style: oneOf(Object.keys(STYLES) as (keyof typeof STYLES)[]),
  words: fc.record(
    Object.fromEntries(Object.entries(WORDS).map(([name, words]) => [name, oneOf([words[0] as string, ...words])])),
  ),
  envelope: oneOf(ENVELOPES),
  rows: oneOf(ROWS),
  body: oneOf(BODIES),
  paging: oneOf(PAGES),
  pageSize: fc.integer({ min: 7, max: 60 }),
  upc: oneOf(['upc', 'upc', 'gtin14', 'gtin13', 'upcSeparated', 'upcNumber']),
  date: oneOf(['iso', 'iso', 'compact', 'us', 'european', 'epochMillis', 'epochSeconds', 'excelSerial', 'monthName']),
  money: oneOf(['number', 'number', 'cents', 'usd', 'decimalComma']),
  percent: oneOf(['number', 'number', 'fraction', 'percentText', 'decimalComma']),
  window: oneOf(WINDOWS),
  states: oneOf(STATES),
  auth: oneOf(AUTH),
  unknown: oneOf([404, 404, 400, 422, 410]),
  malformed: oneOf([400, 400, 422]),
  jobIn: oneOf(['body', 'body', 'location']),
  statusBy: oneOf(['query', 'query', 'header']),
  totals: oneOf(['member', 'header', 'none']),
  /** Lists of groups C and D, and statuses of jobs, in another notation than the rest. */
  lists: oneOf(['same', 'same', 'same', 'csv', 'ndjson']),
  jobStatus: oneOf(['same', 'same', 'same', 'text', 'word']),
  /** Errors as 200 with a code. */
  errors: oneOf(['status', 'status', 'code']),
  delta: oneOf(['perWindow', 'perWindow', 'perWindow', 'oneResponse']),
  prefix: oneOf(['', '', '/api', '/retail/v3']),
  /** What a profile states of the promises of the reference profile. */
  promises: oneOf(['all', 'all', 'few', 'none']),
  jobAt: oneOf(['row', 'row', 'once']),
  echoes: fc.boolean(),
});
type Draws = (typeof drawnService extends fc.Arbitrary<infer T> ? T : never) & {
  readonly words: Record<string, string>;
};

/** A service with its true profile. */
export interface DrawnService {
  readonly name: string;
  readonly profile: ProfileInput;
  /** What was drawn, for reports. */
  readonly draws: Draws;
}

/** Draws `count` services, always the same ones for a seed. */
export const drawServices = (count = COUNT, seed = SEED): DrawnService[] =>
  fc.sample(drawnService, { seed, numRuns: count }).map((draws, at) => ({
    name: `drawn-${at}`,
    profile: profileOf(`drawn-${at}`, draws as Draws),
    draws: draws as Draws,
  }));

/** A JSONPath step to a member. */
const member = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `['${name}']`);

const FIGURES = ['sales4Weeks', 'sales12Weeks', 'sales52Weeks', 'salesLastYear', 'percentChange'];
const DATES = ['activeOn', 'changedOn', 'firstActiveOn', 'asOf', 'date'];

/** The reference profile in the form that was drawn. */
function profileOf(name: string, draws: Draws): ProfileInput {
  const base = structuredClone(REFERENCE);
  const used = new Map<string, string>();
  /** The name of a member or parameter; no two neutral names have the same one. */
  const word = (neutral: string): string => {
    const known = used.get(neutral);
    if (known) return known;
    const write = STYLES[draws.media === 'xml' && draws.style === 'prefixed' ? 'snake' : draws.style];
    const candidates = [draws.words[neutral] ?? neutral, ...(WORDS[neutral] ?? []), `my ${neutral.toLowerCase()}`];
    const found = candidates.map((text) => write(text.split(' '))).find((text) => ![...used.values()].includes(text));
    used.set(neutral, found as string);
    return found as string;
  };
  const isXml = draws.media === 'xml';
  const isBare = !isXml && draws.envelope === 'bare';
  const isPositional = !isXml && draws.rows === 'positional';

  const lists = isXml ? 'same' : draws.lists;
  const isInOne = draws.delta === 'oneResponse' && !isXml && lists === 'same' && !isBare;

  const step = (neutral: string): string => (isXml ? `${member(word(neutral))}[0]` : member(word(neutral)));
  const root = isXml ? `$${step('data')}` : '$';
  /** Where a list is. */
  const listAt = (): string => {
    if (isXml) return `${root}${step('list')}${member(word('names'))}[*]`;
    const list = member(word('list'));
    switch (draws.envelope) {
      case 'bare':
        return '$[*]';
      case 'value':
        return '$.value[*]';
      case 'data':
        return `$${step('data')}${list}[*]`;
      case 'deep':
        return `$${step('data')}${step('query')}${list}[*]`;
      default:
        return `$${list}[*]`;
    }
  };
  /** Where a value is that a response states once; undefined: nowhere. */
  const onceAt = (neutral: string): string | undefined => {
    if (isXml) return `${root}${step(neutral)}`;
    if (isBare) return undefined;
    return draws.envelope === 'meta' || draws.envelope === 'deep'
      ? `$${step('meta')}${step(neutral)}`
      : `$${step(neutral)}`;
  };
  const as = (field: string): string | undefined => {
    if (field === 'upc') return draws.upc;
    if (DATES.includes(field)) return draws.date;
    if (field === 'percentChange') return draws.percent;
    return FIGURES.includes(field) ? draws.money : undefined;
  };
  const fieldAt = (field: string, position: number, isList: boolean): string => {
    const suffix = field === 'characteristics' ? `[*]${isXml ? '' : member(word('value'))}` : '';
    if (isXml) return field === 'characteristics' ? `@${member(word(field))}[*]` : `@${step(field)}`;
    if (isPositional && isList) return `@[${position}]${suffix}`;
    if (draws.rows === 'attributes' && isList) return `@.attributes${member(word(field))}${suffix}`;
    if (draws.rows === 'nested' && FIGURES.includes(field)) return `@${step('figures')}${member(word(field))}`;
    return `@${member(word(field))}${suffix}`;
  };

  const operations = base.operations as Record<string, Node>;
  const result: Record<string, Node> = {};
  for (const [key, operation] of Object.entries(operations)) {
    const { request = {}, response, statuses, none = [] } = operation as Record<string, Node>;
    const isGroupB = key.startsWith('POST /data-access');
    const isList = typeof response?.rows === 'string' && response.rows.endsWith('[*]');
    const isFlatLookUp = key.includes('{upc}');
    const lacks = new Set(none as unknown as string[]);
    result[key] = {
      request: requestOf(request, { isGroupB, isPaged: isPaged(key) }),
      ...(response && { response: responseOf(key, response, isList, isFlatLookUp, lacks) }),
      ...(statuses && { statuses: statusesOf(statuses) }),
      ...(lacks.size > 0 && { none: [...lacks] }),
    };
  }

  function isTable(key: string): boolean {
    return !isXml && /allProducts|updateProducts|Performance$/.test(key);
  }

  function csvAt(field: string, isOnce: boolean): string {
    return isOnce ? `$response.line['#${word(field)}'][0]` : `@['${word(field)}']`;
  }

  /** A status as a sentence, or as one word. */
  function textStatus(lacks: Set<string>): Node {
    if (draws.jobStatus === 'word') {
      lacks.add('fields.jobId');
      return { media: 'text', rows: '$', fields: { state: '@' } };
    }
    return {
      media: 'text',
      rows: '$',
      fields: { jobId: { at: '@', match: '^job (\\S+) is' }, state: { at: '@', match: 'is (.+?)\\s*$' } },
    };
  }

  function isPaged(key: string): boolean {
    if (key.endsWith('updateProducts') && isInOne) return false;
    const isLong = /allProducts|updateProducts|Performance$/.test(key);
    const needsMember = draws.paging === 'cursor' || draws.paging === 'next';
    return isLong && draws.paging !== 'none' && !(needsMember && isBare);
  }

  function statusesOf(statuses: Node): Node {
    const changed: Node = {};
    const isCoded = draws.errors === 'code' && !isXml;
    if (statuses.unknown) changed.unknown = [isCoded ? 404 : draws.unknown];
    if (statuses.malformed) changed.malformed = [isCoded ? 400 : draws.malformed];
    return changed;
  }

  function requestOf(request: Node, { isGroupB, isPaged }: { isGroupB: boolean; isPaged: boolean }): Node {
    const { query, json } = request as { query?: Record<string, string>; json?: Record<string, unknown> };
    const changed: Node = {};
    const renamed = (members: Record<string, unknown>): [string, unknown][] =>
      Object.entries(members).map(([name, value]) => {
        const input = /^\{(\w+)\}$/.exec(String(value))?.[1];
        return [input ? word(input) : name, value];
      });
    const isDeltaInOne = isInOne && query !== undefined && JSON.stringify(query).includes('{window}');
    const parameters: [string, unknown][] = query
      ? renamed(query).filter(([, value]) => !(isDeltaInOne && value === '{window}'))
      : [];
    if (query?.jobId && draws.statusBy === 'header') changed.headers = { 'X-Ticket': '{jobId}' };
    else if (parameters.length > 0) changed.query = Object.fromEntries(parameters);
    if (isPaged) {
      const size = [word('pageSize'), '{pageSize}'];
      const paging = lists === 'same' ? draws.paging : 'link';
      const pages =
        paging === 'page' || paging === 'pageFrom0'
          ? [[word('page'), '{page}'], size]
          : paging === 'offset'
            ? [[word('offset'), '{offset}'], size]
            : paging === 'cursor'
              ? [[word('cursor'), '{cursor}']]
              : [];
      changed.query = { ...(changed.query as Node), ...Object.fromEntries(pages) };
    }
    if (query && JSON.stringify(query).includes('{window}') && draws.window)
      changed.spellings = { window: draws.window };
    if (json && !isGroupB) changed.json = json;
    if (json && isGroupB) {
      const members = Object.fromEntries(renamed(json));
      if (draws.body === 'form') changed.form = members;
      else if (draws.body === 'array') changed.json = Object.values(members);
      else changed.json = draws.body === 'nested' ? { [word('query')]: members } : members;
    }
    return changed;
  }

  function responseOf(key: string, response: Node, isList: boolean, isLookUp: boolean, lacks: Set<string>): Node {
    const fields: Node = {};
    const isMetadata = key.endsWith('/Metadata');
    const isCsv = isTable(key) && lists === 'csv';
    const isText = !isXml && key.includes('JobStatus') && draws.jobStatus !== 'same';
    if (isText) return textStatus(lacks);
    let position = 0;
    for (const [field, stated] of Object.entries((response.fields ?? {}) as Record<string, unknown>)) {
      const { at, as: _as, ...rest } = (typeof stated === 'string' ? { at: stated } : stated) as Node;
      const isOnce = String(at).startsWith('$') || (draws.jobAt === 'once' && field === 'jobId' && !isXml && !isBare);
      const place = isCsv
        ? csvAt(field, isOnce)
        : isOnce && isTable(key) && lists === 'ndjson'
          ? '$response.header.X-Data-Date'
          : isOnce
            ? onceAt(field)
            : fieldAt(field, position++, isList);
      if (place === undefined) {
        lacks.add(`fields.${field}`);
        continue;
      }
      const converter = as(field);
      fields[field] = { at: place, ...(converter && { as: converter }), ...rest };
      if (field === 'jobId' && key.startsWith('POST') && draws.jobIn === 'location')
        fields[field] = { at: '$response.header.Location', match: '/([^/?]+)$', ...rest };
    }
    const changed: Node = {};
    if (isTable(key) && lists !== 'same') {
      changed.media = isCsv ? 'csv' : 'ndjson';
      if (isCsv) changed.csv = { delimiter: ';', comment: '#' };
      changed.rows = '$[*]';
      changed.fields = fields;
      if (isPaged(key)) changed.paging = { style: 'link', rel: 'next' };
      if (draws.errors === 'code' && !isCsv) changed.refusal = refusalsAt('$[0].errors[0].code');
      if (response.counts && draws.totals === 'header')
        changed.counts = [{ at: '$response.header.X-Total-Count', of: 'list' }];
      return changed;
    }
    if (key.endsWith('updateProducts') && isInOne) {
      const list = isXml ? undefined : (weeks: number) => `$${step('data')}.w${weeks}[*]`;
      if (list) {
        changed.rows = { 1: list(1), 4: list(4), 13: list(13) };
        changed.fields = fields;
        return changed;
      }
    }
    changed.rows = isList ? listAt() : isXml ? `$${member(word(isLookUp ? 'data' : 'job'))}[*]` : '$';
    if (Object.keys(fields).length > 0) changed.fields = fields;
    if (isXml) changed.media = 'xml';
    const counts: Node[] = [];
    for (const count of (response.counts ?? []) as Node[]) {
      if (String(count.at).startsWith('@')) {
        const [, counted = ''] = /@\.(\w+)/.exec(String(count.at)) ?? [];
        counts.push({
          ...count,
          at: isPositional
            ? `@[${position++}]`
            : isXml
              ? `@.${counted}[0]`
              : draws.rows === 'attributes'
                ? `@.attributes.${counted}`
                : `@.${counted}`,
        });
        continue;
      }
      const at =
        draws.totals === 'header'
          ? '$response.header.X-Total-Count'
          : draws.totals === 'member'
            ? onceAt('total')
            : undefined;
      if (at) counts.push({ ...count, at });
    }
    if (counts.length > 0) changed.counts = counts;
    if (response.echoes && draws.echoes && !isBare && !isXml)
      changed.echoes = Object.fromEntries(
        Object.keys(response.echoes as Node).map((input) => [
          input,
          input === 'window' && draws.window
            ? { at: `${onceAt('query')}${step(input)}`, spellings: draws.window }
            : `${onceAt('query')}${step(input)}`,
        ]),
      );
    if (isPaged(key)) changed.paging = pagingOf();
    if (isMetadata) delete changed.echoes;
    return changed;
  }

  function pagingOf(): Node {
    switch (draws.paging) {
      case 'page':
        return { style: 'page', first: 1, size: draws.pageSize };
      case 'pageFrom0':
        return { style: 'page', first: 0, size: draws.pageSize };
      case 'offset':
        return { style: 'offset', size: draws.pageSize };
      case 'cursor':
        return { style: 'cursor', next: onceAt('next') };
      case 'next':
        return { style: 'next', next: onceAt('next') };
      default:
        return { style: 'link', rel: 'next' };
    }
  }

  const jobs = Object.fromEntries(
    Object.entries(base.jobs as Record<string, Node>).map(([kind, { start, ...promises }]) => [
      kind,
      {
        start,
        ...(draws.promises === 'all' && promises),
        ...(draws.promises !== 'none' && { patienceSeconds: 60 }),
        states: [...draws.states],
        final: draws.states.slice(2),
      },
    ]),
  );
  const { dataWeek, delta, products, upc, metadata, figures, markets, catalogue, ...rest } = base;
  const all = { dataWeek, delta, products, upc, metadata, figures, markets, catalogue };
  return {
    ...rest,
    ...(draws.promises === 'all' ? all : draws.promises === 'few' ? { dataWeek, delta, markets } : {}),
    name,
    description: 'A drawn service.',
    auth: draws.auth,
    ...(draws.prefix && { prefixes: { A: draws.prefix, B: draws.prefix, C: draws.prefix, D: draws.prefix } }),
    ...(draws.errors === 'code' && !isXml && { refusal: refusalsAt('$.errors[0].code') }),
    jobs,
    operations: result,
  } as unknown as ProfileInput;
}

/** Errors in a 200, as a code. */
const refusalsAt = (at: string) => [400, 401, 404, 405].map((status) => ({ at, is: status, like: status }));
