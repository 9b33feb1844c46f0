/** What a response states besides its rows: counts, codes and the requested values. The document shows none (section 2). */
import { echoedInputs, isOperationKey, listOperations } from '../../src/contract/index.ts';
import { normaliseName } from '../../src/rule/choose-names.ts';
import { areOfOneAsOf } from '../../src/rule/data-weeks.ts';
import {
  type Declarations,
  findingIn,
  isValue,
  needsOf,
  type PageMetadata,
  type Reading,
} from '../../src/rule/index.ts';
import { type ListComparison, listsRule, statedNumbers, withPages } from '../../src/rule/lists-rule.ts';

const EXPECTED = { page: 'rows of the page', list: 'rows of the list', pages: 'pages of the list' } as const;

/** The pages of a reading, without empty ones after the first: servers differ in what they state behind the end. */
const pagesOf = ({ observation }: Reading) =>
  (observation?.pageMetadata ?? []).filter(({ rows }, at) => at === 0 || rows > 0);

/**
 * Whether a page by number contradicts the total that it states itself, whatever the other pages are: it has more or fewer
 * rows than a list of that length has there.
 */
function contradictsItself(pages: readonly PageMetadata[], index: number, stated: number): boolean {
  const size = pages[0]?.rows ?? 0;
  const isRegular = pages.every(({ rows }, at) => rows === size || (at === pages.length - 1 && rows < size));
  return isRegular && pages[index]?.rows !== Math.max(0, Math.min(size, stated - index * size));
}

/** Whether a list may have this number of pages: an empty one at its end may count, and an empty list may have none. */
function isPossibleNumber({ observation }: Reading, stated: number): boolean {
  const pages = observation?.pageMetadata ?? [];
  const nonempty = pages.filter(({ rows }) => rows > 0).length;
  return stated >= nonempty && stated <= pages.length;
}

/** Whether a page by number contradicts the number of pages that it states itself: it is behind the last, or the last before. */
function contradictsPages(pages: readonly PageMetadata[], index: number, stated: number): boolean {
  const [size, rows] = [pages[0]?.rows ?? 0, pages[index]?.rows ?? 0];
  return rows > 0 && (stated < index + 1 || (stated > index + 1 && rows < size));
}

const CONTRADICTS = { list: contradictsItself, pages: contradictsPages } as const;

function compareCounts(reading: Reading, declarations: Declarations): ListComparison[] {
  const { observation, operation, inputs } = reading;
  const pages = pagesOf(reading);
  const asOfs = pages.map(({ asOf }) => asOf);
  const isSameDataWeek = pages.length === 1 || areOfOneAsOf(asOfs, [operation], declarations);
  return declarations.counts(operation).flatMap((of, at) => {
    // Without its last page, nobody knows how many rows and pages the list has.
    if (isOperationKey(of) || (of !== 'page' && !observation?.complete)) return [];
    return pages.flatMap((page, index): ListComparison[] => {
      const rows = { page: page.rows, pages: pages.length, list: observation?.rows ?? 0 }[of];
      const compared = { reading, rows, about: JSON.stringify(inputs) };
      return statedNumbers(page.counts[at] ?? []).map((stated) => {
        if (stated === rows || (of === 'pages' && isPossibleNumber(reading, stated))) return compared;
        const actual = `it states ${stated}${pages.length > 1 ? ` on page ${index + 1}` : ''}`;
        const isContradiction =
          of !== 'page' && declarations.pagesByNumber(operation) && CONTRADICTS[of](pages, index, stated);
        if (of !== 'page' && !isSameDataWeek && !isContradiction) {
          const what = of === 'pages' ? 'pages' : 'rows';
          return {
            ...compared,
            doubt: `${actual} for ${rows} ${what}, but its pages are not shown to be of one data week`,
          };
        }
        const expected = `the number of ${EXPECTED[of]}, which has ${rows}`;
        return { ...compared, findings: [findingIn(reading, `${of}-count`, expected, actual)] };
      });
    });
  });
}

