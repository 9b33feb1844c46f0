/** The formats against runs made of everything a service, a profile or a rule may put into them. */
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { VERDICTS } from '../rule/index.ts';
import type { Result, Run } from '../run/types.ts';
import { FORMAT_NAMES, FORMATS } from './formats.ts';
import { jsonText } from './json-text.ts';
import { reportToJunit } from './junit.ts';
import { reportToMarkdown } from './markdown.ts';
import { HOSTILE_TEXT, mergedRun, resultOf, runOf } from './sample-run.test.support.ts';

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const BRANDS = 'GET /RetailMeasurement/v1/BrandPerformance';

const result = (verdict: Result['verdict'], over: Partial<Result> = {}): Result =>
  resultOf(`rule.${verdict}`, BULK, verdict, {
    findings: verdict === 'fail' ? [{ expected: 'all rows', actual: 'none', exchange: '#1', row: 0 }] : [],
    ...over,
  });
/** A red run with these results. */
const redRun = (results: readonly Result[], over: Partial<Run> = {}): Run =>
  runOf(results, {
    outcome: 'nonconformant',
    outcomeInScope: 'nonconformant (C, read)',
    exitCode: 1,
    reason: '1 gating check failed',
    ...over,
  });

interface Element {
  readonly name: string;
  readonly attributes: Record<string, string>;
  text: string;
}

/** Every element of a document; throws where it is not well-formed. */
function elementsOf(xml: string): Element[] {
  const elements: Element[] = [];
  const path: Element[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes: attributes as Record<string, string>, text: '' };
    elements.push(element);
    path.push(element);
  });
  parser.on('text', (text) => {
    const inner = path.at(-1);
    if (inner) inner.text += text;
  });
  parser.on('closetag', () => path.pop());
  parser.write(xml).close();
  return elements;
}

const everyVerdict = VERDICTS.flatMap((verdict) => [
  result(verdict, { note: `why ${verdict}` }),
  result(verdict, { gating: false, basis: 'plausible', operation: BRANDS, note: `why ${verdict}` }),
]);
const named = (elements: readonly Element[], name: string) => elements.filter((each) => each.name === name);

describe('JUnit', () => {
  test('is well-formed whatever a service answers, and shows what XML cannot carry', () => {
    const note = HOSTILE_TEXT;
    const findings = [{ expected: HOSTILE_TEXT, actual: HOSTILE_TEXT }];
    const results = VERDICTS.map((verdict) => result(verdict, { note, findings: verdict === 'fail' ? findings : [] }));
    const elements = elementsOf(reportToJunit(redRun(results, { outcomeInScope: HOSTILE_TEXT })));
    expect(named(elements, 'failure')[0]?.text).toContain(
      '<b a="1">&amp;]]>|`\'\\n::error::no\\n\\u0023#[error]%0A\\u0000\\u001b[31m\\ufffe\\ud800\\u202e \u{1f600}',
    );
    expect(named(elements, 'error')[0]?.attributes.message).toContain('<b a="1">');
  });

  test('counts what each case says: doubt is an error, openness and advice a skip', () => {
    const elements = elementsOf(reportToJunit(redRun(everyVerdict)));
    const suites = named(elements, 'testsuite').map(({ attributes }) => attributes);
    expect(suites).toMatchObject([
      { name: 'product-reference', tests: '5', failures: '1', errors: '2', skipped: '1' },
      { name: 'retail-measurement', tests: '5', failures: '0', errors: '1', skipped: '3' },
    ]);
    for (const [tag, attribute] of [
      ['testcase', 'tests'],
      ['failure', 'failures'],
      ['error', 'errors'],
      ['skipped', 'skipped'],
    ] as const) {
      expect(named(elements, tag).length).toBe(suites.reduce((sum, suite) => sum + Number(suite[attribute]), 0));
    }
  });

  test('of nothing is a document too', () => {
    expect(elementsOf(reportToJunit(redRun([]))).map((each) => each.name)).toEqual(['testsuites']);
  });
});

describe('Markdown', () => {
  test('keeps every row of a table on one line and within its columns', () => {
    const results = [
      result('fail', { findings: [{ expected: HOSTILE_TEXT, actual: HOSTILE_TEXT }] }),
      result('inconclusive', { note: HOSTILE_TEXT }),
      result('error', { note: HOSTILE_TEXT }),
    ];
    const lines = reportToMarkdown(redRun(results)).split('\n');
    const rows = lines.filter((line) => line.startsWith('| rule.'));
    expect(rows.map((row) => row.split(/(?<!\\)\|/).length - 2)).toEqual([5, 5, 3]);
    expect(lines.filter((line) => line.startsWith('end'))).toEqual([]);
  });
});

test('JSON gives the run back, and every format ends its last line', async () => {
  const run = redRun(everyVerdict);
  expect(JSON.parse(jsonText(run))).toEqual(run);
  for (const name of FORMAT_NAMES) expect((await FORMATS[name](run)).endsWith('\n')).toBe(true);
});

test('a partial outcome with a waived failure does not state that nothing failed', () => {
  const run = redRun([result('fail', { waived: true }), result('untested')], { outcome: 'partial', exitCode: 0 });
  expect(reportToMarkdown(run)).toContain('Except for 1 check that waivers cover, no gating check failed');
});

/** What distinguishes the checks of two targets in each format. */
const IDENTITIES = {
  html: /<article [^>]*id="([^"]+)"/g,
  junit: /<testcase ([^>]+)>/g,
  ctrf: /"name": "(C\.[^"]+)"/g,
  sarif: /"primaryLocationLineHash": "([^"]+)"/g,
  gitlab: /"fingerprint": "([^"]+)"/g,
  github: /^::(?:error|notice) title=([^:]+)/gm,
  markdown: /^\| C\.[^|]+\| ([^|]+) \|/gm,
} as const;

test.each(FORMAT_NAMES.filter((each) => each !== 'json'))('%s', async (format) => {
  const found = (text: string) => [...text.matchAll(IDENTITIES[format])].map(([, identity]) => identity);
  const both = found(await FORMATS[format](mergedRun));
  const one: Run = { ...mergedRun, results: mergedRun.results.filter(({ target }) => target === 'eu') };
  const ofOne = found(await FORMATS[format](one));
  expect(ofOne.length).toBeGreaterThan(0);
  expect(new Set(both).size).toBeGreaterThan(new Set(ofOne).size);
  expect(new Set(both).size).toBe(both.length);
});
