/** A response repeats the values that were requested. The document shows no response shape (section 2). */
import { echoedInputs, listOperations } from '../../src/contract/index.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import { type Declarations, findingIn, isValue, needsOf, type Reading } from '../../src/rule/index.ts';
import { type ListComparison, listsRule, withPages } from '../../src/rule/lists-rule.ts';

const isNumber = (text: string): boolean => /^[0-9]+$/.test(text);

/** Whether two texts are one value: names in any case and spacing, numbers with any leading zeros. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [normaliseName(one), normaliseName(other)];
  return first === second || (isNumber(first) && isNumber(second) && BigInt(first) === BigInt(second));
}

function compareEchoes(reading: Reading, declarations: Declarations): ListComparison[] {
  const { operation, inputs, notSent, sentCodes, observation } = reading;
  return declarations.echoes(operation).flatMap((input) => {
    const requested = inputs[input];
    if (requested === undefined || notSent?.includes(input)) return [];
    const spellings = [
      ...declarations.echoSpellings(operation, input, requested),
      ...[sentCodes?.[input] ?? []].flat().map(String),
    ];
    const about = `${input} ${requested}`;
    const isEcho = (value: unknown) => spellings.some((each) => isSame(each, String(value)));
    return (observation?.pageMetadata ?? []).flatMap(({ echoes }): ListComparison[] => {
      const found = echoes[input] ?? [];
      const values = found.filter(({ value }) => isValue(value));
      const unread = found.find(({ value }) => !isValue(value) && value !== null && value !== undefined);
      if (values.length === 0) {
        const why = `the ${input} that is repeated cannot be converted: set its converter with \`as\`, or \`match\``;
        return unread ? [{ reading, rows: 0, unread: why }] : [];
      }
      const others = values.filter(({ value }) => !isEcho(value));
      // Of several values that are read once per response, such as all filters, one is this input.
      const [other] = values.every(({ row }) => row === undefined) && others.length < values.length ? [] : others;
      if (!other) return [{ reading, rows: 1, about }];
      const finding = findingIn(
        reading,
        `other-${input}`,
        `a response for ${input} ${JSON.stringify(requested)}, as requested`,
        `it is for ${input} ${JSON.stringify(other.value)}`,
        other.row === undefined ? {} : { row: other.row },
      );
      return [{ reading, rows: 1, about, findings: [finding] }];
    });
  });
}

export const echoes = listsRule({
  id: 'every.echoes',
  demands: 'A value of the request that the response repeats is the requested one.',
  how: 'In every response that any rule received to a valid request, each value of `response.echoes` is compared with the requested one: as it is, as `request.spellings` or the spellings of the echo write it; names in any case and spacing. Requests without the value, and responses that do not repeat it, are not judged.',
  looksLike:
    'A server that repeats a value in another notation, such as P4W for 4 weeks or the name for an id, is legal; `spellings` of the echo tell it apart. A server that limits page, size or range is legal, too: these are never compared.',
  subjects: listOperations().filter((key) => echoedInputs(key).length > 0),
  needs: (subject) => needsOf(subject, 'echoes', 'request'),
  repeat: 'inconclusive',
  isBound: (subject, declarations) => declarations.echoes(subject).length > 0,
  compare: (lists, { declarations }) => lists.flatMap((each) => compareEchoes(each, declarations)),
  nothing: 'no response repeats a requested value where the profile reads it',
  counterexample: withPages((page) => ({
    ...page,
    echoes: Object.fromEntries(Object.keys(page.echoes).map((input) => [input, [{ value: 'Another' }]])),
  })),
});
