/**
 * Compares the responses of repeated calls. A reload (section 8), a replica that lags, a cache or a delisting explains
 * most differences, which are inconclusive. A difference that none of them explains is a failure.
 */
import { type Evidence, type Finding, failed, type Judgement, passed, type Reading, untested } from './index.ts';

/** One of several equal requests, and its response. */
export interface Call<R extends Reading = Reading> {
  readonly reading: R;
  /** What is requested; equal for equal requests, whatever content coding they accept. */
  readonly subject: string;
  /** 1 for the first request of the subject. */
  readonly nth: number;
  /** A number or digest, equal for equal contents, of different subjects, too. */
  readonly content: number | string;
  /** Whether the response contains what is requested: a product, rows. */
  readonly isFound: boolean;
  /** The as-of date of the response; undefined if it has none or several. */
  readonly asOf: number | undefined;
}

export interface CallTexts<R extends Reading = Reading> {
  /** Describes the difference of two responses with different contents. */
  readonly difference: (one: R, other: R) => string | undefined;
  /** The kind of a finding about a subject that differs within one data week. */
  readonly kind: (subject: string) => string;
  readonly expected: string;
  /** Why nothing is compared if no response contains what is requested. */
  readonly nothing: string;
  /** The profile states that the contents of different subjects differ. */
  readonly areDistinct?: boolean;
  /** What one response contains if that is exactly the part of another one that a filter selects. */
  readonly filteredPart?: ((whole: R, part: R) => string | undefined) | undefined;
  /** The content may have members that change with each response. */
  readonly isOpaque?: boolean | undefined;
  /** A reload changes the content of few subjects: a cache that lags for one coding does not explain that all of them differ. */
  readonly isRarelyReloaded?: boolean | undefined;
}

/** The number of subjects that must all depend on the call, or on the content coding, before that is a failure. */
const MIN_SUBJECTS = 6;

/** The greatest chance with which replicas may imitate one such pattern: all patterns together remain below 1 : 1 000 000. */
const MAX_CHANCE = 5e-8;

/**
 * The greatest probability with which each of some calls gets one replica and each of some others another one, if the
 * replica of a call is random: that of the shares that fit best.
 */
function chanceOf(one: number, other: number): number {
  const share = one / (one + other);
  return share ** one * (1 - share) ** other;
}

const ORDINALS = ['1st', '2nd', '3rd'] as const;
const ordinal = (nth: number): string => ORDINALS[nth - 1] ?? `${nth}th`;

const listed = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join() : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;

const contentsOf = (calls: readonly Call[]): ReadonlySet<Call['content']> =>
  new Set(calls.map(({ content }) => content));

/** The most frequent content, the earliest of equally frequent ones. */
const usualContent = (calls: readonly Call[]): Call['content'] | undefined =>
  [...Map.groupBy(calls, ({ content }) => content)].toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0];

/** Which calls differ from the others. @example 'the 2nd (Accept-Encoding: gzip) of 3 calls differs from the others' */
export function describePattern(calls: readonly Call[]): string {
  if (contentsOf(calls).size === calls.length && calls.length > 2) return `each of ${calls.length} calls differs`;
  const usual = usualContent(calls);
  const different = calls.filter(({ content }) => content !== usual);
  const names = different.map(
    ({ nth, reading: { acceptEncoding: coding } }) => ordinal(nth) + (coding ? ` (Accept-Encoding: ${coding})` : ''),
  );
  return `the ${listed(names)} of ${calls.length} calls ${different.length > 1 ? 'differ' : 'differs'} from the others`;
}

type Pair<R extends Reading> = readonly [Call<R>, Call<R>];

/** Two calls of a subject with different contents and one as-of date: no reload and no replica explains them. */
function pairOfSameDataWeek<R extends Reading>(calls: readonly Call<R>[]): Pair<R> | undefined {
  for (const [at, other] of calls.entries()) {
    const one = calls
      .slice(0, at)
      .find(({ asOf, content }) => asOf !== undefined && asOf === other.asOf && content !== other.content);
    if (one) return [one, other];
  }
  return undefined;
}

/** How often consecutive calls of a run change from one side of a test to the other: a single period changes it twice. */
const alternations = (calls: readonly Call[], test: (call: Call) => boolean): number =>
  calls.filter((call, at) => at > 0 && test(call) !== test(calls[at - 1] as Call)).length;

/** Whether any call finds the subject. A subject that no call finds neither follows a pattern nor contradicts one. */
const isEverFound = (of: readonly Call[]): boolean => of.some(({ isFound }) => isFound);

/**
 * Whether all subjects depend on a property of the call, such as its number: one content with it, another without. No
 * reload does that if calls with and without it alternate, and no replica does it for so many subjects.
 */
function dependsOn(subjects: readonly (readonly Call[])[], calls: readonly Call[], test: (call: Call) => boolean) {
  const found = subjects.filter(isEverFound);
  const both = found.filter((of) => of.some(test) && !of.every(test));
  if (both.length < MIN_SUBJECTS || alternations(calls, test) < 4) return false;
  const ofBoth = both.flat();
  const having = ofBoth.filter(test).length;
  if (chanceOf(having, ofBoth.length - having) > MAX_CHANCE) return false;
  return found.every((of) => {
    const [having, lacking] = [of.filter(test), of.filter((call) => !test(call))];
    const [one, other] = [contentsOf(having), contentsOf(lacking)];
    return one.size <= 1 && other.size <= 1 && (one.size + other.size < 2 || [...one][0] !== [...other][0]);
  });
}

