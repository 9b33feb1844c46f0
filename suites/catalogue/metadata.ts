/** The catalogues that are listed, what they contain, and unknown ids: sections 1, 2 and 4.2. */
import {
  CATALOGUES,
  chainTo,
  type Input,
  type OperationKey,
  operationOf,
  operationsOf,
  REFRESH_DATES,
} from '../../src/contract/index.ts';
import { CatalogueLists, describeResponses } from '../../src/rule/catalogue-responses.ts';
import { ITEMS, nodeStepOf, nodeSteps, normaliseId } from '../../src/rule/catalogue-walk.ts';
import { comparedRows, countContent, differenceOfRows } from '../../src/rule/compare-rows.ts';
import { REFRESH_LIST, refreshDatesIn, weekEndBy } from '../../src/rule/data-weeks.ts';
import { seededHash } from '../../src/rule/draws.ts';
import {
  type Declarations,
  decide,
  defineRule,
  editAll,
  emptied,
  type Finding,
  findingIn,
  type JudgeContext,
  listNeeds,
  needsOf,
  onlyIf,
  relationRule,
  type Seen,
  type Steps,
  step,
  type Tally,
  tally,
  untested,
} from '../../src/rule/index.ts';
import { canRequestIn, exampleRequest } from '../../src/rule/list-requests.ts';
import { requiredInputs } from '../../src/rule/served.ts';
import { stableRule } from '../../src/rule/stable-rule.ts';
import { unknownValueRule } from '../../src/rule/unknown-value-rule.ts';

export const cataloguesKnown = defineRule({
  id: 'B.catalogues-list-known',
  statement: 'B.metadata',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'Catalogues lists the example catalogues of the profile.',
  how: 'The operation is requested with each example id, and its list must contain that id.',
  subjects: [CATALOGUES],
  needs: (subject) => ['catalogueIdExamples', ...listNeeds(subject, 'id')],
  repeat: 'inconclusive',
  probe(operation, declarations) {
    const list = { operation, accepts: 'content', folds: { items: ITEMS } } as const;
    const ids = declarations.examples('catalogueId').slice(0, 3);
    return Object.fromEntries(
      ids.map((value, at) => [`list${at}`, step({ ...list, inputs: { catalogueId: { value } } })]),
    );
  },
  counterexample: ({ list0 }) => ({ list0: editAll(list0, { id: 'another' }) }),
  judge(seen) {
    const lists = Object.values(seen).flat();
    const findings = lists
      .filter(({ folds, inputs: { catalogueId = '' } }) =>
        folds.items.rows.every(({ id }) => normaliseId(String(id)) !== normaliseId(catalogueId)),
      )
      .map((list) => {
        const actual = `missing from the ${list.observation?.rows} listed catalogues`;
        return findingIn(list, 'not-listed', `catalogue ${list.inputs.catalogueId} is listed`, actual);
      });
    if (lists.every(({ observation }) => observation?.rows === 0)) return untested('no catalogue is listed');
    const { length } = lists;
    return decide({ compared: length, findings }, { nothing: '', evidence: { exchanges: length, rows: length } });
  },
});

/** The example catalogues in which every list of an operation was read and is empty. */
function withoutMetadata(seen: Seen<Steps>, { subject, declarations }: JudgeContext): readonly Finding[] {
  const lists = new CatalogueLists(Object.values(seen).flat(), declarations);
  const examples = new Set(declarations.examples('catalogueId').map(String));
  const responses = describeResponses(seen[nodeStepOf(subject)] ?? [], declarations);
  return [...Map.groupBy(responses, ({ catalogue }) => catalogue)].flatMap(
    ([catalogue, [first, ...more]]): Finding[] => {
      const known = chainTo(subject).length === 0 ? 1 : lists.listedInputs(catalogue, subject)?.length;
      const isComplete = first && known !== undefined && more.length + 1 >= known;
      if (!isComplete || !examples.has(catalogue) || [first, ...more].some(({ content }) => content !== 'empty'))
        return [];
      const expected = `at least one row in the lists of catalogue ${catalogue}`;
      const actual = known === 1 ? 'an empty list' : `${known} empty lists`;
      return [findingIn(first.reading, 'empty', expected, actual, { since: '0.2.0' })];
    },
  );
}

