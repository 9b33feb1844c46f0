import { expect, test } from 'vitest';
import { compareExchanges } from '../rerecord/compare-exchanges.ts';
import { fromHarEntry, targetOf, toHarEntry } from './entry.ts';
import type { RecordedExchange } from './recorded-exchange.ts';
import { parseHar, parseProvenance } from './schema.ts';

const FILE = { file: `bodies/sha256-${'a'.repeat(64)}`, bytes: 70_000 };

const EXCHANGES: readonly RecordedExchange[] = [
  {
    key: 'GET /x?a=1',
    order: 0,
    request: { method: 'GET', url: 'http://upstream.invalid/x?a=1&b=%zz', headers: [['Accept', '*/*']] },
    response: {
      status: 200,
      reasonPhrase: 'All Right',
      headers: [
        ['Content-Type', 'application/json'],
        ['X-Twice', '1'],
        ['x-twice', '2'],
        ['Date', 'Mon'],
      ],
      body: { text: '\ufeff{"é":"\u0000"}' },
      coding: 'gzip',
    },
    operation: 'GET /PLATFORMAPI/prodRef/v1/allProducts',
  },
  {
    key: 'POST /x',
    order: 2,
    request: { method: 'POST', url: 'http://upstream.invalid/x', headers: [], body: FILE },
    response: { status: 206, reasonPhrase: '', headers: [], body: FILE },
    failure: { kind: 'truncated', message: 'cut off' },
  },
  {
    key: 'PUT /y',
    order: 0,
    request: { method: 'PUT', url: 'http://upstream.invalid/y', headers: [], body: { text: 'a=1' } },
    failure: { kind: 'refused', message: 'nobody there' },
  },
];

const harOf = (exchanges: readonly RecordedExchange[]) =>
  JSON.stringify({
    log: {
      version: '1.2',
      _recordingName: 'main',
      creator: { name: 'Polly.JS', version: '6.0.6' },
      entries: exchanges.map((each) => toHarEntry(each, 'id')),
    },
  });

test('an exchange is equal after conversion to HAR and back', () => {
  const { log } = parseHar(harOf(EXCHANGES), 'here');
  expect(log.entries.map(fromHarEntry)).toEqual(EXCHANGES);
  expect(targetOf(EXCHANGES[0]!.request)).toBe('/x?a=1&b=%zz');
});

test('an invalid file is reported in one sentence', () => {
  expect(() => parseHar('{', 'a/recording.har')).toThrow(
    /^a\/recording\.har is not JSON .*: restore it, or record again$/,
  );
  const broken = harOf(EXCHANGES).replace('"_order":2', '"_order":"2"');
  expect(() => parseHar(broken, 'f')).toThrow(
    /^f is not a lane of a recording \(log\.entries\[1\]\._order of POST \S+: /,
  );
  expect(() => parseHar(harOf(EXCHANGES).replaceAll('bodies/sha256-', '../sha256-'), 'f')).toThrow(/requestBody\.file/);
  expect(() => parseProvenance('{}', 'p')).toThrow(/^p is not a provenance of a recording \(schema: /);
});

test('volatile headers and other clients are ignored, any other difference counts', () => {
  const [first] = EXCHANGES as [RecordedExchange];
  const response = first.response!;
  const answer = (change: Partial<typeof response>): RecordedExchange => ({
    ...first,
    response: { ...response, ...change },
  });
  const dated = response.headers.map(([name, value]) => [name, name === 'Date' ? 'Tue' : value] as const);
  const novelty = (now: RecordedExchange) =>
    compareExchanges(first, now, {
      masked: new Set(),
      readHeaders: new Set(),
      readBodyText: (body) => ('text' in body ? body.text : undefined),
    });
  expect(novelty(answer({ headers: dated }))).toBe('same');
  expect(novelty({ ...first, request: { ...first.request, headers: [['User-Agent', 'curl']] } })).toBe('same');
  expect(novelty(answer({ headers: [...dated, ['X-New', '1']] }))).toBe('other');
  expect(novelty(answer({ status: 201 }))).toBe('other');
  expect(novelty(answer({ body: { text: '{}' } }))).toBe('other');
});
