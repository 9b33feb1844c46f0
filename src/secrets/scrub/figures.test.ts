import { describe, expect, test } from 'vitest';
import { createFetch } from '../../../simulator/fetch.ts';
import { createSimulation } from '../../../simulator/simulation.ts';
import type { OperationKey } from '../../contract/index.ts';
import { converterFor } from '../../profile/converters/index.ts';
import { loadProfile } from '../../profile/load.ts';
import { parseProfile } from '../../profile/parse-profile.ts';
import type { Profile } from '../../profile/schema.ts';
import fc from '../../seeded-fast-check.test.support.ts';
import { FigureScrubber } from './figures.ts';
import { type FigureFormat, type Figures, formatLike, inventFigures, shownDecimals } from './invent.ts';

const BRAND = 'GET /RetailMeasurement/v1/BrandPerformance';
const head = (type: string, status = 200) => ({ status, headers: [['content-type', type]] as [string, string][] });
const json = head('application/json');

function profileOf(fields: string, media: string): string {
  return `name: x
figures: { percentChange: { of: sales52Weeks, decimals: 1 } }
operations:
  ${BRAND}:
    request: {}
    response:
      rows: $.rows[*]
      ${media}
      fields: { ${fields} }
`;
}
const FIELDS =
  'brand: "@.b", sales4Weeks: "@.w4", sales12Weeks: "@.w12", sales52Weeks: "@.w52", salesLastYear: "@.ly", percentChange: "@.pct"';
/** The text that came of it, or the refusal. */
function scrubText(scrubber: FigureScrubber, operation: OperationKey, text: string, answer: typeof json): string {
  const scrubbed = scrubber.scrub(operation, Buffer.from(text), answer);
  return 'bytes' in scrubbed ? scrubbed.bytes.toString() : scrubbed.whyNotRecorded;
}
const scrubberOf = (fields = FIELDS, media = '') => new FigureScrubber(parseProfile(profileOf(fields, media), 'x', {}));

const figure = fc.option(fc.constantFrom(0, 1, -5, 100, 250.5, 1000, 1_234_567.89), { nil: undefined });

describe('invented figures', () => {
  const amounts = ['sales4Weeks', 'sales12Weeks', 'sales52Weeks', 'salesLastYear'] as const;
  const arbitrary = fc.record({
    sales4Weeks: figure,
    sales12Weeks: figure,
    sales52Weeks: figure,
    salesLastYear: figure,
    percentChange: fc.option(fc.double({ min: -99, max: 999, noNaN: true }), { nil: undefined }),
  });
  const given = (all: Record<string, number | undefined>) =>
    Object.fromEntries(Object.entries(all).filter(([, each]) => each !== undefined)) as Figures;

  test('keep gaps, zeros, signs, order and equality, and say nothing of the true ones', () => {
    fc.assert(
      fc.property(arbitrary, fc.string(), fc.nat(2), (all, seed, decimals) => {
        const figures = given(all);
        const invented = inventFigures(figures, seed, { decimals, percentDecimals: 1 });
        expect(Object.keys(invented).sort()).toEqual(Object.keys(figures).sort());
        for (const a of amounts)
          for (const b of amounts) {
            const [x, y, p, q] = [figures[a], figures[b], invented[a], invented[b]];
            if (x === undefined || y === undefined || p === undefined || q === undefined) continue;
            expect(Math.sign(p)).toBe(Math.sign(x));
            expect(Math.sign(p - q)).toBe(Math.sign(x - y));
          }
        const larger = inventFigures(
          Object.fromEntries(Object.entries(figures).map(([name, each]) => [name, each * 3])),
          seed,
          { decimals, percentDecimals: 1 },
        );
        for (const each of amounts) expect(larger[each]).toBe(invented[each]);
      }),
    );
  });

  test('leave the percentage change as true or as wrong as it was', () => {
    fc.assert(
      fc.property(arbitrary, fc.boolean(), fc.string(), (all, fits, seed) => {
        const figures = given(all);
        const { sales52Weeks: now, salesLastYear: before } = figures;
        if (now === undefined || !before) return;
        const exact = (current: number, former: number) => ((current - former) / former) * 100;
        const slack = (change: number, former: number) =>
          0.05 + (0.01 / Math.abs(former)) * (100 + Math.abs(change)) + 1e-9;
        const change = exact(now, before);
        const stated = fits ? Number(change.toFixed(1)) : change + 2 * slack(change, before) + 1;
        const invented = inventFigures(
          { ...figures, percentChange: stated },
          seed,
          { decimals: 2, percentDecimals: 1 },
          { of: 'sales52Weeks', decimals: 1 },
        );
        const { sales52Weeks: newNow = 0, salesLastYear: newBefore = 0, percentChange = 0 } = invented;
        const off = Math.abs(exact(newNow, newBefore) - percentChange);
        expect(off <= slack(exact(newNow, newBefore), newBefore)).toBe(fits);
      }),
    );
  });
});

test.each<[FigureFormat, string, number, string]>([
  ['number', '1200', 2345, '2345'],
  ['number', '1200.50', -2345.5, '-2345.50'],
  ['number', '1e3', 2345, '2345'],
  ['cents', '120050', 2345.5, '234550'],
  ['usd', '$1,200.50', 12_345_678.9, '$12,345,678.90'],
  ['usd', '-$3', -45, '-$45'],
  ['usd', '(3.00)', -45.5, '(45.50)'],
  ['usd', 'USD 1200', 45.5, 'USD 45.5'],
  ['decimalComma', '1.234,50', 12_345.6, '12.345,60'],
  ['decimalComma', '1 234', 12_345, '12 345'],
  ['fraction', '0.125', -3.5, '-0.035'],
  ['percentText', '+3 %', 4.5, '+4.5 %'],
  ['percentText', '(0.4%)', -12.5, '(12.5%)'],
  ['percentText', '-0.4%', 1.5, '1.5%'],
  ['percentText', '0.4%', -1.5, '-1.5%'],
])('as %s, in place of %s, %d is written %s', (spelling, raw, value, written) => {
  expect(formatLike(value, raw, spelling, false)).toBe(written);
  expect(shownDecimals(raw, spelling)).toBeGreaterThanOrEqual(0);
  const kind = ['fraction', 'percentText'].includes(spelling) ? 'percent' : 'money';
  expect(converterFor(kind, spelling).read(written)).toEqual({ value });
});

