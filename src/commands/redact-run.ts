/** Hiding secrets in a run. */
import { mapTexts } from '../exchange/map-texts.ts';
import type { Run } from '../run/types.ts';
import { redactor } from '../secrets/redact.ts';

/** Members of a run whose values are words of closed sets: a secret that equals one of them is not hidden there. */
const RUN_WORDS: ReadonlySet<string> = new Set([
  ...['outcome', 'outcomeInScope', 'rule', 'operation', 'statement', 'section', 'basis', 'verdict', 'openings'],
  ...['safety', 'groups', 'opening', 'rules', 'startedAt', 'id', 'exchange', 'operations', 'state', 'was', 'is'],
  ...['since', 'ruleSet', 'depth', 'profileHash', 'firstFailedOn', 'flakySince'],
]);

/** Dates, which `runSchema` demands. */
const SNAPSHOT_WORDS: ReadonlySet<string> = new Set(['date', 'asOf']);

/**
 * Returns a copy of a run without secrets. Call it before the run is formatted: a format escapes characters that secrets
 * may contain.
 */
export function redactRun(run: Run, secrets: readonly string[]): Run {
  const redact = redactor(secrets);
  const redacted = mapTexts(run, redact, RUN_WORDS);
  // The ids in a snapshot are texts of the service; those elsewhere are ours.
  return run.snapshot ? { ...redacted, snapshot: mapTexts(run.snapshot, redact, SNAPSHOT_WORDS) } : redacted;
}
