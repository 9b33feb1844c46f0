/** The id below the catalogue decides which metadata is returned, where the profile states it: sections 2 and 4.2. */
import type { Input, OperationKey } from '../../src/contract/index.ts';
import { CATALOGUE_GRAPH, chainTo } from '../../src/rule/catalogue-graph.ts';
import { describeResponses, haveSameItems } from '../../src/rule/catalogue-responses.ts';
import { ITEMS, walkSteps } from '../../src/rule/catalogue-walk.ts';
import {
  copyResponse,
  defineRule,
  type Finding,
  failed,
  notApplicable,
  openingOf,
  passed,
  type Reading,
  type Steps,
  step,
  untested,
} from '../../src/rule/index.ts';
import { requiredInputs } from '../../src/rule/served-steps.ts';

const SHARE_PROMPTS = 'POST /data-access/v1/Catalogue/Measure/SharePrompts' satisfies OperationKey;

/** The requests for two example measures of the first example catalogue: no operation lists measures. */
function measureSteps(): Steps {
  const request = (nth: number) =>
    step({
      operation: SHARE_PROMPTS,
      inputs: { ...requiredInputs(SHARE_PROMPTS), measure: { example: 'measure', nth } },
      accepts: 'response',
      folds: { items: ITEMS },
    });
  return { first: request(0), [SHARE_PROMPTS]: request(1) };
}

const differsIn = (one: Reading, other: Reading): Input[] =>
  (Object.keys(one.inputs) as Input[]).filter((input) => String(one.inputs[input]) !== String(other.inputs[input]));

export const itemDecides = defineRule<Steps>({
  id: 'B.item-decides',
  statement: 'B.metadata',
  basis: 'profile',
  since: '0.2.0',
  demands:
    'The operation returns the metadata of the dimension, attribute, group, hierarchy, level or measure that the request names.',
  how: 'The tree of a catalogue is walked. The rule compares the responses of the operation to requests that differ in one id only. It fails if both have the same rows and the profile states under `catalogue.distinguishes` that no two values of this id get equal responses. Empty lists are not compared.',
  looksLike:
    'A server with two hierarchies that have the same levels is legal and looks like this violation; only the statement of the profile tells them apart, so nothing is compared without it.',
  subjects: [...CATALOGUE_GRAPH.map(({ child }) => child), SHARE_PROMPTS],
  needs: (subject) => [
    'distinguishes',
    ...(subject === SHARE_PROMPTS ? (['measureExamples'] as const) : []),
    openingOf(subject, 'request'),
    openingOf(subject, 'rows'),
    [openingOf(subject, 'fields.id'), openingOf(subject, 'fields.name')],
  ],
  repeat: 'inconclusive',
  probe(subject, declarations): Steps {
    if (declarations.distinguishedInputs(subject).length === 0) return {};
    return subject === SHARE_PROMPTS ? measureSteps() : walkSteps(subject, declarations);
  },
  counterexample(seen, { subject, declarations }) {
    const readings = [...(seen.first ?? []), ...(seen[subject] ?? [])];
    const inputs = declarations.distinguishedInputs(subject);
    for (const one of readings)
      for (const other of readings) {
        const [input, ...more] = differsIn(one as unknown as Reading, other as unknown as Reading);
        if (input === undefined || more.length > 0 || !inputs.includes(input) || one.rows.length === 0) continue;
        if (!seen[subject]?.includes(other) || other.rows.length === 0) continue;
        return {
          [subject]: seen[subject].map((each) => (each === other ? (copyResponse([each], [one])[0] ?? each) : each)),
        };
      }
    return {};
  },
  judge(seen, { subject, declarations }) {
    const inputs = declarations.distinguishedInputs(subject);
    if (inputs.length === 0) return notApplicable('the profile does not state what the responses depend on');
    const readings = [...(seen.first ?? []), ...(seen[subject] ?? [])];
    const responses = describeResponses(readings, declarations).filter(({ content }) => content === 'items');
    const compared = responses.flatMap((one, at) =>
      responses.slice(at + 1).flatMap((other) => {
        const [input, ...more] = differsIn(one.reading, other.reading);
        const isSame = haveSameItems(one, other, declarations);
        if (input === undefined || more.length > 0 || !inputs.includes(input) || isSame === undefined) return [];
        return [{ one, other, input, isSame }];
      }),
    );
    const findings = compared
      .filter(({ isSame }) => isSame)
      .map(
        ({ one, other, input }): Finding => ({
          kind: `same-rows-by-${input}`,
          expected: `different rows for ${input} ${other.reading.inputs[input]} and ${input} ${one.reading.inputs[input]}`,
          actual: `the same ${other.rows} rows`,
          exchange: other.reading.exchange,
        }),
      );
    if (findings.length > 0) return failed(findings);
    if (compared.length === 0)
      return untested(
        `no two requests that differ only in ${inputs.join(' or ')} got rows${chainTo(subject).length === 0 ? '; set two values under examples.measure' : ''}`,
      );
    return passed({
      exchanges: responses.length,
      rows: responses.reduce((sum, { rows }) => sum + rows, 0),
      distinct: compared.length,
      coverage: [{ of: 'catalogue nodes', looked: responses.length }],
    });
  },
});
