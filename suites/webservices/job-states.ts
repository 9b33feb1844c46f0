/** The states of jobs that a profile declares: which there are, and in which order (section 3). */
import { decide, editAll, findingIn, type Reading } from '../../src/rule/index.ts';
import { type ReadState, requestsOf, requestsUntilFinal, statesOf } from '../../src/rule/job-end.ts';
import { jobKindOf } from '../../src/rule/job-status.ts';
import { editStates, evidenceOfJobs, jobRule, quotedState } from './job-rule.ts';

/** The states of the requests of `requestsUntilFinal`. */
const statesIn = (seen: { readonly [name: string]: readonly Reading[] }): readonly ReadState[] =>
  statesOf(requestsOf((name) => seen[name] ?? []));

const evidenceOfStates = (found: readonly ReadState[]) =>
  evidenceOfJobs(found.length, new Set(found.map(({ state }) => state)).size);

export const stateListed = jobRule({
  id: 'A.state-listed',
  demands: 'The state of a job is one of those that the profile lists in jobs.KIND.states.',
  how: [
    'The status of a started or example job is requested up to three times, and until a final state where the profile lists some.',
    'Each state must be in the list, as the service writes it.',
    'One state that is not listed is enough: a received status is not repeated.',
  ],
  looksLike: [
    'A service that adds a state in a later version is legal; its profile then lists the state, and nothing else changes.',
    'A service that answers 200 and NOT FOUND for a job that is not known yet is legal, too; its profile calls that a refusal (`refusal`).',
  ],
  facts: ['jobStates'],
  status: ['request', 'fields.state'],
  probe: requestsUntilFinal,
  counterexample: (seen) => editStates(seen, (name) => name !== 'start', 'no such state'),
  judge(seen, { kind, job: { states = [] } }) {
    const found = statesIn(seen);
    const expected = `one of the states ${states.join(', ')}, which the profile lists in jobs.${kind}.states`;
    const findings = found
      .filter(({ state }) => !states.includes(state))
      .slice(0, 1)
      .map((each) => findingIn(each.reading, 'state-unlisted', expected, quotedState(each)));
    const nothing = 'no status contains a state';
    return decide({ compared: found.length, findings }, { nothing, evidence: evidenceOfStates(found) });
  },
});

export const statesInOrder = jobRule({
  id: 'A.states-in-order',
  demands:
    'A job never returns to an earlier state: the profile promises the order of jobs.KIND.states (statesInOrder).',
  how: [
    'The status of a started or example job is requested up to three times, and until a final state where the profile lists some.',
    'A state that comes before an earlier one in the list is a failure, also if the later state returns.',
    'States may be left out.',
  ],
  looksLike:
    'Replicas that lag behind each other are legal and return an earlier state after a later one; a profile that promises the order of the states excludes them, and without the promise nothing is demanded.',
  facts: ['jobOrder'],
  status: ['request', 'fields.state'],
  probe: requestsUntilFinal,
  counterexample: (seen, { subject, declarations }) => ({
    third: editAll(seen.third, { state: declarations.job(jobKindOf(subject)).states?.[0] ?? '' }),
  }),
  judge(seen, { kind, job: { states = [] } }) {
    const found = statesIn(seen).filter(({ state }) => states.includes(state));
    const pairs = found.slice(1).map((each, at) => [found[at] as ReadState, each] as const);
    const expected = `states in the order ${states.join(', ')}, as the profile promises in jobs.${kind}.statesInOrder`;
    const findings = pairs
      .filter(([before, after]) => states.indexOf(after.state) < states.indexOf(before.state))
      .slice(0, 1)
      .map(([before, after]) => {
        const actual = `${quotedState(after)} after ${JSON.stringify(before.state)}`;
        return findingIn(after.reading, 'state-earlier', expected, actual);
      });
    const nothing = 'fewer than two statuses contain a state of the list';
    return decide({ compared: pairs.length, findings }, { nothing, evidence: evidenceOfStates(found) });
  },
});
