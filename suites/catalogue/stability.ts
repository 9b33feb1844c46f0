/** Metadata of a catalogue is the same when it is requested again, whatever catalogue was requested in between: section 4.2. */
import { type OperationKey, operationsOf } from '../../src/contract/index.ts';
import { comparedRows, countContent, differenceOfRows } from '../../src/rule/compare-rows.ts';
import { type Declarations, needsOf, step } from '../../src/rule/index.ts';
import { canRequestIn, exampleRequest } from '../../src/rule/list-requests.ts';
import { stableRule } from '../../src/rule/stable-rule.ts';

const CATALOGUES = [
  { name: 'first catalogue', nth: 0 },
  { name: 'second catalogue', nth: 1 },
] as const;

/** The catalogues of which the profile or a list has ids. */
function cataloguesOf(subject: OperationKey, declarations: Declarations) {
  const known = CATALOGUES.filter(({ nth }) => canRequestIn(subject, declarations, nth));
  return known.length > 0 ? known : CATALOGUES.slice(0, 1);
}

export const metadataStable = stableRule({
  id: 'B.metadata-stable',
  statement: 'B.catalogue-id',
  demands: 'The operation returns the same metadata of a catalogue when it is requested again.',
  subjects: operationsOf('B'),
  needs: (subject) => needsOf(subject, 'request', 'inputs.catalogueId', 'rows', ['fields.id', 'fields.name']),
  lists: (subject, declarations) =>
    Object.fromEntries(
      cataloguesOf(subject, declarations).map(({ name, nth }) => [
        name,
        step({
          ...exampleRequest(subject, declarations, nth).request,
          accepts: 'complete',
          folds: comparedRows(['id', 'name', 'date']),
        }),
      ]),
    ),
  sources: (subject, declarations) =>
    Object.assign(
      {},
      ...cataloguesOf(subject, declarations).map(({ nth }) => exampleRequest(subject, declarations, nth).walk),
    ),
  areDistinct: (subject, declarations) => declarations.distinguishesCatalogues(subject),
  compare: differenceOfRows,
  size: countContent,
});
