/** `mdwi run`: judges a live server, a recording, or the built-in simulator. */

import { judgeTarget } from '../api/judge-target.ts';
import type { ServiceNames } from '../api/open-replay.ts';
import { openTarget, withServiceNames } from '../api/open-target.ts';
import { SELECTION_FLAGS } from '../api/selection.ts';
import type { Run } from '../run/types.ts';
import { secretValuesOf } from '../secrets/declared-secrets.ts';
import type { ReceivedCredential } from '../secrets/received.ts';
import type { Command } from './command-type.ts';
import { parse } from './parse-flags.ts';
import { REPORT_FLAGS, reportingOf } from './report-options.ts';

const FLAGS = {
  ...SELECTION_FLAGS,
  recordings: { type: 'string' },
  'recordings-dir': { type: 'string' },
  ...REPORT_FLAGS,
  secret: { type: 'string', multiple: true },
} as const;

export const run: Command = {
  run: (args) => judgeAndReport(args),
};

/** How a service is told of that is judged by way of a gateway. */
export interface ReportedAs extends ServiceNames {
  readonly command: string;
  readonly name: string;
  /** Receives each credential that comes from the service. */
  readonly onCredential: (credential: ReceivedCredential) => void;
}

/** What `mdwi run` does with its arguments; gives back the exit code. */
export async function judgeAndReport(args: string[], toldAs?: ReportedAs): Promise<number> {
  const { values } = parse(args, FLAGS);
  const reporting = await reportingOf(values, toldAs?.command ?? 'run');
  const target = await openTarget(values);
  const { profile } = target;
  const received: ReceivedCredential[] = [];
  let result: Run;
  try {
    const judged = await judgeTarget({
      ...target,
      ...reporting.scope,
      ...(toldAs && { name: toldAs.name }),
      onCredential(credential) {
        received.push(credential);
        toldAs?.onCredential(credential);
      },
    });
    const names = toldAs ?? target.serviceNames;
    result = names ? withServiceNames(judged, names) : judged;
  } finally {
    await target.close?.();
  }
  // Of a service that never answered there is nothing to report but that.
  const silent =
    result.manifest.interrupted === undefined &&
    result.exchanges.length > 0 &&
    result.exchanges.every((each) => each.status === undefined && !each.notRecorded);
  return reporting.tell(result, secretValuesOf(profile, values.secret, received), silent);
}
