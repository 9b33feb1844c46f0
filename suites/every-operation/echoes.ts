/** A response repeats the values that were requested. The document shows no response shape (section 2). */
import { echoedInputs, type Input, listOperations } from '../../src/contract/index.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import {
  type Declarations,
  defineRule,
  type EditableReading,
  type Finding,
  failed,
  inconclusive,
  isOk,
  isValue,
  openingOf,
  passed,
  type Reading,
  type Steps,
  step,
  untested,
} from '../../src/rule/index.ts';
import { listRequests } from '../../src/rule/list-requests.ts';

interface Comparison {
  readonly reading: Reading;
  readonly input: Input;
  readonly finding?: Finding;
  /** The value that could not be converted. */
  readonly unread?: string;
}

const isNumber = (text: string): boolean => /^[0-9]+$/.test(text);

/** Whether two texts are one value: names in any case and spacing, numbers with any leading zeros. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [normaliseName(one), normaliseName(other)];
  return first === second || (isNumber(first) && isNumber(second) && BigInt(first) === BigInt(second));
}

function compareEchoes(reading: Reading, declarations: Declarations): Comparison[] {
  const { operation, inputs, observation, exchange } = reading;
  return declarations.echoes(operation).flatMap((input) => {
    const requested = inputs[input];
    if (requested === undefined) return [];
    const spellings = declarations.echoSpellings(operation, input, requested);
    const isEcho = (value: unknown) => spellings.some((each) => isSame(each, String(value)));
    return (observation?.pageMetadata ?? []).flatMap(({ echoes }): Comparison[] => {
      const found = echoes[input] ?? [];
      const values = found.filter(({ value }) => isValue(value));
      const unread = found.find(({ value }) => !isValue(value) && value !== null && value !== undefined);
      if (values.length === 0) return unread ? [{ reading, input, unread: `the ${input} that is repeated` }] : [];
      const others = values.filter(({ value }) => !isEcho(value));
      // Of several values that are read once per response, such as all filters, one is this input.
      const [other] = values.every(({ row }) => row === undefined) && others.length < values.length ? [] : others;
      if (!other) return [{ reading, input }];
      return [
        {
          reading,
          input,
          finding: {
            kind: `other-${input}`,
            expected: `a response for ${input} ${JSON.stringify(requested)}, as requested`,
            actual: `it is for ${input} ${JSON.stringify(other.value)}`,
            exchange,
            ...(other.row !== undefined && { row: other.row }),
          },
        },
      ];
    });
  });
}

/** Replaces the values that a reading repeats. */
const withOtherEchoes = (reading: EditableReading): EditableReading => ({
  ...reading,
  ...(reading.observation?.pageMetadata && {
    observation: {
      ...reading.observation,
      pageMetadata: reading.observation.pageMetadata.map((page) => ({
        ...page,
        echoes: Object.fromEntries(Object.keys(page.echoes).map((input) => [input, [{ value: 'Another' }]])),
      })),
    },
  }),
});

export const echoes = defineRule<Steps>({
  id: 'every.echoes',
  statement: 'operation.served',
  basis: 'profile',
  since: '0.2.0',
  demands: 'A value of the request that the response repeats is the requested one.',
  how: 'In every response that any rule received to a valid request, each value of `response.echoes` is compared with the requested one: as it is, as `request.spellings` or the spellings of the echo write it; names in any case and spacing. Requests without the value, and responses that do not repeat it, are not judged.',
  looksLike:
    'A server that repeats a value in another notation, such as P4W for 4 weeks or the name for an id, is legal; `spellings` of the echo tell it apart. A server that limits page, size or range is legal, too: these are never compared.',
  subjects: listOperations().filter((key) => echoedInputs(key).length > 0),
  needs: (subject) => [openingOf(subject, 'echoes'), openingOf(subject, 'request')],
  repeat: 'inconclusive',
  probe: (subject, declarations) =>
    declarations.echoes(subject).length === 0
      ? {}
      : { ...listRequests(subject), all: step({ operation: subject, accepts: 'any', fromAllRules: 'lists' }) },
  counterexample: ({ all = [] }) => ({ all: all.map(withOtherEchoes) }),
  judge(seen, { declarations }) {
    const readings = (seen.all ?? []).filter((each) => isOk(each) && !each.observation?.problem);
    const compared = readings.flatMap((each) => compareEchoes(each, declarations));
    const findings = compared.flatMap(({ finding }) => finding ?? []);
    if (findings.length > 0) return failed(findings);
    const decided = compared.filter(({ unread }) => unread === undefined);
    const unread = compared.find((each) => each.unread !== undefined)?.unread;
    if (decided.length === 0)
      return unread === undefined
        ? untested('no response repeats a requested value where the profile reads it')
        : inconclusive(`${unread} cannot be converted: set its converter with \`as\`, or \`match\``);
    return passed({
      exchanges: new Set(decided.map(({ reading }) => reading)).size,
      rows: decided.length,
      distinct: new Set(decided.map(({ reading, input }) => `${input} ${reading.inputs[input]}`)).size,
    });
  },
});
