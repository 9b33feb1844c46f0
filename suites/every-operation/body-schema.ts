/** Bodies against the schemas a profile states: the document shows none (section 2), so the profile’s word is what counts. */
import { OPERATIONS } from '../../src/contract/index.ts';
import {
  defineRule,
  type Finding,
  failed,
  isBlocking,
  nothingToJudge,
  notRequested,
  passed,
  type Reading,
  type Rule,
  type Step,
  step,
  undecided,
} from '../../src/rule/index.ts';
import { requiredInputs } from '../../src/rule/served-steps.ts';

const MAX_FINDINGS = 10;

const findingsOf = ({ exchange, schema }: Reading): Finding[] =>
  (schema?.breaches ?? []).map(({ at, keyword, expected, actual, stated, schema: name, page }) => ({
    expected: `the body at ${at === '' ? 'its root' : at} ${expected}, as ${name} says for status ${stated} (${keyword})`,
    actual: `${actual}${page ? `, on page ${page}` : ''}`,
    exchange,
  }));

const fitsSchema = defineRule({
  id: 'every.body-schema',
  statement: 'operation.served',
  basis: 'profile',
  since: '0.1.0',
  demands:
    'The body of each answer to a request the profile declares valid fits the schema the profile states for its status.',
  how: 'Every answer that any rule got to a valid request of the operation, all pages of it, is held against the schema stated for its status, its class or default; an answer for whose status none is stated is not judged.',
  subjects: OPERATIONS.map((each) => each.key),
  needs: () => [],
  probe(subject, declares): { [name: string]: Step } {
    if (!declares.statesSchemas(subject)) return {};
    const answers = step({ operation: subject, inputs: requiredInputs(subject), wants: 'any', gathers: true });
    if (!subject.includes('{upc}')) return { answers };
    // What an unknown product is answered with has a schema too.
    return {
      answers,
      unknown: step({ operation: subject, inputs: { upc: { value: declares.unknownUpc } }, wants: 'any' }),
    };
  },
  counterexample: ({ answers = [] }) => ({
    answers: answers.map((each) => ({
      ...each,
      ...(each.schema && {
        schema: {
          ...each.schema,
          breaches: [
            { at: '/x', keyword: 'type', expected: 'must be string', actual: '1', schema: 'it', stated: '200' },
          ],
        },
      }),
    })),
  }),
  judge(seen, { subject, declares }) {
    const answers = seen.answers ?? [];
    if (answers.length === 0)
      return nothingToJudge(
        'no request was sent that the profile declares valid, so the schemas it states were not tried',
      );
    const findings = answers.flatMap(findingsOf);
    if (findings.length > 0) return failed(findings.slice(0, MAX_FINDINGS));
    const unchecked = answers.find(({ schema }) => schema?.unchecked !== undefined);
    if (unchecked) return undecided(`${unchecked.exchange}: ${unchecked.schema?.unchecked}`);
    const judged = answers.filter(({ schema }) => (schema?.answers ?? 0) > 0);
    if (judged.length === 0) return whyNone(answers, (status) => isBlocking(status, declares.statuses(subject)));
    const rows = judged.reduce((sum, { schema }) => sum + (schema?.looked ?? 0), 0);
    return passed({ exchanges: judged.length, rows, distinct: judged.length });
  },
});

/** Nothing came with a status that a schema is stated for. */
function whyNone(answers: readonly Reading[], isInTheWay: (status: number) => boolean) {
  const statuses = [...new Set(answers.flatMap(({ head }) => head?.status ?? []))];
  if (statuses.length === 0) return undecided(`no answer: ${answers[0]?.failure ?? 'nothing came'}`);
  const [blocking] = statuses.filter(isInTheWay);
  if (blocking !== undefined) return undecided(`${blocking} stands in the way`);
  return notRequested(`the profile states no schema for what came: ${statuses.join(', ')}`);
}

export const bodySchemas: readonly Rule[] = [fitsSchema];
