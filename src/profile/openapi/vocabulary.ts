/**
 * Names that implementers use for neutral inputs and fields, which the document values unnamed; names are
 * joined and in lower case (see `joinWords`). `exact` names are certain, `usual` names are likely.
 */
import type { Field, Input } from '../../contract/index.ts';

interface Words {
  /** Unambiguous names. */
  readonly exact: RegExp;
  /** Names that usually have this meaning. */
  readonly usual?: RegExp;
  /** Matches descriptions, for names without a meaning. */
  readonly inDescription?: RegExp;
}

const named = (word: string): RegExp =>
  new RegExp(`^(filter|by|product)?(${word})(name|label|title|text|desc(ription)?)?s?$`);
const identified = (word: string): RegExp =>
  new RegExp(`^(filter|by|product)?(${word})(id|key|code|number|no|ref|uuid|guid)s?$`);

const CATEGORY = 'category|categ|cat';
const SUB_CATEGORY = 'subcategory|subcateg|subcat';
const MANUFACTURER = 'manufacturer|mfr|mfg|manuf|maker|producer';
const identifying = (word: string): Words => ({
  exact: new RegExp(`^(${word})$`),
  usual: new RegExp(`^(${word})(id|key|code|name|ref|uid)$`),
});

export const INPUT_WORDS: Readonly<Partial<Record<Input, Words>>> = {
  category: { exact: /^category(name)?$/, usual: named(CATEGORY) },
  categoryId: { exact: /^categoryid$/, usual: identified(CATEGORY) },
  subCategory: { exact: /^subcategory(name)?$/, usual: named(SUB_CATEGORY) },
  manufacturer: { exact: /^manufacturer(name)?$/, usual: named(MANUFACTURER) },
  brand: { exact: /^brand(name)?$/, usual: named('brand') },
  window: {
    exact: /^(delta)?(window|weeks)$/,
    usual:
      /^(delta|change|changed|time)?(window|weeks?|period|since|range|span|lookback|interval|horizon|timeframe)(weeks?|code)?$/,
    inDescription: /\b(1|one)\b.*\b(4|four)\b.*\b(13|thirteen)\b.*\bweeks?\b/is,
  },
  catalogueId: identifying('catalogue|catalog|cat|cataloguenumber|catalognumber'),
  dimension: identifying('dimension|dim|logicaldimension'),
  group: identifying('group|grp|dimensiongroup'),
  hierarchy: identifying('hierarchy|hier|dimensionhierarchy'),
  level: identifying('level|lvl|grouplevel|hierarchylevel'),
  attribute: identifying('attribute|attr|dimensionattribute'),
  measure: identifying('measure|fact|metric'),
  jobId: {
    exact: /^jobid$/,
    usual: /^(job|id|jobkey|jobnumber|jobref|jobuuid|ticket|ticketid|taskid|requestid|handle)$/,
  },
  page: { exact: /^page$/, usual: /^(page(number|no|num|index)|p)$/ },
  offset: { exact: /^offset$/, usual: /^(skip|start(index|at|row)?|from|pageoffset|startfrom)$/ },
  cursor: {
    exact: /^cursor$/,
    usual: /^(page)?(next)?(cursor|token|after|marker|bookmark|continuation(token)?|scroll(id)?|next|startingafter)$/,
  },
  pageSize: {
    exact: /^(page)?(size|limit)$/,
    usual:
      /^(\$?top|per(page)?|count|rows?|take|n|max(results|items|rows|pagesize)|pagelimit|resultsperpage|items?perpage)$/,
  },
};

const DATED = '(on|at|date|day|dt|time|timestamp)?';

export const FIELD_WORDS: Readonly<Partial<Record<Field, Words>>> = {
  upc: {
    exact: /^(product)?upc(12|a|code)?$/,
    usual: /^(product|item)?(upc(number|no|id)?|gtin(12|13|14)?|ean(13)?|barcode)$/,
    inDescription: /\bUPC\b|\bGTIN\b/i,
  },
  category: {
    exact: /^category(name)?$/,
    usual: named(CATEGORY),
    inDescription: /\bcategory name\b|\bname of the category\b/i,
  },
  categoryId: {
    exact: /^categoryid$/,
    usual: identified(CATEGORY),
    inDescription: /\bcategory (id|key|code)\b|\b(id|key|code) of the category\b/i,
  },
  subCategory: {
    exact: /^subcategory(name)?$/,
    usual: named(SUB_CATEGORY),
    inDescription: /\bsub-?category name\b|\bname of the sub-?category\b/i,
  },
  manufacturer: {
    exact: /^manufacturer(name)?$/,
    usual: named(MANUFACTURER),
    inDescription: /\bmanufacturer name\b|\bname of the manufacturer\b/i,
  },
  brand: { exact: /^brand(name)?$/, usual: named('brand'), inDescription: /\bbrand name\b|\bname of the brand\b/i },
  market: {
    exact: /^market(name)?$/,
    usual: /^(geography|geo|marketlabel|marketarea)(name)?$/,
    inDescription: /\bthe market\b/i,
  },
  activeOn: {
    exact: new RegExp(`^active${DATED}$`),
    usual: new RegExp(`^(date)?last(active|sold|sale|sales|scan|scanned|seen)${DATED}$`),
    inDescription: /\blast (sold|sale|scanned|active)\b/i,
  },
  changedOn: {
    exact: new RegExp(`^changed${DATED}$|^change(date|day)$`),
    usual: new RegExp(`^(date)?(last)?(change|changed|updated?|modified|modification)${DATED}$`),
    inDescription: /\b(last changed|changed on|date of the change|appeared or changed)\b/i,
  },
  firstActiveOn: {
    exact: new RegExp(`^first(active|sold|sale|sales|scan|scanned|seen)${DATED}$`),
    inDescription: /\bfirst (sold|sale|scanned|active|seen)\b/i,
  },
  asOf: {
    exact: /^asof(date|day)?$/,
    usual: /^(data(asof|date|through)|through(date)?|(data|latest)weekending(date)?|reloaddate|refreshdate)$/,
    inDescription: /\bas[- ]of\b/i,
  },
  id: { exact: /^id$/, usual: /(id|key|code|uid|uuid|identifier)$/ },
  name: {
    exact: /^name$/,
    usual: /^(display|full|short|member|item)?(name|label|title|caption|value|text|displayname)$|name$/,
  },
  date: {
    exact: /^(refresh)?date$/,
    usual: /^(last|latest|data|catalogue)?(refresh(ed)?|date|updated?|reload(ed)?)(on|at|date|day|dt|time|timestamp)?$/,
  },
  jobId: { exact: /^jobid$/, usual: /^(job)?(id|key|number|ref|uuid|ticket(id)?|taskid|handle|job)$/ },
  state: { exact: /^(job)?(state|status)$/, usual: /^(phase|progressstate|statuscode|jobphase|statustext)$/ },
  characteristics: {
    exact: /^characteristics?$/,
    usual: /^(product)?(attributes?|features?|properties|facts|specs?|specifications?|traits|details|descriptors)$/,
  },
};

/** The match score of a name: 3 for an exact name, 2 for a usual one, 0 for no match. */
export function matchScore(words: Words | undefined, name: string): 0 | 2 | 3 {
  if (!words) return 0;
  if (words.exact.test(name)) return 3;
  return words.usual?.test(name) ? 2 : 0;
}
