/**
 * The statements of the document, one sentence per row, in our words. A statement is `observable` if a response could
 * violate it; otherwise `why` gives the reason why not. Rules and faults cite these ids.
 */

interface StatementRow {
  readonly id: string;
  readonly section: string;
  readonly says: string;
  readonly observable: boolean;
  readonly why?: string;
}

const observable = <I extends string>(id: I, section: string, says: string) => ({
  id,
  section,
  says,
  observable: true as const,
});
const unobservable = <I extends string>(id: I, section: string, says: string, why: string) => ({
  id,
  section,
  says,
  observable: false as const,
  why,
});

export const STATEMENTS = [
  observable(
    'operation.served',
    '4',
    'Each of the 41 operations is served with its documented method at its documented path.',
  ),
  unobservable(
    'base.appended',
    '4',
    'Every path is appended to one common base address.',
    'a run sends every request below one base URL: operation.served checks each operation',
  ),
  observable('platform.segment', '0', 'The first segment of every group C path is PLATFORMAPI, exactly as written.'),
  observable('version.segment', '9', 'Group B, C and D paths have the segment v1 after their group prefix.'),
  observable('version.none', '9', 'Group A paths have no version segment.'),

  observable('A.job-status', '2', 'The status operation of each of the seven job kinds returns a job status.'),
  unobservable(
    'A.areas',
    '1',
    'Group A covers business counts, lists, surveys, drive jobs, reports, file enhancement, prospect filters, locations, map export and variable pull.',
    'only the name of each operation is shown, so only its presence can be tested (operation.served)',
  ),
  observable(
    'A.content',
    '1',
    'Group A operations respond with data of the area that their name indicates: filters, saved map, thematic id, service test.',
  ),

  observable('B.post', '4.2', 'Every operation of group B uses POST.'),
  observable(
    'B.catalogue-id',
    '4.2',
    'Each operation of group B takes the catalogue id and responds for that catalogue.',
  ),
  observable(
    'B.metadata',
    '1',
    'Group B returns the metadata it names: catalogues, dimensions, attributes, groups, hierarchies, levels, values, refresh dates, share prompts.',
  ),
  observable(
    'B.graph',
    '2',
    'Catalogues have dimensions; dimensions have attributes, groups and hierarchies; those have levels and level values; measures have share prompts.',
  ),

  observable('C.categories', '4.3', 'allCategories returns the categories of products.'),
  observable('C.bulk', '4.3', 'allProducts lists all active products in bulk.'),
  observable('C.us-market', '4.3', 'The products of the bulk list belong to the US market.'),
  observable('C.history-52', '8', 'The bulk list covers the last 52 weeks.'),
  observable('C.category-filter', '4.3', 'The bulk list can be filtered by category.'),
  observable('C.product-category', '2', 'A product belongs to a category.'),
  observable('C.lookup', '4.3', 'A look-up by UPC returns the list of characteristics of that product.'),
  observable('C.upc-12', '8', 'A UPC is a string of 12 digits.'),
  observable('C.delta', '4.3', 'updateProducts lists products that are new or whose characteristics changed.'),
  observable('C.delta-windows', '8', 'The delta windows are 1 week, 4 weeks and 13 weeks.'),
  observable('C.delta-weekly', '8', 'The delta is refreshed with the weekly data reload.'),

  observable(
    'D.metadata',
    '4.4',
    'Metadata lists the available categories and sub-categories, manufacturers and brands.',
  ),
  observable(
    'D.category-performance',
    '4.4',
    'CategoryPerformance returns the performance of categories and sub-categories.',
  ),
  observable('D.brand-performance', '4.4', 'BrandPerformance returns the performance of manufacturers and brands.'),
  observable(
    'D.five-figures',
    '4.4',
    'Each result row contains dollar sales of 4, 12 and 52 weeks, of last year, and the dollar percentage change.',
  ),
  observable('D.filters', '4.4', 'Results can be filtered by category, sub-category, manufacturer and brand name.'),
  observable('D.market', '4.4', 'The one market is Total US.'),
  observable('D.windows', '8', 'The sales windows are the last 4, 12 and 52 weeks and last year.'),

  unobservable(
    'purpose.A',
    '1',
    'Purpose and behaviour of group A beyond the names: not shown.',
    'an opening, not a requirement',
  ),
  unobservable(
    'shapes',
    '2',
    'Field names, types, formats and required flags of bodies: not shown.',
    'an opening, filled by a profile',
  ),
  unobservable('states', '3', 'States and transitions: not shown.', 'an opening; a profile may list states'),
  unobservable(
    'auth',
    '5',
    'Authentication scheme, credentials, headers and scopes: not shown.',
    'an opening, filled by a profile',
  ),
  unobservable(
    'events',
    '6',
    'Events, callbacks and notifications: not shown.',
    'an opening; a test run receives no callbacks',
  ),
  unobservable(
    'errors',
    '7',
    'Error codes, status codes and error bodies: not shown.',
    'an opening, filled by a profile',
  ),
  unobservable(
    'limits.open',
    '8',
    'Rate limits, page sizes, payload limits and time-outs: not shown.',
    'an opening, filled by a profile',
  ),
  unobservable(
    'version.open',
    '9',
    'Version selection by header, deprecation and compatibility: not shown.',
    'an opening',
  ),
] as const satisfies readonly StatementRow[];

export type StatementId = (typeof STATEMENTS)[number]['id'];
export type ObservableStatementId = Extract<(typeof STATEMENTS)[number], { observable: true }>['id'];
export type Statement = StatementRow & { readonly id: StatementId };

const byId = new Map<string, Statement>(STATEMENTS.map((each) => [each.id, each]));

/** Returns the statement of an id; every id of the type has one. */
export function statementOf(id: StatementId): Statement {
  return byId.get(id) as Statement;
}
