/** Learns group B from recorded requests: an id that a request contains is one that the list above has (section 4.2). */
import { CATALOGUE_GRAPH, CATALOGUES, operationsOf } from '../../contract/index.ts';
import type { Learner } from '../learner.ts';
import { keep } from './catalogue.ts';

/** The requests of an operation that are read: lists below different items differ. */
const MAX_REQUESTS = 8;

export async function learnRecordedCatalogue(learner: Learner): Promise<void> {
  for (const key of operationsOf('B')) {
    const recorded = learner.asker.recorded.get(key);
    for (const inputs of recorded?.inputs.slice(0, MAX_REQUESTS) ?? []) {
      await keep(learner, key, recorded?.request ?? {}, inputs);
      if (inputs.catalogueId !== undefined) learner.structure.accept(CATALOGUES, inputs.catalogueId);
      for (const { child, parent, as } of CATALOGUE_GRAPH) {
        const id = inputs[as];
        if (child === key && id !== undefined) learner.structure.accept(parent, id);
      }
    }
  }
}
