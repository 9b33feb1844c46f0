/** A run with everything that a report may show, and texts of a hostile service. */
import { ALL_PRODUCTS, type OperationKey, PRODUCT_LOOKUP, UPDATE_PRODUCTS } from '../contract/index.ts';
import { mapTexts } from '../exchange/map-texts.ts';
import { fractionsOf } from '../run/outcome.ts';
import type { ExchangeSummary, Result, Run } from '../run/types.ts';

/** What a hostile body may hold: markup, scripts, quotes, commands, control characters, half a surrogate pair. */
export const HOSTILE_TEXT =
  '</script><img src=x onerror=alert(1)><b a="1">&amp;]]>|`\'\n::error::no\n##[error]%0A\u0000\u001b[31m\ufffe\ud800\u202e \u{1f600}';

const BRANDS: OperationKey = 'GET /RetailMeasurement/v1/BrandPerformance';
const JOB: OperationKey = 'POST /webservices/businesscount';

/** A result with plausible members. */
export function resultOf(
  rule: string,
  operation: OperationKey,
  verdict: Result['verdict'],
  over: Partial<Result> = {},
): Result {
  return {
    rule,
    operation,
    statement: 'C.upc-12',
    section: '8',
    basis: 'stated',
    gating: true,
    verdict,
    waived: false,
    evidence: { exchanges: 2, rows: verdict === 'pass' ? 1000 : 0, distinct: verdict === 'pass' ? 998 : 0 },
    findings: [],
    ...over,
  };
}

const WAIVER = {
  source: 'waivers.yaml:3',
  reason: 'the supplier mends it in March',
  owner: 'ann',
  expires: '2027-03-31',
} as const;

const results: Result[] = [
  resultOf('C.upc-12-digits', ALL_PRODUCTS, 'fail', {
    findings: [
      {
        expected: 'a UPC of 12 digits in every row',
        actual: 'row 999: upc is "93000000099"',
        exchange: '#2',
        row: 999,
        fingerprint: 'f1a7c0de00000001',
      },
      {
        expected: 'a UPC of 12 digits in every row',
        actual: 'row 1004: upc is "93000000104"',
        exchange: '#2',
        row: 1004,
        fingerprint: 'f1a7c0de00000001',
      },
      { expected: 'a UPC in every row', actual: 'row 3: upc is missing', exchange: '#2', row: 3, fingerprint: 'f2' },
    ],
  }),
  resultOf('C.upc-12-digits', PRODUCT_LOOKUP, 'fail', {
    waived: true,
    waiver: WAIVER,
    findings: [{ expected: '12 digits', actual: '11 digits', exchange: '#3', fingerprint: 'f3' }],
  }),
  resultOf('every.served', BRANDS, 'fail', {
    statement: 'operation.served',
    section: '4',
    basis: 'profile',
    findings: [{ expected: 'a response', actual: `status 500: ${HOSTILE_TEXT}`, exchange: '#4', fingerprint: 'f4' }],
  }),
  resultOf('every.version-none', JOB, 'fail', {
    statement: 'version.none',
    section: '9',
    basis: 'plausible',
    gating: false,
    findings: [{ expected: 'status 404', actual: 'status 202', fingerprint: 'f5' }],
  }),
  resultOf('C.lookup-listed', PRODUCT_LOOKUP, 'inconclusive', {
    note: `status 503 prevents a judgement: ${HOSTILE_TEXT}`,
    evidence: { exchanges: 0, rows: 0, distinct: 0, coverage: [{ of: 'products', looked: 24, known: 1000 }] },
  }),
  resultOf('C.delta-1-in-4', UPDATE_PRODUCTS, 'untested', {
    note: 'the profile does not define the window',
    openings: ['updateProducts.inputs.window'],
  }),
  resultOf('C.categories-named', ALL_PRODUCTS, 'error', { note: 'an unexpected value' }),
  resultOf('every.served', ALL_PRODUCTS, 'pass', { statement: 'operation.served', section: '4', retried: true }),
  resultOf('every.served', PRODUCT_LOOKUP, 'pass', { statement: 'operation.served', section: '4' }),
  resultOf('every.served', UPDATE_PRODUCTS, 'pass', { statement: 'operation.served', section: '4', since: '0.2.0' }),
  resultOf('D.five-figures', BRANDS, 'inconclusive', {
    section: '4.4',
    note: 'status 500 prevents a judgement',
    cause: 0,
  }),
  resultOf('every.sound-answer', BRANDS, 'fail', {
    basis: 'profile',
    section: '4',
    cause: 0,
    findings: [{ expected: 'a status below 500', actual: 'status 500', exchange: '#4', fingerprint: 'f6' }],
  }),
  resultOf('A.job-known', JOB, 'not-applicable', { note: 'the profile states no job' }),
];

const exchange = (at: number, operation: OperationKey, over: Partial<ExchangeSummary>): ExchangeSummary => ({
  id: `#${at}`,
  operation,
  method: operation.split(' ')[0] as string,
  url: `https://staging.example/api${operation.split(' ')[1]}`,
  status: 200,
  bytes: 1234 * at,
  startedAt: new Date(Date.parse('2026-11-22T03:00:00.000Z') + at * 400).toISOString(),
  ms: 40 * at,
  ...over,
});

