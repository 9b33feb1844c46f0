/** Finds dates that contradict the role to which the profile binds them. */
import type { DeltaDate, Field, OperationKey } from '../../../contract/index.ts';
import { FIELDS, operationNamed } from '../../../contract/index.ts';
import { counted } from '../../../format-values.ts';
import { isoDate } from '../../../profile/converters/index.ts';
import type { Profile } from '../../../profile/schema.ts';
import { cellsIn, fieldPath, numberIn, readResponses } from './cells.ts';
import type { ReadResponse, Received, Remark } from './types.ts';

const MIN_ROWS = 5;
const WEEK = 7;
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
/** The days beyond the edge of a window that prove nothing, because of data weeks, reloads and time zones. */
const TOLERANCE_DAYS = 13;
const EARLIEST = Date.UTC(1990, 0, 1) / 86_400_000;

/** A date of a row beside the dates of its response. */
interface DatedRow {
  readonly day: number;
  readonly asOf?: number;
  readonly latest: number;
  readonly weeks: number;
}

const asOfIn = (response: ReadResponse): number | undefined => numberIn(response.observation.values.asOf?.[0]);

function datedRows(responses: readonly ReadResponse[], field: Field): DatedRow[] {
  return responses.flatMap((response) => {
    const asOf = asOfIn(response);
    const window = Number(response.inputs.window ?? 52);
    return cellsIn(response, field).flatMap((cell) =>
      typeof cell === 'number'
        ? [
            {
              day: cell,
              ...(asOf !== undefined && { asOf }),
              latest: response.latestDay,
              weeks: window,
            },
          ]
        : [],
    );
  });
}

interface DateCheck {
  /** The share of rows to which it must apply to be reported. */
  readonly minShare: number;
  readonly applies: (row: DatedRow) => boolean;
  /** What the sentence says of these rows. */
  readonly says: string;
}

/** The checks of a field; the first that applies is reported. */
function checksOf(profile: Profile, operation: OperationKey, field: Field): readonly DateCheck[] {
  const meaning = profile.data.dataWeek?.[field as DeltaDate | 'activeOn'] ?? 'day';
  const endsOn = WEEKDAYS.indexOf(profile.data.dataWeek?.endsOn ?? '') + (meaning === 'weekStarting' ? 1 : 0);
  const as = profile.data.operations?.[operation]?.response?.fields?.[field]?.as;
  const after = meaning === 'day' ? 0 : WEEK - 1;
  const isDelta = operation === operationNamed('updateProducts').key;
  const implausible: DateCheck = {
    minShare: 0.5,
    applies: ({ day, latest }) => day < EARLIEST || day > latest + 366,
    says: 'before 1990 or more than a year after the response; the converter may read another unit (seconds, milliseconds) or order of day and month',
  };
  const future: DateCheck = {
    // A list may be ahead of its as-of date in some rows.
    minShare: 0.5,
    applies: ({ day, asOf, latest }) => day > (asOf ?? latest + 1) + after,
    says: 'after the as-of date of the response; bind the date that has this role, or correct asOf or the converter',
  };
  const old: DateCheck = {
    minShare: 0.5,
    applies: ({ day, asOf, latest, weeks }) => day < (asOf ?? latest) - weeks * WEEK - TOLERANCE_DAYS,
    says:
      field === 'activeOn'
        ? 'more than 52 weeks before the as-of date; it may be the date of creation rather than of the last activity'
        : 'before the window of the request; it may be another date than that of the change',
  };
  const now: DateCheck = {
    minShare: 1,
    applies: ({ day, asOf }) => day === asOf,
    says: 'equal to the as-of date of the response; it may be the date of the list rather than of the product',
  };
  // A day of difference may be a time zone, and the newest week may not be complete; an ISO week ends on a Sunday.
  const otherWeekday: DateCheck = {
    minShare: 0.5,
    applies: ({ day }) => as !== 'isoWeek' && ![0, 1, 6].includes((day + 4 + WEEK - endsOn) % WEEK),
    says: `on another weekday than a data week ${meaning === 'weekEnding' ? 'ends' : 'starts'}; correct dataWeek.${field} (day?) or dataWeek.endsOn`,
  };
  const onDay = meaning === 'day' ? now : otherWeekday;
  switch (field) {
    case 'activeOn':
      return [implausible, future, old, onDay];
    case 'changedOn':
      return [implausible, future, ...(isDelta ? [old] : []), onDay];
    case 'firstActiveOn':
      return [implausible, future, onDay];
    case 'date':
      return [implausible];
    default:
      return [];
  }
}

