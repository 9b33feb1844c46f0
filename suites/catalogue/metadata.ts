/** Each operation returns the metadata that its name states: sections 1 and 2. */
import { operationsOf } from '../../src/contract/index.ts';
import { ITEMS, normaliseId } from '../../src/rule/catalogue-walk.ts';
import {
  anything,
  defineRule,
  editAll,
  emptied,
  type Finding,
  failed,
  failedByProfile,
  findingsAt,
  inconclusive,
  onlyReading,
  openingOf,
  passed,
  quoteSelector,
  step,
  tally,
  untested,
} from '../../src/rule/index.ts';
import { requiredInputs } from '../../src/rule/served-steps.ts';

export const all = operationsOf('B');

export const listed = defineRule({
  id: 'B.metadata-listed',
  statement: 'B.metadata',
  basis: 'stated',
  since: '0.1.0',
  demands: 'The operation returns the metadata that its name states.',
  how: 'Each row must contain the id or name that the profile binds. A required field must be present in every row, and its converter must accept every value. An empty list is not judged.',
  subjects: all,
  needs: (subject) => [
    openingOf(subject, 'request'),
    openingOf(subject, 'inputs.catalogueId'),
    openingOf(subject, 'rows'),
    [openingOf(subject, 'fields.id'), openingOf(subject, 'fields.name')],
  ],
  repeat: 'inconclusive',
  probe: (subject) => ({
    list: step({
      operation: subject,
      inputs: requiredInputs(subject),
      alsoMatches: anything,
      accepts: 'content',
      folds: { id: tally('id'), name: tally('name'), date: tally('date') },
    }),
  }),
  counterexample: ({ list }) => ({ list: editAll(list, { id: null, name: null }) }),
  judge(seen, { subject, declarations }) {
    const list = onlyReading(seen.list);
    const rows = list.observation?.rows ?? 0;
    if (rows === 0) return untested('the list is empty');
    const fields = (['id', 'name', 'date'] as const).filter(
      (each) => declarations.selector(subject, each) !== undefined,
    );
    const findings: Finding[] = [];
    for (const field of fields) {
      const { values, unconverted, firstGaps, firstUnconverted } = list.folds[field];
      const expected = `${field} at ${quoteSelector(subject, declarations.selector(subject, field))}`;
      const declared = declarations.converter(subject, field) !== undefined;
      if (unconverted > 0 && values === 0 && !declared && findings.length === 0) {
        return inconclusive(
          `no ${expected} could be converted (${firstUnconverted[0]?.message}): set its converter with \`as\``,
        );
      }
      if (values === 0 && field !== 'date' && fields.every((each) => list.folds[each].values === 0)) {
        return failedByProfile(list, 'names-missing', expected, `missing in all ${rows} rows`);
      }
      const locations = [...(declarations.required(subject, field) ? firstGaps : []), ...firstUnconverted];
      if (declared || values > 0 || findings.length === 0)
        findings.push(...findingsAt(list, `${expected}, in every row`, locations));
    }
    if (findings.length > 0) return failed(findings, 'profile');
    return passed({ exchanges: 1, rows, distinct: Math.max(...fields.map((each) => list.folds[each].distinct)) });
  },
});

const CATALOGUES = 'POST /data-access/v1/Catalogues';

export const cataloguesKnown = defineRule({
  id: 'B.catalogues-list-known',
  statement: 'B.metadata',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'Catalogues lists the example catalogues of the profile.',
  how: 'The operation is requested with each example id, and its list must contain that id.',
  subjects: [CATALOGUES],
  needs: () => ['catalogueIdExamples', 'catalogues.request', 'catalogues.rows', 'catalogues.fields.id'],
  repeat: 'inconclusive',
  probe: (_subject, declarations) =>
    Object.fromEntries(
      declarations
        .examples('catalogueId')
        .slice(0, 3)
        .map((id, at) => [
          `list${at}`,
          step({
            operation: CATALOGUES,
            inputs: { catalogueId: { value: id } },
            accepts: 'content',
            folds: { items: ITEMS },
          }),
        ]),
    ),
  counterexample: ({ list0 }) => ({ list0: editAll(list0, { id: 'another' }) }),
  judge(seen) {
    const readings = Object.values(seen).flat();
    const missing = readings.filter(({ folds, inputs: { catalogueId = '' } }) =>
      folds.items.rows.every(({ id }) => normaliseId(String(id)) !== normaliseId(catalogueId)),
    );
    if (readings.every((reading) => reading.observation?.rows === 0)) return untested('no catalogue is listed');
    if (missing.length === 0)
      return passed({ exchanges: readings.length, rows: readings.length, distinct: readings.length });
    return failed(
      missing.map((reading) => ({
        kind: 'not-listed',
        expected: `catalogue ${reading.inputs.catalogueId} is listed`,
        actual: `missing from the ${reading.observation?.rows} listed catalogues`,
        exchange: reading.exchange,
      })),
    );
  },
});

export const notEmpty = defineRule({
  id: 'B.metadata-not-empty',
  statement: 'B.metadata',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'The example catalogue of the profile has metadata of each kind.',
  how: 'The list must have a row, with an id or name where the profile reads one. Advisory: an empty list is legal.',
  subjects: all,
  needs: (subject) => [openingOf(subject, 'request'), openingOf(subject, 'rows')],
  repeat: 'inconclusive',
  probe: (subject) => ({
    list: step({
      operation: subject,
      inputs: requiredInputs(subject),
      accepts: 'content',
      folds: { id: tally('id'), name: tally('name') },
    }),
  }),
  counterexample: ({ list }) => ({ list: emptied(list) }),
  judge(seen, { subject, declarations }) {
    const list = onlyReading(seen.list);
    const rows = list.observation?.rows ?? 0;
    if (rows === 0)
      return failed([
        { kind: 'empty', expected: 'at least one row', actual: 'an empty list', exchange: list.exchange },
      ]);
    const isRead = (['id', 'name'] as const).some((field) =>
      declarations.isFilled(openingOf(subject, `fields.${field}`)),
    );
    // Rows without a value are no metadata.
    if (isRead && list.folds.id.values + list.folds.name.values === 0)
      return inconclusive(`none of ${rows} rows contains the id or name that the profile reads`);
    return passed({ exchanges: 1, rows });
  },
});