/** A red run with waivers, a comparison, a history and one cause. */
export const sampleRun: Run = {
  schema: 1,
  outcome: 'nonconformant',
  outcomeInScope: 'nonconformant (ACD, all)',
  exitCode: 1,
  reason: '3 gating checks failed',
  manifest: {
    suite: '0.2.0',
    target: 'https://staging.example/api',
    profile: 'acme (acme.yaml)',
    groups: ['A', 'C', 'D'],
    safety: 'all',
    strict: false,
    startedAt: '2026-11-22T03:00:00.000Z',
    durationMs: 2500,
    requests: 5,
    node: 'v24.21.0',
    targetName: 'staging',
    ruleSet: '0.1.0',
  },
  fractions: fractionsOf(results),
  results,
  exchanges: [
    exchange(1, ALL_PRODUCTS, { status: 404 }),
    exchange(2, ALL_PRODUCTS, {
      retryOf: '#1',
      curl: 'curl -H "X-Api-Key: $ACME_KEY" \'https://staging.example/api/PLATFORMAPI/prodRef/v1/allProducts\'',
      begins: '{"items":[\n  {"gtin":"93000000099"}\n]}',
    }),
    exchange(3, PRODUCT_LOOKUP, { curl: 'curl https://staging.example/api/x', begins: '{}' }),
    exchange(4, BRANDS, { status: 500, curl: `curl 'https://staging.example/${HOSTILE_TEXT}'`, begins: HOSTILE_TEXT }),
    exchange(5, JOB, { status: undefined, failure: 'the connection was reset' }),
  ],
  openings: [
    {
      opening: 'updateProducts.inputs.window',
      asks: 'Which parameter selects the window?',
      fill: 'operations["GET /PLATFORMAPI/prodRef/v1/updateProducts"].request.query',
      section: '8',
      rules: ['C.delta-1-in-4', 'C.delta-4-in-13'],
    },
  ],
  cause: [{ sentence: '500 on every request of group D: check the service', operations: [BRANDS], count: 2 }],
  waivers: [
    {
      ...WAIVER,
      rule: 'C.upc-*',
      operation: PRODUCT_LOOKUP,
      daysLeft: 129,
      fingerprints: ['f3'],
      state: 'covers',
      covers: [{ rule: 'C.upc-12-digits', operation: PRODUCT_LOOKUP, fingerprints: ['f3'] }],
    },
    {
      source: 'waivers.yaml:9',
      rule: 'C.categories-named',
      reason: 'old data',
      expires: '2026-10-31',
      daysLeft: -22,
      state: 'expired',
      covers: [],
      message: 'the waiver expired on 2026-10-31: delete waivers.yaml:9 or extend it',
    },
  ],
  comparison: {
    baseline: 'last.json',
    newFailures: [{ rule: 'every.served', operation: BRANDS, was: 'pass', is: 'fail' }],
    fixed: [{ rule: 'every.served', operation: UPDATE_PRODUCTS, was: 'fail', is: 'pass' }],
    lostProofs: [{ rule: 'C.delta-1-in-4', operation: UPDATE_PRODUCTS, was: 'pass', is: 'untested' }],
    changedEvidence: [{ rule: 'every.served', operation: ALL_PRODUCTS, was: '900 rows', is: '1000 rows' }],
    notComparable: [{ rule: 'A.job-known', operation: JOB, why: 'out of the scope of last.json' }],
  },
  history: {
    trend: [
      { startedAt: '2026-11-20T03:00:00.000Z', outcome: 'partial', failed: 0, proved: 5, provable: 9 },
      { startedAt: '2026-11-21T03:00:00.000Z', outcome: 'nonconformant', failed: 1, proved: 4, provable: 9 },
      { startedAt: '2026-11-22T03:00:00.000Z', outcome: 'nonconformant', failed: 2, proved: 3, provable: 9 },
    ],
    checks: [
      { rule: 'C.upc-12-digits', operation: ALL_PRODUCTS, firstFailedOn: '2026-11-21T03:00:00.000Z' },
      { rule: 'every.served', operation: BRANDS, flakySince: '2026-11-20T03:00:00.000Z' },
    ],
    notes: ['two deltas appeared within one week'],
  },
};

/** The report of two runs with the same failures against different targets. */
export const mergedRun: Run = {
  ...sampleRun,
  results: ['eu', 'us'].flatMap((target) => results.slice(0, 2).map((each) => ({ ...each, target }))),
};

/** A green run of one check. */
export const greenRun: Run = {
  ...sampleRun,
  outcome: 'conformant',
  outcomeInScope: 'conformant (C, read)',
  exitCode: 0,
  reason: undefined,
  results: results.filter(({ verdict }) => verdict === 'pass'),
  fractions: fractionsOf(results.filter(({ verdict }) => verdict === 'pass')),
  openings: [],
  cause: undefined,
  waivers: undefined,
  comparison: undefined,
  history: undefined,
};

/** A run with these results and no exchange. */
export const runOf = (of: readonly Result[], over: Partial<Run> = {}): Run => ({
  ...greenRun,
  results: of,
  fractions: fractionsOf(of),
  exchanges: [],
  ...over,
});

/** A run that Ctrl-C ended before anything was sent. */
export const interruptedRun: Run = {
  ...greenRun,
  outcome: 'interrupted',
  outcomeInScope: 'interrupted (C, read)',
  exitCode: 130,
  reason: 'interrupted by SIGINT',
  manifest: { ...sampleRun.manifest, interrupted: 'SIGINT', requests: 0 },
  results: [],
  fractions: fractionsOf([]),
  exchanges: [],
};

/** Members whose values are words of closed sets, ids or times. */
const WORDS: ReadonlySet<string> = new Set([
  ...['outcome', 'rule', 'operation', 'operations', 'statement', 'basis', 'verdict', 'safety', 'groups', 'state', 'id'],
  ...['exchange', 'openings', 'opening', 'startedAt', 'firstFailedOn', 'flakySince'],
]);

/** The same run with hostile text at the end of every text. */
export const hostileRun: Run = mapTexts(sampleRun, (text) => `${text}${HOSTILE_TEXT}`, WORDS);