function checkRole(
  profile: Profile,
  operation: OperationKey,
  field: Field,
  responses: readonly ReadResponse[],
): Remark[] {
  const rows = datedRows(responses, field);
  if (rows.length < (field === 'date' ? 1 : MIN_ROWS)) return [];
  for (const { minShare, applies, says } of checksOf(profile, operation, field)) {
    const found = rows.filter(applies).length;
    if (found === 0 || found < rows.length * minShare) continue;
    // The windows of one and four weeks may contain a single data week.
    if (minShare === 1 && rows.every(({ weeks }) => weeks < 13)) continue;
    return [
      {
        kind: 'doubt',
        path: fieldPath(operation, field),
        sentence: `the date is in ${found} of ${counted(rows.length, 'value')} ${says}`,
      },
    ];
  }
  return [];
}

/** An as-of date that is the day of the request: the service may state when it responded. */
function checkAsOf(profile: Profile, operation: OperationKey, responses: readonly ReadResponse[]): Remark[] {
  const dated = responses.flatMap((each) => {
    const asOf = asOfIn(each);
    return asOf === undefined || each.day === undefined ? [] : [{ asOf, day: each.day, latest: each.latestDay }];
  });
  const [first] = dated;
  if (!first) return [];
  const doubt = (sentence: string): Remark[] => [{ kind: 'doubt', path: fieldPath(operation, 'asOf'), sentence }];
  if (dated.every(({ asOf, latest }) => asOf > latest + 1))
    return doubt(`the date is ${isoDate(first.asOf)}, after the response; bind the last day of the data`);
  const isWeekEnd = WEEKDAYS[(first.asOf + 4) % 7] === profile.data.dataWeek?.endsOn;
  if (isWeekEnd || dated.some(({ asOf, day }) => asOf !== day)) return [];
  return doubt(
    `the date is that of the request, ${isoDate(first.asOf)}; if it is the time of the response rather than the last day of the data, bind another member`,
  );
}

/** Dates of one row in an order that their roles exclude in most rows; a product may be listed before it is first sold. */
const ORDER = [
  { earlier: 'firstActiveOn', later: 'activeOn' },
  { earlier: 'firstActiveOn', later: 'changedOn' },
] as const;

function checkOrder(operation: OperationKey, responses: readonly ReadResponse[]): Remark[] {
  const rows = responses.flatMap((each) => each.rows);
  return ORDER.flatMap(({ earlier, later }): Remark[] => {
    const pairs = rows.flatMap((row) => {
      const [x, y] = [numberIn(row[earlier]), numberIn(row[later])];
      return x === undefined || y === undefined ? [] : [{ reversed: x > y + WEEK }];
    });
    const reversed = pairs.filter((each) => each.reversed).length;
    if (pairs.length < MIN_ROWS || reversed < pairs.length / 2) return [];
    return [
      {
        kind: 'doubt',
        path: fieldPath(operation, earlier),
        sentence: `the date is after ${later} in ${reversed} of ${counted(pairs.length, 'row')}; the bindings may be exchanged, or one has another role`,
      },
    ];
  });
}

/** Checks the dates of every operation. */
export function checkDates(profile: Profile, received: readonly Received[]): Remark[] {
  return Object.entries(profile.data.operations ?? {}).flatMap(([key, declared]) => {
    const operation = key as OperationKey;
    const responses = readResponses(received, operation);
    const fields = (Object.keys(declared?.response?.fields ?? {}) as Field[]).filter(
      (field) => FIELDS[field].kind === 'date',
    );
    return [
      ...fields.flatMap((field) =>
        field === 'asOf' ? checkAsOf(profile, operation, responses) : checkRole(profile, operation, field, responses),
      ),
      ...checkOrder(operation, responses),
    ];
  });
}
