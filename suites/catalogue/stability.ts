/** Metadata of a catalogue is the same when it is requested again, whatever catalogue was requested in between: section 4.2. */
import { comparedRows, countContent, differenceOfRows } from '../../src/rule/compare-rows.ts';
import { type Declarations, openingOf, step } from '../../src/rule/index.ts';
import { exampleRequest } from '../../src/rule/list-requests.ts';
import { stableRule } from '../../src/rule/stable-rule.ts';
import { all } from './metadata.ts';

const CATALOGUES = ['first catalogue', 'second catalogue'] as const;

const catalogueNames = (declarations: Declarations) =>
  CATALOGUES.slice(0, Math.max(1, declarations.examples('catalogueId').length));

export const metadataStable = stableRule({
  id: 'B.metadata-stable',
  statement: 'B.catalogue-id',
  since: '0.2.0',
  demands: 'The operation returns the same metadata of a catalogue when it is requested again.',
  subjects: all,
  needs: (subject) => [
    openingOf(subject, 'request'),
    openingOf(subject, 'inputs.catalogueId'),
    openingOf(subject, 'rows'),
    [openingOf(subject, 'fields.id'), openingOf(subject, 'fields.name')],
  ],
  lists: (subject, declarations) =>
    Object.fromEntries(
      catalogueNames(declarations).map((name, nth) => [
        name,
        step({
          ...exampleRequest(subject, declarations, nth).request,
          accepts: 'complete',
          folds: comparedRows(['id', 'name', 'date']),
        }),
      ]),
    ),
  sources: (subject, declarations) =>
    Object.assign({}, ...catalogueNames(declarations).map((_, nth) => exampleRequest(subject, declarations, nth).walk)),
  areDistinct: (subject, declarations) => declarations.distinguishesCatalogues(subject),
  compare: differenceOfRows,
  size: countContent,
});
