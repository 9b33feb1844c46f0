/** The seed of `--sample-seed auto`, which is printed before anything is sent. */
import { AUTO_SEED, type SamplingValues, samplingOf } from '../commands/sampling-options.ts';
import { notify } from '../terminal/notify.ts';

/**
 * Returns the values with a drawn seed in place of `auto`, and prints it, so that also an aborted run can be repeated.
 * @example withDrawnSeed({ 'sample-seed': 'auto' }, 'run') // { 'sample-seed': 2718281828 }
 */
export function withDrawnSeed<V extends SamplingValues>(values: V, command: string): V {
  if (values['sample-seed'] !== AUTO_SEED) return values;
  const { seed } = samplingOf(values);
  notify(command, `the sample seed is ${seed}: --sample-seed ${seed} repeats these draws`);
  return { ...values, 'sample-seed': seed };
}
