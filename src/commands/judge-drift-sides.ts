/** Judges both sides of a comparison offline, in the same way. */

import type { DriftDifference } from '../recording/drift/classes.ts';
import { compareVerdicts } from '../recording/drift/compare-verdicts.ts';
import type { Run } from '../run/types.ts';
import type { OpenSide } from './drift-sides.ts';
import { judgeTarget } from './judge-target.ts';
import { openReplay, type ReplayValues } from './open-replay.ts';

async function judge({ recording, dir }: OpenSide, values: ReplayValues, strict: boolean): Promise<Run> {
  const replay = await openReplay(recording.name, { ...values, 'recordings-dir': dir });
  try {
    return await judgeTarget({ ...replay, strict });
  } finally {
    await replay.close();
  }
}

/**
 * Returns the differences between the verdicts on the two sides.
 * @param values profile, safety and selection, the same for both
 */
export async function judgeDriftSides(
  olderSide: OpenSide,
  newerSide: OpenSide,
  values: ReplayValues,
  strict: boolean,
): Promise<DriftDifference[]> {
  const [olderRun, newerRun] = [await judge(olderSide, values, strict), await judge(newerSide, values, strict)];
  // A verdict that an interrupted run did not reach is not a difference.
  if (olderRun.manifest.interrupted || newerRun.manifest.interrupted) return [];
  return compareVerdicts(olderRun, newerRun);
}
