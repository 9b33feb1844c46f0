/**
 * Phrases with which services name neutral fields and inputs, beside the names that `src/profile/openapi/vocabulary.ts`
 * recognises, and the ways in which they write them. A phrase alone is weak evidence; values decide.
 */
import type { Field, Input } from '../contract/index.ts';
import { joinWords, wordsOf } from '../profile/openapi/name-words.ts';
import { INPUT_WORDS, matchScore } from '../profile/openapi/vocabulary.ts';

const CATEGORY = 'category name, category, cat name, cat, department, dept, product group, product category, commodity';
const SUB_CATEGORY =
  'sub category name, sub category, subcategory, subcat, sub cat, segment, sub segment, class, sub class, sub department';
const MANUFACTURER =
  'manufacturer name, manufacturer, mfr, mfg, maker, vendor, supplier, producer, company, parent company, brand owner, hersteller, fabricant, fabricante';
const BRAND = 'brand name, brand, label, trademark, trade name, marke, marque, marca';

export const FIELD_PHRASES: Readonly<Partial<Record<Field, string>>> = {
  upc: 'upc, upc code, gtin, ean, barcode, bar code, item number, item code, product code, product id, product number, scan code, article number, article, item, sku, id, artikelnummer',
  category: `${CATEGORY}, warengruppe, kategorie, categorie, categoria, family, name`,
  categoryId:
    'category id, category code, category key, category no, category number, cat id, cat code, cat no, department id, department code, dept id, dept no, product group id, group number, id, code, key',
  subCategory: `${SUB_CATEGORY}, sous categorie, unterkategorie, unterwarengruppe, subcategories, segments, classes`,
  manufacturer: MANUFACTURER,
  brand: BRAND,
  market: 'market, market name, mkt, geography, geo, region, country, area, territory, markt, marche, mercado',
  activeOn:
    'active on, active, last active, last activity, last sold, last sale, last seen, last scanned, last movement, last movement date, last sold on, last sale date, zuletzt verkauft',
  changedOn:
    'changed on, changed, last changed, change date, changed at, modified, modified on, modified at, last modified, updated, updated on, updated at, last updated, effective date, effective, geaendert, geaendert am',
  firstActiveOn:
    'first active on, first active, first sold, first sale, first seen, first scanned, introduced, introduced on, introduction date, launched, launch date, start date, since, available since, erstmals',
  changeKind: 'change kind, change type, change, kind, action, event, operation, type, change reason, reason, op',
  asOf: 'as of, as of date, data date, data as of, period end, period ending, week ending, week end, week ending date, data through, through, latest week, current week, reference date, stichtag',
  characteristics:
    'characteristics, attributes, attribs, attrs, features, properties, props, facts, specs, specifications, traits, details, merkmale, eigenschaften',
  sales4Weeks: 'sales month, last month, month, monthly sales, l 4 w, four weeks, monat',
  sales12Weeks: 'sales quarter, last quarter, quarter, quarterly sales, l 12 w, twelve weeks, quartal',
  sales52Weeks: 'sales year, year, annual sales, this year, current year, ty, l 52 w, fifty two weeks, jahr',
  salesLastYear: 'sales last year, last year, year ago, prior year, previous year, ly, ya, py, vorjahr',
  percentChange:
    'percent change, pct change, pct chg, change, chg, change vs ya, growth, growth rate, delta pct, change pct, variation, yoy, trend, veraenderung',
  id: 'id, key, code, identifier, ref, no, number, uid, nr, schluessel',
  name: 'name, label, title, description, desc, display name, caption, text, bezeichnung, nom, nombre',
  parent:
    'parent, parent id, parent key, parent code, parent ref, padre, id padre, clave padre, belongs to, owner, below, under, of',
  parentItem: 'parent item, parent value, parent member, parent row, upper, above, super, parent item id',
  date: 'date, refresh date, day, loaded on, refreshed on, refreshed, when, last refresh, last refreshed, updated, datum',
  jobId:
    'job id, job, job key, job number, id, ticket, ticket id, task, task id, handle, request number, request id, auftrag',
  state: 'state, status, sts, phase, progress, job state, job status, zustand, stand, estado, etat, statut, stato',
};

