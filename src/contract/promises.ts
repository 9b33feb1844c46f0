/**
 * What an implementer may promise in a profile beside the openings: keys of the profile, with … for any member. The document
 * leaves these parts open (sections 2, 3, 5, 7 and 8).
 */
export const PROMISES = {
  authCovers: 'the groups and operations that the credentials cover',
  authRequired: 'the groups and operations that refuse a request without credentials',
  authSeparate: 'the groups and operations that refuse the credentials of another group',
  authLimited: 'the groups and operations that refuse the credentials of authFor.limited',
  authVerified: 'the groups and operations that refuse invented credentials',
  'statuses.unknown': 'the statuses of an unknown value, at the top of the profile or at the operation',
  'operations.….statuses.unknown': 'the statuses of an unknown value, at the operation itself',
  'statuses.malformed': 'the statuses of a malformed UPC, at the top of the profile or at the operation',
  'operations.….statuses.malformed': 'the statuses of a malformed value, at the operation itself',
  'operations.….statuses.missing':
    'the statuses of a request without its ids, its window or the members of its body, at the operation itself',
  'dataWeek.firstDay': 'whether the day exactly N weeks before the as-of date is inside a window',
  'dataWeek.refreshDateIs': 'what the refresh date is: the last day of a data week, or the day of the reload',
  'catalogue.connected': 'that each listed item is known to the operation below',
  'catalogue.neverEmpty': 'the operations that return a row for each listed item',
  'markets.products': 'the names of the market of products',
  'markets.performance': 'the names of the market of performance rows',
  'jobs.….patienceSeconds': 'the time in which a started job reaches a final state',
  'jobs.….keepsFinal': 'whether a job that has ended stays known and final',
  'operations.….response.fields.….required': 'the values that are in every row, or in the response',
  'response.paging': 'the paging of the list, with {pageSize} in its request',
  'operations.….response.schemas': 'the schemas of the bodies of the operation, by status',
} as const;

export type PromiseName = keyof typeof PROMISES;

/** The key of `authFor` with credentials that some operations refuse, such as ones without a scope; no operation uses them. */
export const LIMITED_AUTH = 'limited';
