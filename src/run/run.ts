/** One run: selects units, executes them against a source, judges them, and returns the result. */

import { declarationsOf } from '../rule/declarations.ts';
import { Engine } from './engine.ts';
import type { UnitVerdict } from './judge-unit.ts';
import { type RunOptions, summariseRun } from './summarise-run.ts';
import type { Run, Unit } from './types.ts';
import { type DecidedUnit, prepareRun } from './units.ts';

/** Runs the selected rules against a source. Never rejects for an error of the service. */
export async function performRun(options: RunOptions): Promise<Run> {
  const { profile, selection } = options;
  const startedAt = Date.now();
  const declarations = declarationsOf(profile, selection.sampling);
  const { units, decided, ready, besides } =
    options.prepared ?? prepareRun(options.rules, selection, profile, declarations);
  const verdicts = new Map<Unit, UnitVerdict | DecidedUnit>(decided);
  const drawn = (options.waivers ?? []).flatMap(({ inputs = [] }) => inputs);
  const engine = new Engine({ ...options, declarations, drawn });
  for (const [unit, judged] of await engine.execute([...ready, ...besides])) verdicts.set(unit, judged);
  return summariseRun({
    options,
    units,
    verdicts,
    startedAt,
    exchanges: engine.exchanges,
    snapshot: engine.snapshot,
    draws: engine.draws,
    detail: (id) => engine.detail(id),
    requests: await engine.sentRequests(),
    outages: await engine.outages(),
    waits: engine.waits,
    sourcesOf: (unit) => engine.sourcesOf(unit),
  });
}
