/** What each operation does, in a line, and the statements of the document about it: the text of descriptions for people. */
import type { OperationName } from './operations.ts';
import { STATEMENTS, type StatementId } from './statements.ts';

/** Of groups C and D the words of sections 4.3 and 4.4. The document shows no more of groups A and B than names and purpose. */
const SUMMARIES = {
  businesscount: ['Business count', ['A.areas']],
  createlist: ['Create a list', ['A.areas']],
  createSurvey: ['Create a survey', ['A.areas']],
  drive: ['Drive job', ['A.areas']],
  executeReport: ['Execute a report', ['A.areas']],
  fileenhancement: ['File enhancement', ['A.areas']],
  getAllProspectFilters: ['Get all prospect filters', ['A.content']],
  getDriveJobStatus: ['The status of a drive job', ['A.job-status']],
  getFileEnhancementJobStatus: ['The status of a file enhancement job', ['A.job-status']],
  getLocationJobStatus: ['The status of a location job', ['A.job-status']],
  getMapExportJobStatus: ['The status of a map export job', ['A.job-status']],
  getProspectJobStatus: ['The status of a prospect job', ['A.job-status']],
  getPullVarJobStatus: ['The status of a variable pull job', ['A.job-status']],
  getReportJobStatus: ['The status of a report job', ['A.job-status']],
  getSaveMap: ['Get a saved map', ['A.content']],
  getSaveThematicId: ['Get the id of a saved thematic', ['A.content']],
  importLocation: ['Import locations', ['A.areas']],
  mapExport: ['Map export', ['A.areas']],
  pullVariable: ['Variable pull', ['A.areas']],
  testService: ['Test the service', ['A.content']],
  updateLocation: ['Update a location', ['A.areas']],

  catalogues: ['The catalogues', ['B.catalogue-id', 'B.metadata']],
  attributeValues: ['The values of an attribute', ['B.catalogue-id', 'B.metadata']],
  logicalDimensions: ['The logical dimensions of a catalogue', ['B.catalogue-id', 'B.graph']],
  refreshDates: ['The refresh dates of a catalogue', ['B.catalogue-id', 'B.metadata']],
  dimensionAttributes: ['The attributes of a dimension', ['B.catalogue-id', 'B.graph']],
  dimensionGroups: ['The groups of a dimension', ['B.catalogue-id', 'B.graph']],
  dimensionHierarchies: ['The hierarchies of a dimension', ['B.catalogue-id', 'B.graph']],
  dimensionRows: ['The rows of a dimension', ['B.catalogue-id', 'B.graph']],
  groupLevels: ['The levels of a group', ['B.catalogue-id', 'B.graph']],
  groupLevelValues: ['The values of a level of a group', ['B.catalogue-id', 'B.graph']],
  hierarchyLevels: ['The levels of a hierarchy', ['B.catalogue-id', 'B.graph']],
  hierarchyLevelValues: ['The values of a level of a hierarchy', ['B.catalogue-id', 'B.graph']],
  measureSharePrompts: ['The share prompts of a measure', ['B.catalogue-id', 'B.graph']],

  allCategories: ['The categories of products', ['C.categories']],
  allProducts: [
    'Bulk list of all active US-market products of the last 52 weeks',
    ['C.bulk', 'C.us-market', 'C.history-52', 'C.category-filter', 'C.product-category', 'C.upc-12'],
  ],
  products: ['The characteristics of the product with a UPC', ['C.lookup', 'C.upc-12']],
  updateProducts: [
    'Delta list of new or changed products over the last 1, 4 and 13 weeks',
    ['C.delta', 'C.delta-windows', 'C.delta-weekly'],
  ],

  performanceMetadata: ['The available categories, sub-categories, manufacturers and brands', ['D.metadata']],
  categoryPerformance: [
    'Performance of categories and sub-categories',
    ['D.category-performance', 'D.five-figures', 'D.windows', 'D.filters', 'D.market'],
  ],
  brandPerformance: [
    'Performance of manufacturers and brands',
    ['D.brand-performance', 'D.five-figures', 'D.windows', 'D.filters', 'D.market'],
  ],
} as const satisfies Record<OperationName, readonly [string, readonly StatementId[]]>;

/** What an operation does, in a line. */
export const operationSummary = (name: OperationName): string => SUMMARIES[name][0];

/** The statements of the document about an operation, one sentence each with its section. */
export const statementsAbout = (name: OperationName): readonly string[] =>
  STATEMENTS.filter(({ id }) => (SUMMARIES[name][1] as readonly string[]).includes(id)).map(
    ({ says, section }) => `${says.replace(/\.$/, '')} (section ${section}).`,
  );
