/** Metadata of a catalogue is the same when it is requested again, whatever catalogue was requested in between: section 4.2. */
import { comparedRows, countContent, differenceOfRows } from '../../src/rule/compare-rows.ts';
import { openingOf, step } from '../../src/rule/index.ts';
import { requiredInputs } from '../../src/rule/served-steps.ts';
import { stableRule } from '../../src/rule/stable-rule.ts';
import { all } from './metadata.ts';

const CATALOGUES = ['first catalogue', 'second catalogue'] as const;

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
      CATALOGUES.slice(0, Math.max(1, declarations.examples('catalogueId').length)).map((name, nth) => [
        name,
        step({
          operation: subject,
          inputs: { ...requiredInputs(subject), catalogueId: { example: 'catalogueId', nth } },
          accepts: 'complete',
          folds: comparedRows(['id', 'name', 'date']),
        }),
      ]),
    ),
  areDistinct: (subject, declarations) => declarations.distinguishesCatalogues(subject),
  compare: differenceOfRows,
  size: countContent,
});
