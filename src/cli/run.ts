/** `mdwi run`: judges a live server, a recording, or the built-in simulator. */

import { judgeTarget, type Target } from '../api/judge-target.ts';
import type { ReplayValues, ServiceNames } from '../api/open-replay.ts';
import { namedTarget, SELECTION_FLAGS, selectionOf } from '../api/selection.ts';
import { loadProfile } from '../profile/load.ts';
import type { Run } from '../run/types.ts';
import { secretValuesOf } from '../secrets/declared-secrets.ts';
import type { ReceivedCredential } from '../secrets/received.ts';
import { UsageError } from '../usage-error.ts';
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
    const from = toldAs ?? target.elsewhere;
    result = from ? retold(judged, from) : judged;
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

type Opened = Pick<Target, 'base' | 'profile' | 'selection' | 'name' | 'wait'> & {
  readonly elsewhere?: ServiceNames;
  readonly close?: () => Promise<void>;
};

/** A run with another origin in the place of the one it was judged at, which nobody can reach any more. */
function retold(judged: Run, { gateway, service, needs }: ServiceNames): Run {
  const run = JSON.parse(JSON.stringify(judged).replaceAll(gateway, service)) as Run;
  if (needs === undefined) return run;
  const told = run.exchanges.map((each) =>
    each.curl ? { ...each, curl: `${each.curl} # while ${needs} runs` } : each,
  );
  return { ...run, exchanges: told };
}

/** What is to be judged: a live server, a recording, or the simulator. */
async function openTarget(values: ReplayValues): Promise<Opened> {
  if (values.recordings !== undefined)
    return (await import('../api/open-replay.ts')).openReplay(values.recordings, values);
  if (values['recordings-dir'] !== undefined) throw new UsageError('--recordings-dir goes with --recordings NAME');
  const base = namedTarget(values, '--base-url URL, --recordings NAME, or --simulator for the built-in simulator');
  const selection = selectionOf(values);
  if (base !== undefined) {
    return { base, profile: await loadProfile(values.profile ?? 'empty'), selection };
  }
  // The simulator speaks the dialect of the profile.
  const name = values.profile ?? 'reference';
  const profile = await loadProfile(name);
  const { startDialectSimulator } = await import('./start-simulator.ts');
  const simulator = await startDialectSimulator(name);
  return { base: simulator.url, profile, selection, close: () => simulator.close() };
}
