/** What is drawn for a service. The order of the draws is fixed: service 17 is the same on every machine. */
import fc from 'fast-check';
import { AUTH, STATES, STYLES, WINDOWS, WORDS } from './words.ts';

/** Where a JSON service puts rows, and what it says once beside them. */
const ENVELOPES = ['member', 'data', 'meta', 'bare', 'value', 'deep'] as const;
/** How it writes a row. */
const ROWS = ['flat', 'nested', 'attributes', 'positional'] as const;
/** How a request of group B carries its inputs. */
const BODIES = ['json', 'nested', 'array', 'form'] as const;
const PAGES = ['none', 'page', 'pageFrom0', 'offset', 'cursor', 'link', 'next'] as const;

const oneOf = <const T>(values: readonly T[]) => fc.constantFrom(...values);

/** One value of each choice that a service makes; a value that is listed twice is drawn twice as often. */
export const drawnService = fc.record({
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
export type Draws = (typeof drawnService extends fc.Arbitrary<infer T> ? T : never) & {
  readonly words: Record<string, string>;
};
