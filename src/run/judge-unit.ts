/** From the readings of a unit's steps to its judgement. */
import { type Declarations, isBlocking, type Judgement, type Reading, type Step, type Steps } from '../rule/index.ts';
import type { Unit } from './types.ts';

/** The judgement of a unit, or our own failure to judge it. */
export type UnitVerdict = Judgement | { readonly verdict: 'error'; readonly because: string };

/** Why a reading cannot serve a step, or undefined when it can. */
function whyUnusable(reading: Reading, step: Step, { statuses }: Declarations): string | undefined {
  if (reading.notRecorded) return reading.failure ?? 'not recorded';
  if (step.wants === 'any') return undefined;
  if (!reading.head) return reading.failure ?? 'no answer';
  const { status } = reading.head;
  const stated = statuses(reading.operation);
  if (isBlocking(status, stated)) return `${status} stands in the way`;
  if (step.wants === 'answer') return reading.failure;
  // A list asked for by a name may be refused as not found when it is empty.
  if (step.each && (status === 404 || status === 204 || stated.unknown?.includes(status))) return undefined;
  if (status < 200 || status > 299) return `answered ${status}`;
  if (reading.failure) return reading.failure;
  const { observation } = reading;
  if (!observation) return 'the answer was not read';
  if (observation.problem) return observation.problem.message;
  return step.wants === 'whole' && !observation.complete
    ? 'the list was not read to its end (does the profile declare its paging?)'
    : undefined;
}

/** What others asked is gathered as far as it was recorded: a request added since does not undo an old recording. */
const gathered = (readings: readonly Reading[]): readonly Reading[] => {
  const there = readings.filter((reading) => !reading.notRecorded);
  return there.length > 0 ? there : readings;
};

/** Judges what the steps saw; steps that could not be used leave the unit undecided, whatever its judge would say. */
export function judgeUnit(
  { rule, subject }: Unit,
  steps: Steps,
  readingsOf: (name: string) => readonly Reading[],
  declares: Declarations,
): UnitVerdict {
  const seen: Record<string, readonly Reading[]> = {};
  let doubt: { readonly verdict: 'inconclusive' | 'untested'; readonly because: string } | undefined;
  for (const [name, step] of Object.entries(steps)) {
    const readings = step.gathers ? gathered(readingsOf(name)) : readingsOf(name);
    const usable = readings.filter((reading) => whyUnusable(reading, step, declares) === undefined);
    const others = readings.filter((reading) => whyUnusable(reading, step, declares) !== undefined);
    const unusable = others.find((reading) => !reading.notRecorded) ?? others[0];
    if (unusable) {
      const because = `${unusable.exchange} ${unusable.operation}: ${whyUnusable(unusable, step, declares)}`;
      // Of several instances the usable ones are judged all the same: what they break is broken.
      const verdict = unusable.notRecorded ? 'untested' : 'inconclusive';
      if (!step.each || usable.length === 0) return { verdict, because };
      if (doubt?.verdict !== 'inconclusive') doubt = { verdict, because };
    }
    if (step.each && readings.length === 0)
      return (
        doubt ?? {
          verdict: 'untested',
          because: `nothing to ask ${step.operation} with: the list it draws from has no usable row`,
        }
      );
    seen[name] = usable;
  }
  try {
    const judged = rule.judge(seen, { subject: subject.key, declares });
    if (judged.verdict === 'pass' && !judged.evidence.exchanges && !judged.evidence.rows) {
      return { verdict: 'error', because: 'the rule passed without evidence' };
    }
    return doubt && judged.verdict !== 'fail' ? doubt : judged;
  } catch (error) {
    return { verdict: 'error', because: `the rule broke: ${(error as Error).message}` };
  }
}
