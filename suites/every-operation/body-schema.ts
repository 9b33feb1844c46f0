/** Validates bodies against the schemas of the profile. The document shows no schema (section 2). */
import { OPERATIONS } from '../../src/contract/index.ts';
import {
  decide,
  defineRule,
  type Finding,
  findingIn,
  inconclusive,
  isBlocking,
  isOk,
  notApplicable,
  openingOf,
  type Reading,
  type Step,
  step,
  untested,
} from '../../src/rule/index.ts';
import { requiredInputs } from '../../src/rule/served-steps.ts';

const findingsOf = (reading: Reading): Finding[] =>
  (reading.schema?.breaches ?? []).map(({ at, keyword, demand, expected, actual, stated, schema, page }) => {
    const of = stated === 'refusal' ? 'a refusal' : `status ${stated}`;
    const demanded = `the body at ${at === '' ? 'its root' : at} ${expected}, as ${schema} states for ${of} (${keyword})`;
    return findingIn(reading, `${stated}-${demand}`, demanded, `${actual}${page ? `, on page ${page}` : ''}`);
  });

/** A breach for the counterexample. */
const WRONG = { at: '/x', keyword: 'type', demand: '#/x/type', expected: 'must be string', actual: '1' };
const BREACH = { ...WRONG, schema: 'it', stated: '200' };

export const bodySchemas = defineRule({
  id: 'every.body-schema',
  statement: 'operation.served',
  since: '0.1.0',
  demands: 'The body of each response to a valid request matches the schema that the profile states for the status.',
  how: [
    'Every response that any rule received to a valid request of the operation, with all its pages, is validated against the schema stated for its status, its status class or default, also the refusal of an unknown id or UPC.',
    'A response whose status has no schema is not judged, nor a status of proxies and limits (401, 403, 407, 413, 429, 502, 503, 504 and the like) that the profile does not name itself.',
  ],
  looksLike:
    'A server behind a proxy that sends HTML pages with errors of its own is legal and looks like this violation; the statuses that proxies send are therefore compared with a schema for exactly this status only.',
  subjects: OPERATIONS.map((each) => each.key),
  promise: 'operations.….response.schemas',
  needs: () => [],
  unjudged: (subject, declarations) =>
    declarations.statesSchemas(subject)
      ? 'the profile states no valid request, so no response is validated'
      : undefined,
  probe(operation, { statesSchemas, isFilled, unknownUpc }): { [name: string]: Step } {
    if (!statesSchemas(operation) || !isFilled(openingOf(operation, 'request'))) return {};
    const valid = { operation, inputs: requiredInputs(operation), accepts: 'any' } as const;
    return {
      responses: step({ ...valid, fromAllRules: true }),
      refused: step({ ...valid, fromAllRules: 'withUnknown' }),
      // The response for an unknown product has a schema, too.
      ...(operation.includes('{upc}') && { unknown: step({ ...valid, inputs: { upc: { value: unknownUpc } } }) }),
    };
  },
  counterexample: ({ responses = [] }) => ({
    responses: responses.map(({ schema, ...each }) => ({
      ...each,
      ...(schema && { schema: { ...schema, breaches: [BREACH] } }),
    })),
  }),
  judge(seen, { subject, declarations }) {
    const responses = seen.responses ?? [];
    if (responses.length === 0)
      return untested('no valid request was sent, so the schemas of the profile were not checked');
    const known = new Set(responses.map(({ exchange }) => exchange));
    // A service may report an error as 200 without a statement of the profile about it.
    const refused = (seen.refused ?? []).filter((each) => !known.has(each.exchange) && !isOk(each));
    const findings = [
      ...responses.flatMap(findingsOf),
      ...refused.flatMap(findingsOf).map((each) => ({ ...each, since: '0.2.0' as const })),
    ];
    const unchecked = responses.find(({ schema }) => schema?.unchecked !== undefined);
    const judged = [...responses, ...refused].filter(
      ({ schema }) => (schema?.responses ?? 0) > 0 && schema?.unchecked === undefined,
    );
    const { length } = judged;
    return decide(
      { findings, doubt: unchecked && `${unchecked.exchange}: ${unchecked.schema?.unchecked}`, compared: length },
      {
        nothing: judgeUnvalidated(responses, (status) => isBlocking(status, declarations.statuses(subject))),
        evidence: { exchanges: length, rows: judged.reduce((sum, { schema }) => sum + (schema?.checked ?? 0), 0) },
      },
    );
  },
});

/** Why no response was validated: none has a status with a schema. */
function judgeUnvalidated(responses: readonly Reading[], isBlockingStatus: (status: number) => boolean) {
  const statuses = [...new Set(responses.flatMap(({ head }) => head?.status ?? []))];
  if (statuses.length === 0) return inconclusive(`no response: ${responses[0]?.failure ?? 'no request was sent'}`);
  const [blocking] = statuses.filter(isBlockingStatus);
  if (blocking !== undefined) return inconclusive(`status ${blocking} prevents a judgement`);
  return notApplicable(`the profile states no schema for status ${statuses.join(', ')}`);
}