export const notEmpty = defineRule<Steps>({
  id: 'B.metadata-not-empty',
  statement: 'B.metadata',
  basis: 'plausible',
  since: '0.1.0',
  demands: 'The example catalogues of the profile have metadata of each kind.',
  how: [
    'The list for the example ids must have a row, with an id or name where the profile reads one.',
    'If the walk through an example catalogue reads all lists of the operation, one of them must have a row.',
    'Advisory: an empty list is legal.',
  ],
  subjects: operationsOf('B'),
  needs: (subject) => listNeeds(subject),
  repeat: 'inconclusive',
  probe(operation, declarations) {
    const nodes = nodeSteps(operation, declarations);
    const isOptional = Object.keys(nodes).length > 0 && ({ optional: true } as const);
    const folds = { id: tally('id'), name: tally('name') };
    return {
      list: step({ operation, inputs: requiredInputs(operation), accepts: 'content', ...isOptional, folds }),
      ...nodes,
    };
  },
  counterexample: (seen, { subject }) => ({
    ...(seen.list?.length && { list: emptied(seen.list) }),
    [nodeStepOf(subject)]: emptied(seen[nodeStepOf(subject)] ?? []),
  }),
  judge(seen, context) {
    const { subject, declarations } = context;
    const { list: lists = [], [nodeStepOf(subject)]: nodes = [] } = seen;
    const empty = lists.filter(({ observation }) => (observation?.rows ?? 0) === 0);
    const findings =
      empty.length > 0
        ? empty.map((each) => findingIn(each, 'empty', 'at least one row', 'an empty list'))
        : withoutMetadata(seen, context);
    const isRead = ['fields.id', 'fields.name'].some((each) => declarations.binds(subject, each));
    // Rows without a value are no metadata.
    const nameless = lists.find(({ folds }) => (folds.id as Tally).values + (folds.name as Tally).values === 0);
    const judged = [...lists, ...nodes].filter(({ observation }) => !!observation?.rows);
    const doubt =
      isRead && nameless
        ? `none of ${nameless.observation?.rows} rows contains the id or name that the profile reads`
        : undefined;
    return decide(
      { of: lists.length > 0 ? lists : judged, compared: judged.length, findings, doubt },
      { nothing: 'no list was read', evidence: { distinct: 0 } },
    );
  },
});

/** The converters of dates that cannot contain a time, which in another time zone is of the next day or the one before. */
const WITHOUT_TIME: ReadonlySet<string | undefined> = new Set(['compact', 'us', 'european', 'monthName']);
/** The day since 1970-01-01, a Thursday, that has a weekday; Sunday is 0. */
const dayOf = (weekday: number): number => weekday + 3;
const describe = (day: number): string => new Date(day * 86_400_000).toUTCString().slice(0, 16);

/** The days between a refresh date and the nearest one that the profile states. */
function daysOff(date: number, { dataWeek }: Declarations): number {
  const lastDay = date - (dataWeek?.refreshDelay ?? 0);
  const later = lastDay - weekEndBy(lastDay, dataWeek?.endsOn ?? 0);
  return Math.min(later, 7 - later);
}

const isWeek = ({ converter }: Declarations): boolean => converter(REFRESH_DATES, 'date') === 'isoWeek';

export const refreshDay = relationRule({
  id: 'B.refresh-day',
  statement: 'B.metadata',
  demands:
    'The refresh date that the profile names is the last day of a data week, or the day of the reload so many days after it, as the profile states in dataWeek.refreshDateIs.',
  how: [
    'The weekday of the refresh date of the first example catalogue is compared with dataWeek.endsOn and the number of days of refreshDateIs.',
    'Where the date may be written with a time, a difference of one day proves nothing.',
  ],
  looksLike: [
    'A server that writes the time of the reload in UTC is legal, and its date may be the next day; a server that is reloaded on changing weekdays is legal, too, and its profile does not state refreshDateIs.',
  ],
  subjects: [REFRESH_DATES],
  promise: 'dataWeek.refreshDateIs',
  promises: ['dataWeek', ...listNeeds(REFRESH_DATES, 'date')],
  repeat: 'inconclusive',
  isStated: ({ dataWeek }) => dataWeek?.refreshDelay !== undefined,
  unjudged: (_subject, declarations) =>
    isWeek(declarations) ? 'the refresh date is a week, which names no day' : undefined,
  sides: { refresh: onlyIf((declarations) => !isWeek(declarations), REFRESH_LIST) },
  counterexample: ({ refresh }, { declarations: { dataWeek } }) => ({
    refresh: editAll(refresh, { date: dayOf(dataWeek?.endsOn ?? 0) + (dataWeek?.refreshDelay ?? 0) + 3 }),
  }),
  compare({ refresh }, { declarations }) {
    const dates = refresh ? refreshDatesIn(refresh, declarations) : [];
    const off = Math.max(...dates.map((date) => daysOff(date, declarations)));
    if (off === 1 && !WITHOUT_TIME.has(declarations.converter(REFRESH_DATES, 'date')))
      return untested('the refresh date is a day off, which a time in another time zone explains');
    const { endsOn = 0, refreshDelay = 0 } = declarations.dataWeek ?? {};
    const weekday = describe(dayOf(endsOn) + refreshDelay).slice(0, 3);
    const expected = `a ${weekday}, ${refreshDelay} days after the last day of a data week (dataWeek.endsOn and refreshDateIs of the profile)`;
    const findings = dates.flatMap((date) =>
      refresh && daysOff(date, declarations) > 0
        ? [findingIn(refresh, 'other-weekday', expected, `the refresh date ${describe(date)}`)]
        : [],
    );
    const evidence = { exchanges: 1, rows: dates.length, distinct: new Set(dates).size };
    return decide(
      { compared: dates.length, findings },
      { nothing: 'RefreshDates lists no date that the profile names', evidence },
    );
  },
});

