/** The waivers of the console report. */
import { cutText } from '../../exchange/printable.ts';
import { counted } from '../../format-values.ts';
import { isStaleWaiver } from '../../run/apply-waivers.ts';
import type { Run } from '../../run/types.ts';
import type { RunWaiver } from '../../run/waiver-types.ts';
import type { Mark } from '../marks.ts';
import { below, firstOf, type Line, labelled, type Paint, signed } from './lines.ts';

const MOST_COVERED = 8;
const MOST_CHARACTERS = 160;

const markOfWaiver = (waiver: RunWaiver): Mark =>
  isStaleWaiver(waiver) ? 'fail' : waiver.state === 'covers' ? 'waived' : 'not-applicable';

function lifeOf({ expires, daysLeft, intermittent }: RunWaiver): string {
  const left =
    daysLeft === undefined ? '' : daysLeft >= 0 ? `, ${counted(daysLeft, 'day')} left` : `, ${-daysLeft} days ago`;
  return [
    expires === undefined ? 'never expires: add expires' : `expires ${expires}${left}`,
    ...(intermittent ? ['intermittent'] : []),
  ].join(', ');
}

/** What a state means. */
export const STATE_TEXTS: Readonly<Record<RunWaiver['state'], string>> = {
  covers: 'covers',
  'not-asked': 'its checks are not decided in this run',
  expired: 'is expired',
  unknown: 'names no rule or operation of the document',
  gone: 'its checks pass now',
};

function waiverLines(waiver: RunWaiver, paint: Paint): Line[] {
  const { source, rule, operation, reason, owner, state, covers, message } = waiver;
  const mark = markOfWaiver(waiver);
  const life = lifeOf(waiver);
  const checks = covers.map(
    (each) => `${each.rule} on ${each.operation}${each.actual ? `: ${cutText(each.actual, MOST_CHARACTERS)}` : ''}`,
  );
  return [
    signed(
      paint,
      mark,
      `${paint(mark, rule)}${operation ? ` on ${operation}` : ''}${paint('faint', `  (${source}${owner ? `, ${owner}` : ''}${life ? `, ${life}` : ''})`)}`,
    ),
    below(reason),
    state === 'covers' && checks.length > 0
      ? labelled(4, 'covers', firstOf(checks, MOST_COVERED))
      : below(message ?? STATE_TEXTS[state]),
  ];
}

/** Each waiver with its state; those that end the run with their own exit code last. */
export function waiversLines({ waivers = [] }: Run, paint: Paint): Line[] {
  const staleLast = waivers.toSorted((x, y) => Number(isStaleWaiver(x)) - Number(isStaleWaiver(y)));
  return staleLast.flatMap((each) => waiverLines(each, paint));
}
