/** Learns group D: metadata and the performance of categories and brands (section 4.4). */
import {
  type OperationKey,
  PERFORMANCE_METADATA,
  PERFORMANCE_OPERATIONS,
  SALES_FILTERS,
} from '../../contract/index.ts';
import type { Learner } from '../learner.ts';
import { learnFilter, learnPages } from './products.ts';

/** Sends the bare requests. */
export async function beginPerformance(learner: Learner): Promise<void> {
  for (const key of [PERFORMANCE_METADATA, ...PERFORMANCE_OPERATIONS] as OperationKey[]) await learner.begin(key);
}

/** Finds the pages and the filters of the lists. */
export async function learnPerformance(learner: Learner): Promise<void> {
  await learnPages(learner, PERFORMANCE_METADATA, false);
  for (const key of PERFORMANCE_OPERATIONS) {
    await learnPages(learner, key, true);
    learner.bind(key);
    const missing: string[] = [];
    for (const input of SALES_FILTERS) if (!(await learnFilter(learner, key, input))) missing.push(input);
    // A list may have fewer filters; one that is ignored would be a defect.
    if (missing.length > 0)
      learner.open.push({
        path: ['operations', key, 'request'],
        why: `no parameter filters the rows by ${missing.join(', ')}`,
      });
  }
}
