/** The ids of a request other than the catalogue decide which metadata is returned: sections 2 and 4.2. */
import { CATALOGUE_GRAPH, chainTo, type Input, SHARE_PROMPTS } from '../../src/contract/index.ts';
import {
  CatalogueLists,
  type CatalogueResponse,
  describeResponses,
  haveSameItems,
} from '../../src/rule/catalogue-responses.ts';
import { itemsOf, walkSteps } from '../../src/rule/catalogue-walk.ts';
import {
  copyResponse,
  decide,
  defineRule,
  findingIn,
  type JudgeContext,
  listNeeds,
  notApplicable,
  type Reading,
  type Steps,
} from '../../src/rule/index.ts';
import { requestsFor } from './catalogue-decides.ts';

/** A response, and the key of those that differ from it in stated ids only. */
interface Comparable {
  readonly response: CatalogueResponse;
  readonly key: string;
}

/** Groups responses by the ids on which the profile does not state that the response depends. */
function comparableBy(
  readings: readonly Reading[],
  { subject, declarations }: JudgeContext,
): readonly (readonly Comparable[])[] {
  const stated = declarations.distinguishedInputs(subject);
  const comparable = describeResponses(readings, declarations)
    // Rows without a name are equal for every id.
    .filter(({ content, reading }) => content === 'items' && itemsOf(reading).some(({ id, name }) => id ?? name))
    .map((response): Comparable => {
      const { inputs } = response.reading;
      const others = (Object.keys(inputs) as Input[]).filter(
        (input) => !stated.includes(input) && declarations.binds(subject, `inputs.${input}`),
      );
      return { response, key: JSON.stringify(others.map((input) => [input, String(inputs[input])]).sort()) };
    });
  return [...Map.groupBy(comparable, ({ key }) => key).values()];
}

/** The stated ids in which two requests differ. */
const differsIn = (one: Reading, other: Reading, { subject, declarations }: JudgeContext): Input[] =>
  declarations
    .distinguishedInputs(subject)
    .filter((input) => String(one.inputs[input]) !== String(other.inputs[input]));

/** The responses that have the same rows as one before them, and the ids that differ. */
function equalResponses(group: readonly Comparable[], context: JudgeContext) {
  const byItems = Map.groupBy(group, ({ response }) => response.items);
  return [...byItems.values()].flatMap(([first, ...more]) =>
    more.flatMap(({ response: other }) => {
      const one = (first as Comparable).response;
      const inputs = differsIn(one.reading, other.reading, context);
      if (inputs.length === 0 || haveSameItems(one, other, context.declarations) !== true) return [];
      // Levels of two hierarchies may both have the total as their only value.
      return inputs.length > 1 && other.rows === 1 ? [] : [{ one, other, inputs }];
    }),
  );
}

export const itemDecides = defineRule<Steps>({
  id: 'B.item-decides',
  statement: 'B.metadata',
  demands:
    'The operation returns the metadata of the dimension, attribute, group, hierarchy, level or measure that the request names.',
  how: [
    'The tree of a catalogue is walked.',
    'The rule compares the responses of the operation to requests that differ only in ids of which the profile states under `catalogue.distinguishes` that no two values get equal responses.',
    'It fails if both have the same rows.',
    'Empty lists are not compared, nor are lists of one row to requests that differ in several ids, such as a hierarchy and its level.',
  ],
  looksLike: [
    'A server with two hierarchies that have the same levels is legal and looks like this violation; only the statement of the profile tells them apart, so nothing is compared without it.',
    'Levels of two hierarchies whose only value is the same total are legal, too.',
  ],
  subjects: [...CATALOGUE_GRAPH.map(({ child }) => child), SHARE_PROMPTS],
  needs: (subject) => [
    'distinguishes',
    ...(subject === SHARE_PROMPTS ? (['measureExamples'] as const) : []),
    ...listNeeds(subject, ['id', 'name']),
  ],
  repeat: 'inconclusive',
  isStated: ({ distinguishedInputs }, subject) => distinguishedInputs(subject).length > 0,
  probe(subject, declarations): Steps {
    if (subject !== SHARE_PROMPTS) return walkSteps(subject, declarations);
    // No operation lists measures: those of the profile in the first example catalogue are compared.
    const { first, second } = requestsFor(subject, 'measure', { accepts: 'response' });
    return { first, [subject]: second };
  },
  counterexample(seen, context) {
    const { subject } = context;
    const readings = [...(seen.first ?? []), ...(seen[subject] ?? [])];
    const stated = context.declarations.distinguishedInputs(subject);
    for (const one of readings)
      for (const other of readings) {
        const names = Object.keys({ ...one.inputs, ...other.inputs }) as Input[];
        const [input, ...more] = names.filter((name) => String(one.inputs[name]) !== String(other.inputs[name]));
        if (input === undefined || more.length > 0 || !stated.includes(input)) continue;
        if (one.rows.length === 0 || other.rows.length === 0 || !seen[subject]?.includes(other)) continue;
        return {
          [subject]: seen[subject].map((each) => (each === other ? (copyResponse([each], [one])[0] ?? each) : each)),
        };
      }
    return {};
  },
  judge(seen, context) {
    const { subject, declarations } = context;
    const inputs = declarations.distinguishedInputs(subject);
    if (inputs.length === 0) return notApplicable('the profile does not state what the responses depend on');
    const groups = comparableBy([...(seen.first ?? []), ...(seen[subject] ?? [])], context);
    const findings = groups
      .flatMap((group) => equalResponses(group, context))
      .map(({ one, other, inputs: differing }) => {
        const ids = ({ reading }: CatalogueResponse) =>
          differing.map((input) => `${input} ${reading.inputs[input]}`).join(', ');
        const expected = `different rows for ${ids(other)} and ${ids(one)}`;
        return findingIn(other.reading, `same-rows-by-${differing[0]}`, expected, `the same ${other.rows} rows`);
      });
    const responses = groups
      .filter(([one, ...more]) =>
        more.some(({ response }) => one && differsIn(one.response.reading, response.reading, context).length > 0),
      )
      .flatMap((group) => group.map(({ response }) => response));
    const parent = chainTo(subject).at(-1)?.parent;
    const looked = responses.length;
    const lists = new CatalogueLists(Object.values(seen).flat(), declarations);
    const known = parent && { known: Math.max(looked, lists.count(parent)) };
    const measures = parent ? '' : '; set two values under examples.measure';
    return decide(
      { of: responses.map(({ reading }) => reading), compared: looked, findings },
      {
        nothing: `no two requests that differ only in ${inputs.join(' or ')} got rows${measures}`,
        evidence: { coverage: [{ of: 'catalogue nodes', looked, ...known }] },
      },
    );
  },
});