describe('answers', () => {
  test('change in their figures only, byte for byte', () => {
    const text =
      '\n{ "asOf" : "2026-11-14", "rows":[{"b":"S\\u0075n","w4": 100.25,"w12":300,"w52":1200,"ly":1000,"pct":20.0, "units":100.25},\n {"b":"Moon","w4":null,"w12":0,"w52":-3,"ly":0,"pct":null}] }';
    const scrubbed = scrubText(scrubberOf(), BRAND, text, json);
    expect(scrubbed).not.toMatch(/1200|1000/);
    const shape = (each: string) => each.replace(/("(?:w4|w12|w52|ly|pct)": ?)-?[\d.]+/g, '$1#');
    expect(shape(scrubbed)).toBe(shape(text));
    const { rows } = JSON.parse(scrubbed) as { rows: Record<string, number | null>[] };
    expect(rows[1]).toMatchObject({ w4: null, w12: 0, ly: 0, pct: null });
    expect(rows[0]?.pct).toBeCloseTo(((rows[0]?.w52 as number) / (rows[0]?.ly as number) - 1) * 100, 0);
  });

  test('say the same of the same row, whatever else stands there, and another thing of another reading', () => {
    const scrubber = scrubberOf();
    const row = (brand: string, year: number) => ({ b: brand, w4: 1, w12: 2, w52: year, ly: 100, pct: year - 100 });
    const scrub = (...rows: object[]) => {
      const text = scrubText(scrubber, BRAND, JSON.stringify({ rows }), json);
      return (JSON.parse(text) as { rows: object[] }).rows;
    };
    const [sun, moon] = scrub(row('Sun', 120), row('Moon', 120));
    expect(sun).not.toEqual({ ...moon, b: 'Sun' });
    expect(scrub(row('Moon', 120))).toEqual([moon]);
    expect(scrub(row('Sun', 130))).not.toEqual([sun]);
    expect(scrub(row('Sun', 120))).toEqual([sun]);
  });

  test('of errors and other operations stay', () => {
    expect(scrubText(scrubberOf(), BRAND, '{"error":1}', head('application/json', 500))).toBe('{"error":1}');
    const other: OperationKey = 'GET /webservices/testService';
    expect(scrubText(scrubberOf(), other, '100', json)).toBe('100');
  });

  test.each([
    ['of an unknown media type', 'w4=1', head('text/plain'), FIELDS, 'its media type text/plain'],
    ['that are broken', '{"rows":[{"w4":1}', json, FIELDS, 'not JSON at character'],
    ['with figures that cannot be read', '{"rows":[{"w4":"12 or so"}]}', json, FIELDS, 'sales4Weeks cannot be read'],
    ['that are UTF-16', Buffer.from('{}', 'utf16le').toString(), json, FIELDS, 'superset of ASCII'],
    ['with several figures at once', '{"rows":[{"w":[1,2]}]}', json, 'sales4Weeks: "@.w[*]"', 'is unclear'],
    ['without figures', '{}', json, 'brand: "@.b"', 'binds none of its figures'],
  ])('%s are refused with a sentence', (_, text, answer, fields, why) => {
    const whyNotRecorded = scrubText(scrubberOf(fields), BRAND, text, answer);
    expect(whyNotRecorded).toContain(why);
    expect(whyNotRecorded).toContain('record without --scrub figures');
  });
});

function credentialsOf({ data: { auth } }: Profile): Record<string, string> {
  const [scheme] = [auth ?? []].flat();
  if (scheme?.scheme === 'bearer') return { authorization: `Bearer ${scheme.token}` };
  if (scheme?.scheme === 'apiKey') return { [scheme.name]: scheme.value };
  if (scheme?.scheme !== 'basic') return {};
  return { authorization: `Basic ${Buffer.from(`${scheme.username}:${scheme.password}`).toString('base64')}` };
}

test.each(['reference', 'tabular', 'xml', 'hypermedia', 'terse'])(
  'a simulator that speaks %s is scrubbed, and twice alike',
  async (dialect) => {
    const profile = await loadProfile(dialect);
    const respond = createFetch(await createSimulation({ dialect, products: 20 }));
    for (const path of ['CategoryPerformance', 'BrandPerformance']) {
      const operation = `GET /RetailMeasurement/v1/${path}` as OperationKey;
      const answer = await respond(`http://host/RetailMeasurement/v1/${path}`, {
        headers: { ...profile.data.headers, ...credentialsOf(profile) },
      });
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(answer.status).toBe(200);
      const answered = { status: answer.status, headers: [...answer.headers] as [string, string][] };
      const once = new FigureScrubber(profile).scrub(operation, bytes, answered) as { bytes: Buffer };
      expect(once).toHaveProperty('bytes');
      // With figures shown as #, nothing else has changed.
      const shape = (each: Buffer) => each.toString('latin1').replace(/[-+\d.,]+/g, '#');
      expect(shape(once.bytes)).toBe(shape(bytes));
      expect(once.bytes.equals(bytes)).toBe(false);
      expect(new FigureScrubber(profile).scrub(operation, bytes, answered)).toEqual(once);
    }
  },
);
