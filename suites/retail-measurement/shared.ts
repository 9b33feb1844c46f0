/** What the files of group D share. */
import { type OpeningId, type OperationKey, operationOf, SALES_FILTERS } from '../../src/contract/index.ts';
import { collect, type Declarations, type Reading, type Row, step } from '../../src/rule/index.ts';
import { fold } from '../names.ts';

export const METADATA = 'GET /RetailMeasurement/v1/BrandPerformance/Metadata';

export const CATEGORY = 'GET /RetailMeasurement/v1/CategoryPerformance';

export const BRAND = 'GET /RetailMeasurement/v1/BrandPerformance';

export const PERFORMANCE: readonly OperationKey[] = [CATEGORY, BRAND];

export type Filter = (typeof SALES_FILTERS)[number];

export const one = <R extends Reading>(readings: readonly R[]): R => readings[0] as R;

export const opening = (subject: OperationKey, part: string): OpeningId =>
  `${operationOf(subject).name}.${part}` as OpeningId;

export const bound = (declares: Declarations, subject: OperationKey): Filter[] =>
  SALES_FILTERS.filter((each) => declares.isFilled(opening(subject, `fields.${each}`)));

/** Identities of rows: the bound names, missing ones as a gap, so that rows of another grain never look alike. */
export const identity = (row: Row, fields: readonly Filter[]): string =>
  JSON.stringify(fields.map((each) => (typeof row[each] === 'string' ? fold(row[each]) : null)));

/** Which of the names a row carries: rows are compared only with rows of the same grain. */
export const grain = (row: Row, fields: readonly Filter[]): string =>
  fields.map((each) => (typeof row[each] === 'string' ? '1' : '0')).join('');

/** Where filter values come from: the metadata where it lists them, else the unfiltered rows. */
export function valueSource(declares: Declarations, subject: OperationKey, filter: Filter) {
  const listed =
    declares.isFilled('performanceMetadata.request') && declares.isFilled(opening(METADATA, `fields.${filter}`));
  const from = listed ? METADATA : subject;
  return step({ operation: from, wants: 'content', folds: { rows: collect([filter], 20_000) } });
}
