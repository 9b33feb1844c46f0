/** Determines which POST starts which kind of job: by links of the description, or by names (section 2 names the kinds). */
import { JOB_KINDS, JOB_STATUS, type JobKind, type OperationKey } from '../../contract/index.ts';
import { isPlainObject, objectAt, pointAt, textAt } from '../plain-object.ts';
import { type Description, deref } from './description.ts';
import { addUndecided, type DraftNotes, note } from './draft-notes.ts';
import type { DescribedOperation } from './operations.ts';

/** Start operations named like a kind of job. */
const START_BY_NAME: Readonly<Partial<Record<JobKind, OperationKey>>> = {
  drive: 'POST /webservices/drive',
  fileEnhancement: 'POST /webservices/fileenhancement',
  location: 'POST /webservices/importLocation',
  mapExport: 'POST /webservices/mapExport',
  variablePull: 'POST /webservices/pullVariable',
  report: 'POST /webservices/executeReport',
};

/** The target operation of a response link. */
function* linkedFrom(
  description: Description,
  { node }: DescribedOperation,
  found: readonly DescribedOperation[],
): Generator<OperationKey> {
  for (const response of Object.values(objectAt(node, 'responses'))) {
    for (const each of Object.values(objectAt(deref(description, response).node, 'links'))) {
      const link = deref(description, each).node;
      const id = textAt(link, 'operationId');
      const reference = textAt(link, 'operationRef');
      const target = reference?.startsWith('#') ? pointAt(description.root, reference.slice(1)) : undefined;
      const hit = found.find(
        (one) =>
          (id !== undefined && textAt(one.node, 'operationId') === id) ||
          (isPlainObject(target) && one.node === target),
      );
      if (hit) yield hit.key;
    }
  }
}

/**
 * Returns the start operations of jobs, by kind. A start requires both bindings: its response contains the id, the status request
 * sends it.
 *
 * @param bound operations whose response or request contains a job id
 */
export function draftJobs(
  description: Description,
  found: readonly DescribedOperation[],
  bound: ReadonlySet<OperationKey>,
  draftNotes: DraftNotes,
): Partial<Record<JobKind, { start: OperationKey }>> {
  const jobs: Partial<Record<JobKind, { start: OperationKey }>> = {};
  const starts = found.filter((each) => each.key.startsWith('POST /webservices/'));
  for (const kind of JOB_KINDS) {
    const status = JOB_STATUS[kind];
    if (!found.some((each) => each.key === status)) continue;
    const linked = starts.filter((start) => [...linkedFrom(description, start, found)].includes(status));
    const [byLink] = linked;
    const byName = START_BY_NAME[kind];
    const start =
      byLink?.key ?? (byName !== undefined && starts.some((each) => each.key === byName) ? byName : undefined);
    if (start === undefined) {
      addUndecided(draftNotes, ['jobs', kind], 'no link and no name shows which POST starts such a job');
      continue;
    }
    const unbound = [start, status].filter((each) => !bound.has(each));
    if (unbound.length > 0) {
      addUndecided(
        draftNotes,
        ['jobs', kind],
        `${start} may start it, but the job id of ${unbound.join(' and ')} is not bound`,
      );
      continue;
    }
    if (!byLink) {
      addUndecided(
        draftNotes,
        ['jobs', kind],
        `unsure: the names of ${start} and ${status} are similar; if this POST starts such a job, write ${kind}: { start: ${start} }`,
      );
      continue;
    }
    jobs[kind] = { start };
    note(draftNotes, ['jobs', kind], 'stated', `a link from ${start} to ${status}`);
  }
  return jobs;
}
