/** What a profile promises about the responses to the starts of jobs: their ids and their Location (sections 2 and 4.1). */
import { JOB_STATUS, type OperationKey } from '../../src/contract/index.ts';
import {
  copyResponse,
  type Declarations,
  defineRule,
  describeResponse,
  type EditableReading,
  failed,
  isOk,
  passed,
  type Reading,
  type Seen,
  type Step,
  type Steps,
  untested,
} from '../../src/rule/index.ts';
import { furtherStarts, jobIds, jobKindOf, otherJobNumbers } from '../../src/rule/job-status.ts';

/** The steps of all starts of a kind. Observed traffic needs the first one only. */
const startSteps = (subject: OperationKey, declarations: Declarations): Steps =>
  Object.fromEntries(
    Object.entries(furtherStarts(subject, declarations)).map(([name, step]) => [
      name,
      name === 'start' ? step : { ...step, optional: true },
    ]),
  );

const NO_ID = 'no start of this kind binds response.fields.jobId';

/** The steps with the starts of all rules. */
const ALL = 'all: ';

/** The accepted starts, in their order. */
const acceptedStarts = (seen: Seen<Steps>): Reading[] =>
  ['start', 'one', ...otherJobNumbers(seen).map((at) => `other${at}`)].flatMap((name) => seen[name] ?? []).filter(isOk);

export const jobIdsDistinct = defineRule<Steps>({
  id: 'A.job-ids-distinct',
  statement: 'A.job-status',
  basis: 'profile',
  since: '0.2.0',
  demands: 'Each accepted start of a job returns an id of its own: the profile promises it (jobs.KIND.distinctIds).',
  how: 'The POST that starts a job is sent several times, and each further POST that the profile lists for the kind at least once. Two accepted starts of the run with one id are a failure. A start that is refused, or whose response contains no id, proves nothing.',
  looksLike:
    'A service that returns the running job for equal requests is legal; a profile that promises an id for each start excludes it, and without the promise nothing is demanded.',
  subjects: Object.values(JOB_STATUS),
  needs: (subject) => [`job.${jobKindOf(subject)}`, `jobIds.${jobKindOf(subject)}`],
  unjudged: () => NO_ID,
  probe(subject, declarations) {
    const steps = startSteps(subject, declarations);
    const starts = Object.values(steps).filter(({ each, variant }) => !each && !variant);
    const ofAllRules = starts.map((start): [string, Step] => [
      ALL + start.operation,
      { ...start, accepts: 'any', repetition: 0, after: [], fromAllRules: true, optional: true },
    ]);
    return { ...steps, ...Object.fromEntries(ofAllRules) };
  },
  counterexample: ({ one, other0 }) => ({ other0: copyResponse(other0, one) }),
  judge(seen, { subject, declarations }) {
    if (declarations.draw('jobPairs') === 0)
      return untested(`no second job is started at depth ${declarations.depth}: use --depth standard`);
    const all = Object.keys(seen).flatMap((name) => (name.startsWith(ALL) ? (seen[name] ?? []).filter(isOk) : []));
    const accepted = new Map([...all, ...acceptedStarts(seen)].map((reading) => [reading.exchange, reading]));
    const started = [...accepted.values()].flatMap((reading) =>
      jobIds(reading)
        .slice(0, 1)
        .map((id) => ({ id, reading })),
    );
    if (started.length < 2) {
      const other = seen.other0?.[0];
      return untested(`fewer than two starts returned an id: ${other ? describeResponse(other) : 'no request'}`);
    }
    const repeated = started.find(({ id }, at) => started.findIndex((each) => each.id === id) < at);
    if (!repeated) return passed({ exchanges: started.length, rows: started.length, distinct: started.length });
    return failed([
      {
        kind: 'same-id',
        expected: `an id of its own for each start, as the profile promises in jobs.${jobKindOf(subject)}.distinctIds`,
        actual: `job ${repeated.id}, which an earlier start returned`,
        exchange: repeated.reading.exchange,
      },
    ]);
  },
});

const locationIn = ({ head }: Pick<Reading, 'head'>): string | undefined =>
  head?.headers.find(([name]) => name.toLowerCase() === 'location')?.[1];

/** The path to which the Location of a response leads, relative to the request; undefined if it is no address. */
function locatedPath({ operation }: Reading, location: string): string | undefined {
  const base = `http://host${operation.slice(operation.indexOf(' ') + 1)}`;
  return URL.canParse(location, base) ? new URL(location, base).pathname.replace(/\/$/, '') : undefined;
}

const withoutLocation = (reading: EditableReading): EditableReading => ({
  ...reading,
  ...(reading.head && {
    head: { ...reading.head, headers: reading.head.headers.filter(([name]) => !/^location$/i.test(name)) },
  }),
});

export const jobLocation = defineRule<Steps>({
  id: 'A.job-location',
  statement: 'A.job-status',
  basis: 'profile',
  since: '0.2.0',
  demands:
    'The Location header of a start is the address of the status of the job: the profile promises it (jobs.KIND.locationIsStatus).',
  how: 'A job is started, also by each further POST that the profile lists for the kind. Each 2xx response must have a Location header whose path ends with that of the status operation. Host, prefix and query are not compared.',
  looksLike:
    'A service behind a gateway names its internal host or prefix in Location, which is legal; only the end of the path, which the document fixes, is compared. A service whose Location is an address of another kind does not promise this.',
  subjects: Object.values(JOB_STATUS),
  needs: (subject) => [`job.${jobKindOf(subject)}`, `jobLocation.${jobKindOf(subject)}`],
  unjudged: () => NO_ID,
  probe: startSteps,
  counterexample: ({ start = [] }) => ({ start: start.map(withoutLocation) }),
  judge(seen, { subject }) {
    const path = subject.slice(subject.indexOf(' ') + 1);
    const started = acceptedStarts(seen);
    if (started.length === 0) return untested('no job was started');
    const wrong = started.find((reading) => {
      const location = locationIn(reading);
      return location === undefined || !locatedPath(reading, location)?.endsWith(path);
    });
    if (!wrong) return passed({ exchanges: started.length, rows: started.length, distinct: started.length });
    const location = locationIn(wrong);
    return failed([
      {
        kind: location === undefined ? 'location-missing' : 'location-elsewhere',
        expected: `a Location header that leads to ${path}, as the profile promises in jobs.${jobKindOf(subject)}.locationIsStatus`,
        actual: location === undefined ? 'no Location header' : `the Location ${JSON.stringify(location)}`,
        exchange: wrong.exchange,
      },
    ]);
  },
});
