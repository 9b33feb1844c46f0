/** What the console report shows of earlier runs: the difference to one of them, and what they show together. */
import { dateText } from '../../format-values.ts';
import type { Run } from '../../run/types.ts';
import { comparisonText } from '../comparison-text.ts';
import { indented, type Line, type Paint } from './lines.ts';

/** The difference to the baseline. */
export const comparisonLines = ({ comparison }: Run, isVerbose: boolean): Line[] =>
  comparison === undefined ? [] : comparisonText(comparison, { verbose: isVerbose }).map(indented);

/** What earlier runs show: observations that give no verdict, and checks whose verdict changes from run to run. */
export function historyLines({ history }: Run, paint: Paint): Line[] {
  const flaky = (history?.checks ?? []).filter(({ flakySince }) => flakySince !== undefined);
  return [
    ...(history?.notes ?? []).map((text) => ({ head: '  ', text })),
    ...flaky.map(({ rule, operation, flakySince }) => ({
      head: `  ${paint('inconclusive', '?')} `,
      text: `${rule} on ${operation}: flaky since ${dateText(flakySince ?? '')}`,
    })),
  ];
}
