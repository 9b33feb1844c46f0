/**
 * What an implementer may promise in a profile beside the openings, and without which some rules judge nothing. The document
 * leaves these parts open (sections 2, 5 and 7).
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
  'operations.….statuses.missing': 'the statuses of a request without its ids or window, at the operation itself',
  'dataWeek.refreshDateIs': 'what the refresh date is: the last day of a data week, or the day of the reload',
  'response.paging': 'the paging of the list, with {pageSize} in its request',
  'response.schemas': 'the schemas of the bodies of the operation, by status',
} as const;

export type PromiseName = keyof typeof PROMISES;

/** The key of `authFor` with credentials that some operations refuse, such as ones without a scope; no operation uses them. */
export const LIMITED_AUTH = 'limited';
