/** Writes SOAP envelopes. Every response is 200; an error is a Fault. */
import { base64, concat, utf8 } from '../../../src/bytes.ts';
import { SALES_FILTERS } from '../../../src/contract/index.ts';
import { isoDay } from '../../model/clock.ts';
import { lengthOf } from '../../model/page.ts';
import type {
  Category,
  Day,
  Figure,
  Item,
  ItemCounts,
  ModelAnswer,
  PerformanceRow,
  Product,
  ProductRow,
} from '../../model/types.ts';
import type { Dialect, DialectResponse } from '../types.ts';
import { element, type Markup, openTag, text } from './markup.ts';
import { PERIODS } from './read.ts';

const NAMESPACES = { 'xmlns:env': 'http://schemas.xmlsoap.org/soap/envelope/', 'xmlns:md': 'urn:example:master-data' };

/** An envelope that streams its body. The header states the as-of date. */
function envelope(pieces: Iterable<Markup>, asOf?: Day): DialectResponse {
  function* chunks() {
    yield `<?xml version="1.0" encoding="UTF-8"?>\n${openTag('env:Envelope', NAMESPACES)}>`;
    yield element('env:Header', {}, asOf === undefined ? '' : named('md:AsOf', dateTime(asOf)));
    yield '<env:Body>';
    yield* pieces;
    yield '</env:Body></env:Envelope>\n';
  }
  return { status: 200, headers: { 'content-type': 'text/xml; charset=utf-8' }, body: { [Symbol.iterator]: chunks } };
}

const fault = (code: string, reason: string): DialectResponse =>
  envelope([element('env:Fault', {}, element('faultcode', {}, code), element('faultstring', {}, text(reason)))]);

const named = (name: string, value: string | undefined): Markup => element(name, {}, text(value ?? ''));

/** `2026-11-14T00:00:00Z`; a missing day is absent. */
const dateTime = (day: Day | undefined): string | undefined =>
  day === undefined || !Number.isFinite(day) ? undefined : `${isoDay(day)}T00:00:00Z`;

/** 12 digits as GTIN-14; an absent UPC stays absent. */
const gtin14 = (upc: string | undefined): string | undefined => (upc === undefined ? undefined : `00${upc}`);

const CSV_COLUMNS = ['Gtin', 'Category', 'Code', 'Market', 'Sold', 'Revised', 'FirstSold'];
const csvLine = (cells: readonly (string | undefined)[]): string =>
  `${cells.map((cell) => `"${(cell ?? '').replaceAll('"', '""')}"`).join(';')}\r\n`;

/** The lines of the CSV file in base64, in chunks of whole groups of three bytes. */
function* base64File(rows: Iterable<ProductRow>): Generator<Markup> {
  let pending = utf8(csvLine(CSV_COLUMNS));
  let lines = '';
  for (const { upc, category, categoryId, market, activeOn, changedOn, firstActiveOn } of rows) {
    const dates = [activeOn, changedOn, firstActiveOn].map(dateTime);
    const line = csvLine([gtin14(upc), category, categoryId, market, ...dates]);
    lines += line;
    if (lines.length < 16_384) continue;
    pending = concat([pending, utf8(lines)]);
    lines = '';
    const whole = pending.length - (pending.length % 3);
    yield base64(pending.subarray(0, whole));
    pending = pending.subarray(whole);
  }
  yield base64(concat([pending, utf8(lines)]));
}

/** The kinds of change of master data messages. */
const ACTIONS: Readonly<Record<string, string>> = { new: 'ADD', changed: 'CORRECT', removed: 'DELETE' };

const change = ({ upc, category, categoryId, changedOn, changeKind }: ProductRow): Markup =>
  element(
    'md:Change',
    {
      gtin: gtin14(upc),
      on: dateTime(changedOn),
      action: changeKind === undefined ? undefined : (ACTIONS[changeKind] ?? changeKind),
    },
    element('md:Category', { code: categoryId }, text(category ?? '')),
  );

/** A product as pairs of names and values. */
function item({ upc, category, categoryId, changedOn, firstActiveOn, characteristics }: Product): Markup {
  const pairs = {
    category,
    categoryCode: categoryId,
    revised: dateTime(changedOn),
    firstSold: dateTime(firstActiveOn),
  };
  return element(
    'md:Item',
    {},
    ...Object.entries(pairs).map(([name, value]) => element('md:Pair', { of: gtin14(upc), name, value })),
    ...characteristics.map(({ name, value }) => element('md:Characteristic', { name, value })),
  );
}

const category = ({ id, name, subCategories, products }: Category): Markup =>
  element(
    'md:Category',
    { code: id, label: name, products: products && String(products()) },
    ...subCategories.map((each) => named('md:Sub', each)),
  );

/** Amounts are whole numbers with a scale; null is nil. */
function amount(period: string, figure: Figure): Markup {
  if (figure === undefined) return '';
  const value = typeof figure === 'number' ? String(Math.round(figure * 100)) : (figure ?? undefined);
  return element('md:Sales', { period, amount: value, scale: '2' });
}