export const counts = listsRule({
  id: 'every.counts',
  demands: 'A count that the response states equals the number of rows, or of pages, that the profile says it counts.',
  how: [
    'In every response that any rule received to a valid request, each count of `response.counts` is compared with the rows of the page, the rows of all pages of the request, or the number of these pages.',
    'A list that is not read to its end, and an empty page after the last one, are not judged.',
    'A total of several pages fails only if all of them contain the same as-of date, or if a page by number has other rows than its own total leaves for it, or another place than its own number of pages.',
    'A count that is right in another response to the same request is inconclusive.',
  ],
  looksLike: [
    'A server whose data is reloaded between two pages, or whose pages come from two replicas, is legal; the as-of date of the pages tells them apart.',
    'A server whose total counts something else, such as the rows before filtering or an estimate, is legal, too: its profile does not list that total.',
  ],
  isStated: (declarations, subject) => declarations.counts(subject).some((of) => !isOperationKey(of)),
  needs: (subject) => needsOf(subject, 'counts', 'request', 'rows'),
  repeat: 'pass',
  isSteady: true,
  compare: (lists, { declarations }) => lists.flatMap((each) => compareCounts(each, declarations)),
  nothing: 'no response states a count where the profile reads it',
  counterexample: withPages((page) => ({
    ...page,
    counts: page.counts.map((cells) => cells.map((cell) => (typeof cell === 'number' ? cell + 1 : cell))),
  })),
});

type CodeUsage = NonNullable<PageMetadata['codes']>[number];

/** Why a code that the table does not list is no proof; undefined if it is one. */
function doubtOf({ operation }: Reading, page: PageMetadata, codes: CodeUsage, declarations: Declarations) {
  const { from } = codes;
  if (!codes.complete) return `the table of ${from} was not read to its end`;
  if (!from || areOfOneAsOf([page.asOf, codes.asOf], [operation, from], declarations)) return undefined;
  return `the list and the table of ${from} are not shown to be of one data week: bind asOf in both`;
}

function compareCodes(reading: Reading, declarations: Declarations): ListComparison[] {
  return (reading.observation?.pageMetadata ?? []).flatMap((page) =>
    (page.codes ?? []).flatMap((codes): ListComparison[] => {
      const { field, known, unlisted, unread, from } = codes;
      if (unread !== undefined) return [{ reading, rows: 0, doubt: `the table of ${field}: ${unread}` }];
      const expected = `each code at ${field} is listed by ${from ?? '`codes` of the profile'}`;
      const findings = unlisted.map(({ code, row }) =>
        findingIn(
          reading,
          `${field}-unlisted`,
          expected,
          `${JSON.stringify(code)} is not`,
          row === undefined ? {} : { row },
        ),
      );
      const doubt = doubtOf(reading, page, codes, declarations);
      if (findings[0] && doubt !== undefined)
        return [{ reading, rows: known, doubt: `${findings[0].actual} listed, but ${doubt}` }];
      return known + findings.length === 0 ? [] : [{ reading, rows: known, findings }];
    }),
  );
}

export const codesListed = listsRule({
  id: 'every.codes',
  demands: 'Each code of a list has a meaning in the table that the profile names.',
  how: [
    'In every response that any rule received to a valid request, each value of a field with `code` is looked up in its table: as it is, numbers with any leading zeros.',
    'A code that the table of an operation does not list fails only if that table was read to its end and both responses contain one as-of date.',
    'Codes that the table does not use are legal.',
  ],
  looksLike:
    'A server that adds a code in the weekly reload is legal: the list of the new week contains a code that the table of the week before does not; the as-of dates of both tell them apart.',
  needs: (subject) => ['codes', ...needsOf(subject, 'request')],
  repeat: 'pass',
  isStated: ({ codes }, subject) => codes(subject).length > 0,
  compare: (lists, { declarations }) => lists.flatMap((each) => compareCodes(each, declarations)),
  nothing: 'no response contains a code where the profile reads it',
  // A code that no table lists. A table that the profile lists needs no as-of date.
  counterexample: withPages(({ codes = [], ...page }) => ({
    ...page,
    codes: codes.map(({ from: _, ...each }) => ({ ...each, complete: true, unlisted: [{ code: 'another' }] })),
  })),
});

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
  how: [
    'In every response that any rule received to a valid request, each value of `response.echoes` is compared with the requested one: as it is, as `request.spellings` or the spellings of the echo write it; names in any case and spacing.',
    'Requests without the value, and responses that do not repeat it, are not judged.',
  ],
  looksLike: [
    'A server that repeats a value in another notation, such as P4W for 4 weeks or the name for an id, is legal; `spellings` of the echo tell it apart.',
    'A server that limits page, size or range is legal, too: these are never compared.',
  ],
  subjects: listOperations().filter((key) => echoedInputs(key).length > 0),
  needs: (subject) => needsOf(subject, 'echoes', 'request'),
  repeat: 'inconclusive',
  isStated: (declarations, subject) => declarations.echoes(subject).length > 0,
  compare: (lists, { declarations }) => lists.flatMap((each) => compareEchoes(each, declarations)),
  nothing: 'no response repeats a requested value where the profile reads it',
  counterexample: withPages((page) => ({
    ...page,
    echoes: Object.fromEntries(Object.keys(page.echoes).map((input) => [input, [{ value: 'Another' }]])),
  })),
});