export const INPUT_PHRASES: Readonly<Partial<Record<Input, string>>> = {
  category: `${CATEGORY}, category filter`,
  // The parameter of an id may be named as the category.
  categoryId: `${FIELD_PHRASES.categoryId?.replace(/, id, code, key$/, '')}, category, cat, department, dept`,
  subCategory: SUB_CATEGORY,
  manufacturer: MANUFACTURER,
  brand: BRAND,
  window:
    'window, weeks, week, period, wochen, semanas, fenster, ventana, since, span, range, interval, delta, delta weeks, delta window, look back, lookback, lookback weeks, time frame, horizon, last weeks, num weeks, number of weeks, changed within, within, last, duration, days, change window, wks, wk, zeitraum, w',
  catalogueId:
    'catalogue id, catalogue, catalog id, catalog, catalogue key, catalog key, cat id, database, database id, cube, cube id, source, source id, data source, katalog, id',
  dimension: 'dimension id, dimension, dim id, dim, dimension key, axis, axis id, dimension name',
  group: 'group id, group, grp, group key, grouping, set, dimension group, gruppe, grupo, groupe',
  hierarchy: 'hierarchy id, hierarchy, hier, hier id, hierarchy key, tree, tree id, hierarchie, jerarquia',
  level: 'level id, level, lvl, level key, tier, depth, ebene, nivel, niveau',
  attribute: 'attribute id, attribute, attr, attr id, attribute key, property, property id, attribut, atributo',
  measure: 'measure id, measure, measure key, fact, fact id, metric, metric id, kennzahl, medida, mesure',
  jobId: FIELD_PHRASES.jobId as string,
  pageSize:
    'limit, page size, per page, size, max results, results per page, page limit, max, max rows, rows, count, top, take, anzahl',
  page: 'page, page number, page no, page num, page index, p, pg, current page, seite',
  offset: 'offset, start, skip, from, start index, start row, start at, first, first row',
  cursor:
    'cursor, token, after, continue, continuation, page token, next token, next cursor, next, marker, bookmark, scroll id, continuation token, starting after, continuar, weiter',
};

const phrasesOf = (phrases: string | undefined): string[] => phrases?.split(', ') ?? [];

const JOINED_PHRASES = new Map(
  Object.entries(FIELD_PHRASES).map(([field, phrases]) => [field, new Set(phrasesOf(phrases).map(joinWords))]),
);

/** How column names shorten words. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  ...{ cd: 'code', nm: 'name', dt: 'date', no: 'number', nr: 'number', nbr: 'number', num: 'number' },
  ...{ chg: 'change', desc: 'description', ctgry: 'category', catg: 'category', subctgry: 'subcategory' },
  ...{ ctg: 'category', sct: 'subcategory', brn: 'brand', brnd: 'brand', bnd: 'brand' },
  ...{ frst: 'first', lst: 'last', mnfr: 'manufacturer', yr: 'year', wk: 'week' },
};

const expanded = (name: string): string =>
  wordsOf(name)
    .map((word) => ABBREVIATIONS[word.toLowerCase()] ?? word)
    .join(' ');

/** Whether a name is one of the phrases of a field. */
export const isPhraseOf = (field: Field, names: readonly string[]): boolean => {
  const phrases = JOINED_PHRASES.get(field);
  if (!phrases) return false;
  const plain = names.slice(-2).map(withoutPrefix);
  return [plain.at(-1) ?? '', plain.join(' ')].some(
    (each) => phrases.has(joinWords(each)) || phrases.has(joinWords(expanded(each))),
  );
};

