/** The refresh date of a catalogue has the weekday that the profile states (sections 2 and 8). */

import { REFRESH_DATES } from '../../src/contract/index.ts';
import { REFRESH_LIST, refreshDatesIn, weekEndBy } from '../../src/rule/data-weeks.ts';
import {
  type Declarations,
  decide,
  editAll,
  findingIn,
  listNeeds,
  onlyIf,
  relationRule,
  untested,
} from '../../src/rule/index.ts';

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

const isStated = ({ dataWeek }: Declarations): boolean => dataWeek?.refreshDelay !== undefined;
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
  unjudged: (_subject, declarations) =>
    isStated(declarations) && isWeek(declarations) ? 'the refresh date is a week, which names no day' : undefined,
  sides: { refresh: onlyIf((declarations) => isStated(declarations) && !isWeek(declarations), REFRESH_LIST) },
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
