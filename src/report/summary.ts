/** The run in one line, for `--summary`. */
import { printable } from '../exchange/printable.ts';
import { counted } from '../format-values.ts';
import type { Run } from '../run/types.ts';
import { countsOf, countsText, retriesText, runDuration } from './describe-run.ts';

/**
 * Outcome, counts, requests, target and exit code of a run in one line, with a final line feed.
 * @example reportToSummary(run) // 'mdwi: conformant (C, read): no failure, 31/31 proved; 14 requests in 2.1 s; https://host; exit code 0\n'
 */
export function reportToSummary(run: Run): string {
  const { proved, provable } = run.fractions;
  const open = provable[1] - provable[0];
  const extent = `${proved[0]}/${proved[1]} proved${open > 0 ? `, ${open} of ${provable[1]} not provable` : ''}`;
  const { requests, target } = run.manifest;
  return `${printable(
    `mdwi: ${run.outcomeInScope}: ${countsText(countsOf(run))}, ${extent}${changesText(run)}; ${requests} requests${retriesText(run)} in ${runDuration(run)}; ${target}; exit code ${run.exitCode}`,
  )}\n`;
}

/** What changed since the baseline, for one line; empty without one. */
export function changesText({ comparison }: Pick<Run, 'comparison'>): string {
  if (!comparison) return '';
  const { baseline, newFailures, fixed, lostProofs } = comparison;
  return `; since ${baseline}: ${counted(newFailures.length, 'new failure')}, ${fixed.length} fixed, ${lostProofs.length} no longer decided`;
}
