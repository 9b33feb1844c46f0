/** Judging both sides of a comparison offline, alike. */

import { judgeTarget } from '../../run/judge-target.ts';
import type { Run } from '../../run/types.ts';
import { openReplay, type ReplayValues } from '../replay/open-replay.ts';
import type { DriftDifference } from './classes.ts';
import { compareVerdicts } from './compare-verdicts.ts';
import type { OpenSide } from './open-sides.ts';

async function judge({ recording, dir }: OpenSide, values: ReplayValues, strict: boolean): Promise<Run> {
  const replay = await openReplay(recording.name, { ...values, 'recordings-dir': dir });
  try {
    return await judgeTarget({ ...replay, strict });
  } finally {
    await replay.close();
  }
}

/**
 * Differences between what the suites say of the two.
 * @param values profile, safety and selection, the same for both
 */
export async function judgeBoth(
  was: OpenSide,
  is: OpenSide,
  values: ReplayValues,
  strict: boolean,
): Promise<DriftDifference[]> {
  const [before, now] = [await judge(was, values, strict), await judge(is, values, strict)];
  // What an interrupted run leaves undecided is no difference.
  if (before.manifest.interrupted || now.manifest.interrupted) return [];
  return compareVerdicts(before, now);
}