/** The name of one item of a list by that of the list, such as categories, Kategorien or Marken. */
export const singular = (name: string): string =>
  name
    .replace(/ies$/i, 'y')
    .replace(/(ie|[bcdfgkmprt]e)n$/i, '$1')
    .replace(/s$/i, '');

/** Whether a parameter is named as an input usually is. */
export const isNameOf = (input: Input, name: string): boolean => {
  const joined = joinWords(withoutPrefix(name));
  return matchScore(INPUT_WORDS[input], joined) > 0 || phrasesOf(INPUT_PHRASES[input]).map(joinWords).includes(joined);
};

/** A name without a prefix such as `x:` or `ns_`, which a colon ends. */
export const withoutPrefix = (name: string): string => name.replace(/^@?[\w.-]{1,12}:(?=\w)/, '');

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** How names of several words are written. */
const STYLES = {
  camel: (words: readonly string[]) => words.map((word, at) => (at === 0 ? word : capitalised(word))).join(''),
  snake: (words: readonly string[]) => words.join('_'),
  kebab: (words: readonly string[]) => words.join('-'),
  pascal: (words: readonly string[]) => words.map(capitalised).join(''),
  upper: (words: readonly string[]) => words.join('_').toUpperCase(),
  flat: (words: readonly string[]) => words.join(''),
  dotted: (words: readonly string[]) => words.join('.'),
} as const;
type Style = keyof typeof STYLES;

/** The styles of names that a service writes, the most frequent first, and its prefix. */
export interface Spelling {
  readonly styles: readonly Style[];
  readonly prefixes: readonly string[];
}

/** Finds how a service writes names. */
export function spellingOf(names: readonly string[]): Spelling {
  const seen = new Map<Style, number>();
  const prefixes = new Set<string>();
  for (const name of names) {
    const plain = withoutPrefix(name);
    if (plain !== name) prefixes.add(name.slice(0, name.length - plain.length).replace(/^@/, ''));
    const words = wordsOf(plain);
    for (const style of Object.keys(STYLES) as Style[])
      if (STYLES[style](words) === plain) seen.set(style, (seen.get(style) ?? 0) + (words.length > 1 ? 5 : 1));
  }
  const styles = [...seen].sort(([, x], [, y]) => y - x).map(([style]) => style);
  return { styles, prefixes: [...prefixes] };
}

/** The names that a parameter may have, in chunks: those in the style of the service first. */
export function namesFor(input: Input, { styles, prefixes }: Spelling): string[][] {
  const phrases = phrasesOf(INPUT_PHRASES[input]).map((phrase) => phrase.split(' '));
  const written = (style: Style) => phrases.map(STYLES[style]);
  const [first = 'camel', second = 'snake'] = styles;
  const likely = new Set([
    ...prefixes.flatMap((prefix) => written(first).map((name) => prefix + name)),
    ...written(first),
  ]);
  const others = new Set(
    [second, 'camel', 'snake', 'kebab', 'pascal', 'upper', 'flat'].flatMap((style) => written(style as Style)),
  );
  const family = BRACKETS[input];
  const bracketed = family ? written('camel').map((name) => `${family}[${name}]`) : [];
  return [[...likely], [...[...others].filter((name) => !likely.has(name)), ...bracketed]];
}

/** The names of headers that may carry an input, such as X-Page-Token. */
export const headersFor = (input: Input): string[] =>
  phrasesOf(INPUT_PHRASES[input]).map((phrase) => `X-${phrase.split(' ').map(capitalised).join('-')}`);

/** The families of parameters that some services write in brackets, such as `page[size]`. */
const BRACKETS: Readonly<Partial<Record<Input, string>>> = {
  ...{ category: 'filter', categoryId: 'filter', subCategory: 'filter', manufacturer: 'filter', brand: 'filter' },
  ...{ page: 'page', offset: 'page', cursor: 'page', pageSize: 'page', window: 'filter' },
};
