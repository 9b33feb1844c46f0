/** The words, spellings and credentials of drawn services. */

/** Words for a neutral name, in the order of their frequency in real services. */
export const WORDS: Readonly<Record<string, readonly string[]>> = {
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

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** How a service writes names of several words. */
export const STYLES = {
  camel: (words: readonly string[]) => words.map((word, at) => (at === 0 ? word : capitalised(word))).join(''),
  pascal: (words: readonly string[]) => words.map(capitalised).join(''),
  snake: (words: readonly string[]) => words.join('_'),
  upper: (words: readonly string[]) => words.join('_').toUpperCase(),
  kebab: (words: readonly string[]) => words.join('-'),
  flat: (words: readonly string[]) => words.join(''),
  prefixed: (words: readonly string[]) => `x:${words.join('_')}`,
} as const;

/** Spellings of the weeks of a delta; undefined: the numbers. */
export const WINDOWS = [
  undefined,
  { 1: 'P1W', 4: 'P4W', 13: 'P13W' },
  { 1: '1w', 4: '4w', 13: '13w' },
  { 1: 'LW', 4: 'L4W', 13: 'L13W' },
  { 1: '7', 4: '28', 13: '91' },
  { 1: 'week', 4: 'month', 13: 'quarter' },
] as const;

/** The states of a job: two while it runs, and the two final ones. */
export const STATES = [
  ['queued', 'running', 'done', 'failed'],
  ['WAITING', 'ACTIVE', 'COMPLETED', 'ERROR'],
  ['Pending', 'In Progress', 'Succeeded', 'Aborted'],
  ['0', '1', '2', '9'],
  ['angenommen', 'in Arbeit', 'fertig', 'fehlgeschlagen'],
] as const;

export const AUTH = [
  { scheme: 'none' },
  { scheme: 'apiKey', in: 'header', name: 'X-Api-Key', value: 'drawn-key-1' },
  { scheme: 'apiKey', in: 'query', name: 'access', value: 'drawn-key-2' },
  { scheme: 'bearer', token: 'drawn-token-3' },
  { scheme: 'basic', username: 'drawn', password: 'drawn-password-4' },
] as const;
