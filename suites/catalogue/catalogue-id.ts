/** The catalogue id decides which metadata is returned: section 4.2. */
import {
  copyResponse,
  defineRule,
  failed,
  type InputSource,
  inconclusive,
  onlyReading,
  openingOf,
  passed,
  type Steps,
  step,
  type Tally,
  tally,
  untested,
} from '../../src/rule/index.ts';
import { requiredInputs } from '../../src/rule/served-steps.ts';
import { all } from './metadata.ts';

export const catalogueDecides = defineRule({
  id: 'B.catalogue-decides',
  statement: 'B.catalogue-id',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The operation returns the metadata of the catalogue whose id the request contains.',
  how: 'The same request is sent for two example catalogues; the two responses must differ where the profile states that the operation distinguishes catalogues.',
  subjects: all,
  needs: (subject) => [
    'distinguishing',
    'catalogueIdExamples',
    openingOf(subject, 'request'),
    openingOf(subject, 'inputs.catalogueId'),
    openingOf(subject, 'rows'),
    [openingOf(subject, 'fields.id'), openingOf(subject, 'fields.name')],
  ],
  repeat: 'inconclusive',
  probe(subject, declarations): Steps {
    const [, second] = declarations.examples('catalogueId');
    if (second === undefined || !declarations.distinguishesCatalogues(subject)) return {};
    const request = (catalogueId: InputSource) =>
      step({
        operation: subject,
        inputs: { ...requiredInputs(subject), catalogueId },
        accepts: 'complete',
        folds: { id: tally('id'), name: tally('name') },
      });
    return { first: request({ example: 'catalogueId', nth: 0 }), second: request({ example: 'catalogueId', nth: 1 }) };
  },
  counterexample: ({ first, second }) => ({ second: copyResponse(second, first) }),
  judge(seen) {
    const [first, second] = [onlyReading(seen.first ?? []), onlyReading(seen.second ?? [])];
    if (first.observation?.rows === 0 && second.observation?.rows === 0) return untested('both responses are empty');
    if (first.observation?.digest !== second.observation?.digest)
      return passed({
        exchanges: 2,
        rows: (first.observation?.rows ?? 0) + (second.observation?.rows ?? 0),
        distinct: 2,
      });
    // Rows without a name are equal for every catalogue: B.metadata-listed reports them.
    const { id, name } = first.folds as Record<string, Tally>;
    if ((id?.values ?? 0) + (name?.values ?? 0) === 0)
      return inconclusive('no row contains an id or a name, so the two responses cannot be compared');
    return failed([
      {
        kind: 'same-rows',
        expected: `different rows for catalogue ${second.inputs.catalogueId} and catalogue ${first.inputs.catalogueId}`,
        actual: `the same ${first.observation?.rows} rows`,
        exchange: second.exchange,
      },
    ]);
  },
});