/**
 * Two subjects that both got the same two contents. If the contents of subjects differ at any one time, each got that of
 * the other: a reload would have to exchange them.
 */
function confusedSubjects<R extends Reading>(subjects: readonly (readonly Call<R>[])[]): (readonly Call<R>[])[] {
  const found = subjects.map((of) => ({ of, contents: contentsOf(of.filter(({ isFound }) => isFound)) }));
  for (const [at, one] of found.entries()) {
    const other = found
      .slice(0, at)
      .find(({ contents }) => [...contents].filter((content) => one.contents.has(content)).length > 1);
    if (other) return [other.of, one.of];
  }
  return [];
}

/** Judges calls in the order of their requests. The rule set 0.1.0 knew the first two calls of one data week only. */
export function judgeCalls<R extends Reading>(
  calls: readonly Call<R>[],
  texts: CallTexts<R>,
  evidence: Evidence,
): Judgement {
  if (calls.every(({ isFound }) => !isFound)) return untested(texts.nothing);
  const repeated = [...Map.groupBy(calls, ({ subject }) => subject).values()].filter(({ length }) => length > 1);
  if (repeated.length === 0) return untested('no request got two responses that can be compared');
  const differing = repeated.filter((of) => contentsOf(of).size > 1);
  if (differing.length === 0) return passed(evidence);
  const isVolatile = repeated.every((of) => of.length > 2 && contentsOf(of).size === of.length);
  if (texts.isOpaque && isVolatile)
    return untested(
      'all responses differ from one another: a part of them changes each time, so they cannot be compared',
    );
  const describe = (of: readonly Call<R>[], [one, other]: Pair<R>): string =>
    `${texts.difference(one.reading, other.reading) ?? ''} (${of[0]?.subject}: ${describePattern(of)})`;
  const usualPair = (of: readonly Call<R>[]): Pair<R> => {
    const usual = usualContent(of);
    return [true, false].map((isUsual) => of.find(({ content }) => (content === usual) === isUsual)) as never;
  };
  const findingOf = (of: readonly Call<R>[], kind: string, expected: string, pair = usualPair(of)): Finding => ({
    kind,
    expected,
    actual: describe(of, pair),
    exchange: pair[1].reading.exchange,
    since: '0.2.0',
  });
  const ofSameDataWeek = differing.flatMap((of): Finding[] => {
    const pair = pairOfSameDataWeek(of);
    if (!pair) return [];
    const { since, ...finding } = findingOf(of, texts.kind(pair[0].subject), texts.expected, pair);
    return [{ ...finding, ...(pair[1].nth > 2 && since && { since }) }];
  });
  if (ofSameDataWeek.length > 0) return failed(ofSameDataWeek);
  // No reload removes all rows but those of a filter.
  const filtered = differing.flatMap((of) => {
    const [found] = of.flatMap((whole) =>
      of.flatMap((part) => {
        const name = part.content === whole.content ? undefined : texts.filteredPart?.(whole.reading, part.reading);
        return name === undefined ? [] : [{ name, pair: [whole, part] as const }];
      }),
    );
    return found
      ? [findingOf(of, 'filtered-without-a-filter', `the whole list, not only ${found.name}`, found.pair)]
      : [];
  });
  if (filtered.length > 0) return failed(filtered);
  const failedAll = (of: readonly (readonly Call<R>[])[], kind: string, expected: string) =>
    failed(of.map((each) => findingOf(each, kind, expected)));
  const confused = texts.areDistinct ? confusedSubjects(differing) : [];
  if (confused.length > 0)
    return failedAll(confused, 'content-of-another-request', 'the content of the requested subject');
  const numbers = [...new Set(calls.map(({ nth }) => nth))];
  const doAllDependOn = (test: (call: Call) => boolean) => dependsOn(repeated, calls, test);
  // A cache may answer the first call with an older copy, and all later ones with the new content.
  const byNumber = numbers.filter((nth) => nth > 1).map((nth) => (call: Call) => call.nth === nth);
  if ([...byNumber, ({ nth }: Call) => nth % 2 === 0].some(doAllDependOn))
    return failedAll(differing, 'changed-by-call', 'content that does not depend on the number of the call');
  const isForgotten =
    numbers.some((last) => doAllDependOn(({ nth }) => nth > last)) &&
    repeated.filter(isEverFound).every((of) => of[0]?.isFound && !of.at(-1)?.isFound);
  if (isForgotten) return failedAll(differing, 'forgotten', 'a response with content, however often it is requested');
  const codings = texts.isRarelyReloaded ? [...new Set(calls.map(({ reading }) => reading.acceptEncoding))] : [];
  if (codings.some((coding) => doAllDependOn(({ reading }) => reading.acceptEncoding === coding)))
    return failedAll(differing, 'changed-by-coding', 'content that does not depend on the accepted content coding');
  const [first = []] = differing;
  return {
    verdict: 'inconclusive',
    because: `${describe(first, usualPair(first))}; ${whyUndecided(differing)}`,
    since: '0.2.0',
  };
}

/** Why a difference is no failure. */
function whyUndecided(differing: readonly (readonly Call[])[]): string {
  const haveDates = differing.every((of) => of.every(({ asOf }) => asOf !== undefined));
  if (haveDates) return 'the data week or its as-of date changed between two readings that differ';
  return `${differing.length} of the requests differ, and no as-of date in the responses excludes a reload or a replica that lags`;
}
