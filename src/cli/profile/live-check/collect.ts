/** Collects responses for `mdwi profile check --base-url`: harmless requests that use each binding at least once. */
import { JOB_KINDS, JOB_STATUS, OPERATIONS } from '../../../contract/index.ts';
import { collectCatalogue } from './collect-catalogue.ts';
import { collectPerformance, collectProducts } from './collect-lists.ts';
import { type Collector, createCollector } from './collector.ts';
import type { Receiver } from './receive.ts';

/** The jobs and lists of group A that can be read without starting anything. */
async function collectServices(collector: Collector): Promise<void> {
  const { jobs = {}, examples = {}, operations = {} } = collector.profile.data;
  for (const { key, safety, group } of OPERATIONS) {
    if (group !== 'A' || safety !== 'read') continue;
    const kind = JOB_KINDS.find((each) => JOB_STATUS[each] === key);
    const example = kind && jobs[kind]?.example;
    const own = operations[key]?.examples?.jobId?.[0];
    const jobId = own ?? example ?? examples.jobId?.[0];
    const general = example === undefined ? ['examples', 'jobId', 0] : ['jobs', kind as string, 'example'];
    const path = own === undefined ? general : ['operations', key, 'examples', 'jobId', 0];
    await collector.send(key, jobId === undefined ? {} : { jobId }, jobId === undefined ? {} : { source: path });
  }
}

/**
 * Sends the requests, each once: products, performance, catalogues, group A. The order matters where the limit of requests
 * ends the collection.
 */
export async function collectResponses(receiver: Receiver): Promise<Collector> {
  const collector = createCollector(receiver);
  await collectProducts(collector);
  await collectPerformance(collector);
  await collectCatalogue(collector);
  await collectServices(collector);
  return collector;
}