const fraction = (figure: Figure): string | undefined =>
  typeof figure === 'number' ? String(Number((figure / 100).toPrecision(12))) : (figure ?? undefined);

const salesRow = (row: PerformanceRow): Markup =>
  element(
    'md:Row',
    { market: row.market },
    ...SALES_FILTERS.filter((name) => name in row).map((name) =>
      element('md:Name', { of: name }, text(row[name] ?? '')),
    ),
    amount('4', row.sales4Weeks),
    amount('12', row.sales12Weeks),
    amount('52', row.sales52Weeks),
    amount('prior', row.salesLastYear),
    row.percentChange === undefined ? '' : element('md:Change', { ratio: fraction(row.percentChange) }),
  );

/** Attributes and levels state how many values they have. */
const valuesOf = ({ attributeValues, groupLevelValues, hierarchyLevelValues }: ItemCounts): string | undefined =>
  (attributeValues ?? groupLevelValues ?? hierarchyLevelValues)?.toString();

const entry = ({ id, name, parent, parentItem, date, counts = {} }: Item): Markup =>
  element(
    'md:Entry',
    { id, parent, above: parentItem, values: valuesOf(counts), refreshed: dateTime(date) },
    text(name ?? ''),
  );

/** An element that states the number of its rows. */
function* counted<T>(name: string, count: number, attributes: object, rows: Iterable<T>, write: (row: T) => Markup) {
  yield `${openTag(name, { count: String(count), ...attributes })}>`;
  for (const row of rows) yield write(row);
  yield `</${name}>`;
}

const STATES = { queued: 'Waiting', running: 'Active', done: 'Complete', failed: 'Failed' } as const;

/** `P28D` of 4; a window that no request can select stays a number. */
const periodOf = (weeks: number | undefined): string | undefined =>
  Object.keys(PERIODS).find((name) => PERIODS[name] === weeks) ?? (weeks === undefined ? undefined : String(weeks));

export const writeSoap: Dialect['write'] = (answer: ModelAnswer) => {
  switch (answer.kind) {
    case 'products': {
      const { echo = {}, rows, total = () => lengthOf(rows) } = answer;
      const attributes = { category: echo.category, code: echo.categoryId };
      function* file() {
        yield '<md:File>';
        yield* base64File(rows);
        yield '</md:File>';
      }
      return envelope(counted('md:Products', total(), attributes, file(), String), answer.asOf);
    }
    case 'deltas': {
      const [delta] = answer.windows;
      const { rows = [] } = delta ?? {};
      const { echo, total = () => lengthOf(rows) } = answer;
      const attributes = { period: periodOf(echo?.window ?? delta?.weeks) };
      return envelope(counted('md:Changes', total(), attributes, rows, change), answer.asOf);
    }
    case 'product':
      return envelope([item(answer.product)], answer.asOf);
    case 'categories': {
      const { categories, total = () => lengthOf(categories.flatMap(({ subCategories }) => subCategories)) } = answer;
      return envelope(counted('md:Categories', total(), {}, categories, category), answer.asOf);
    }
    case 'performance': {
      const { rows, next, total = () => lengthOf(rows) } = answer;
      const attributes = { continue: next === undefined ? undefined : `after-${next}` };
      return envelope(counted('md:Report', total(), attributes, rows, salesRow), answer.asOf);
    }
    case 'filterNames': {
      const names = SALES_FILTERS.flatMap((name) =>
        [...new Set(answer.rows.flatMap((row) => row[name] ?? []))].map((each) => named(`md:${name}`, each)),
      );
      return envelope([element('md:Names', {}, ...names)], answer.asOf);
    }
    case 'items': {
      const { items, echo, total = () => items.length } = answer;
      return envelope(counted('md:Entries', total(), { catalogue: echo?.catalogueId }, items, entry), answer.asOf);
    }
    case 'jobStarted':
      return envelope([element('md:Started', {}, named('md:JobNumber', answer.jobId))]);
    case 'jobStatus':
      return envelope([element('md:Job', { number: answer.jobId, state: STATES[answer.state] ?? answer.state })]);
    case 'savedItem':
      return envelope([element('md:Saved', { id: answer.id })]);
    case 'serviceOk':
      return envelope([element('md:Available', {})]);
    case 'unknown':
      return fault('Client.Unknown', `there is no ${answer.value.slice(0, 100)}`);
    case 'rejected':
      return fault(answer.reason === 'unauthorized' ? 'Client.Authentication' : 'Client.Invalid', answer.detail);
    case 'internalError':
      return fault('Server', answer.why);
    case 'noSuchPath':
      return fault('Client.Unknown', 'no such path');
    case 'wrongMethod':
      return fault('Client.Method', `use ${answer.allow.join(', ')}`);
  }
};