/** The requests in the first two example catalogues of which the profile or a list has ids, by the name of the catalogue. */
function catalogueRequests(subject: OperationKey, declarations: Declarations) {
  const known = [0, 1].filter((nth) => canRequestIn(subject, declarations, nth));
  return (known.length > 0 ? known : [0]).map((nth) => ({
    name: nth === 0 ? 'first catalogue' : 'second catalogue',
    ...exampleRequest(subject, declarations, nth),
  }));
}

export const metadataStable = stableRule({
  id: 'B.metadata-stable',
  statement: 'B.catalogue-id',
  demands: 'The operation returns the same metadata of a catalogue when it is requested again.',
  subjects: operationsOf('B'),
  needs: (subject) => needsOf(subject, 'request', 'inputs.catalogueId', 'rows', ['fields.id', 'fields.name']),
  lists: (subject, declarations) =>
    Object.fromEntries(
      catalogueRequests(subject, declarations).map(({ name, request }) => [
        name,
        step({ ...request, accepts: 'complete', folds: comparedRows(['id', 'name', 'date']) }),
      ]),
    ),
  sources: (subject, declarations) =>
    Object.assign({}, ...catalogueRequests(subject, declarations).map(({ walk }) => walk)),
  areDistinct: (subject, declarations) => declarations.distinguishesCatalogues(subject),
  compare: differenceOfRows,
  size: countContent,
});

/** The ids of a request: the catalogue or the last id first, by hash, then the others. */
function judgedInputs(subject: OperationKey, declarations: Declarations): readonly Input[] {
  const sent = operationOf(subject).inputs.filter((input) => declarations.binds(subject, `inputs.${input}`));
  const [catalogue, ...ids] = sent;
  const last = ids.pop();
  const ends = [catalogue, last].filter((each) => each !== undefined);
  const isReversed = seededHash(subject, declarations.seed) % 2 === 1;
  return [...(isReversed ? ends.toReversed() : ends), ...ids];
}

export const unknownId = unknownValueRule({
  id: 'B.unknown-id',
  statement: 'B.metadata',
  demands:
    'A request with an id that no list contains gets a status that the profile states in the statuses.unknown of the operation itself.',
  how: [
    'In a request that gets rows with listed ids, one id is replaced by one of the same form that no list contains: at `standard` the id of the catalogue or the last id, at `thorough` each.',
    'The rule fails if two such ids get rows, or an error that the profile does not state, or, where each id of the request was replaced, empty lists.',
    'A refusal of the format and an overload prove nothing, nor does an empty list of Catalogues.',
    'Where the profile reads no rows, a 2xx counts as an empty list.',
  ],
  looksLike:
    'A server that knows more ids than it lists, such as those of catalogues for other clients, is legal and looks like this violation; two ids of a random form that both get rows tell them apart. Without `statuses.unknown` of the operation itself nothing is sent.',
  subjects: operationsOf('B'),
  needs: (subject) => needsOf(subject, 'request'),
  inputs: judgedInputs,
  draw: 'unknownValues',
  isEmptyWrong: (subject) => subject !== CATALOGUES,
  requests(subject, declarations) {
    const { walk, request } = exampleRequest(subject, declarations);
    return {
      lists: { ...walk, ...nodeSteps(subject, declarations) },
      listed: step({ ...request, folds: { items: ITEMS } }),
    };
  },
});
