/** Finds operations, schemas and statuses of a profile that no response shows. */
import { JOB_KINDS, JOB_STATUS, type OperationKey, operationNamed, operationOf } from '../../../contract/index.ts';
import { exampleValuesOf } from '../../../profile/example-values.ts';
import { isImplemented } from '../../../profile/filled-openings.ts';
import type { Profile } from '../../../profile/schema.ts';
import { statusesOf } from '../../../profile/statuses.ts';
import { requiredInputsOf } from '../../../rule/declarations.ts';
import { isValueRefused } from './check-inputs.ts';
import type { Received, Remark } from './types.ts';

const isSuccess = ({ status, isRefusal }: Received): boolean =>
  status !== undefined && status >= 200 && status <= 299 && !isRefusal;

/** Whether a response was validated against the schema of this key. */
const isExercised = (key: string, received: readonly Received[]): boolean =>
  received.some(({ status, isRefusal }) => {
    if (key === 'refusal') return isRefusal;
    if (status === undefined || isRefusal) return false;
    return key === 'default' ? status >= 400 : key === String(status) || key === `${String(status)[0]}XX`;
  });

function whyNotSent(profile: Profile, operation: OperationKey): string {
  const kind = JOB_KINDS.find((each) => JOB_STATUS[each] === operation);
  const job = kind && profile.data.jobs?.[kind]?.example;
  const missing = requiredInputsOf(profile, operation).filter((input) =>
    input === 'jobId' && job !== undefined ? false : exampleValuesOf(profile.data, input, { operation }).length === 0,
  );
  if (missing.length === 0) return 'the limit of requests was reached (--max-requests raises it)';
  if (kind && profile.data.jobs?.[kind]?.start !== undefined)
    return `it needs {jobId}, the id of a job, which jobs.${kind}.start starts: a run with --safety job verifies it`;
  const advice = kind
    ? `give the id of a job under jobs.${kind}.example, or the POST that starts one under jobs.${kind}.start`
    : 'give examples, or bind the operation that lists them';
  return `it needs ${missing.map((input) => `{${input}}`).join(', ')}, and no value is known that the service accepts: ${advice}`;
}

function checkOperation(profile: Profile, operation: OperationKey, received: readonly Received[]): Remark[] {
  const path = ['operations', operation];
  if (received.length === 0) {
    if (!profile.data.operations?.[operation]?.request)
      return [{ kind: 'unverified', path, sentence: 'no request was sent, because request is not declared' }];
    return [{ kind: 'unverified', path, sentence: `no request was sent, because ${whyNotSent(profile, operation)}` }];
  }
  if (received.some(isSuccess)) return [];
  // A doubt about their source explains refused values.
  if (received.every((each) => each.source && isValueRefused(profile, each))) return [];
  const { status, failure } = received[0] as Received;
  const happened = status === undefined ? (failure?.message ?? 'no response') : `the status is ${status}`;
  return [
    {
      kind: status === undefined || status === 401 || status === 403 || status >= 500 ? 'unverified' : 'doubt',
      path,
      sentence: `no response was successful (${happened}); check the request, its examples and auth with mdwi profile try`,
    },
  ];
}

/** Statuses of the look-up that differ from those of the profile. */
function checkStatuses(profile: Profile, received: readonly Received[]): Remark[] {
  const { key } = operationNamed('products');
  const stated = statusesOf(profile.data, key);
  const seen = received.filter(({ operation, mustBeUnknown }) => operation === key && mustBeUnknown);
  const own = profile.data.operations?.[key]?.statuses;
  return (['unknown', 'malformed'] as const).flatMap((meaning, at): Remark[] => {
    const [allowed, response] = [stated[meaning], seen[at]];
    const path = own?.[meaning] ? ['operations', key, 'statuses', meaning] : ['statuses', meaning];
    if (!allowed || response?.status === undefined) return [];
    if (allowed.includes(response.status) || allowed.includes(response.sentStatus ?? response.status)) return [];
    return [
      {
        kind: 'doubt',
        path,
        sentence: `a look-up of the ${meaning} UPC ${String(response.inputs.upc)} gets status ${response.status}, not ${allowed.join(', ')}; correct the list or the service`,
      },
    ];
  });
}

/** Lists what no response verified. */
export function checkExercised(profile: Profile, received: readonly Received[]): Remark[] {
  const operations = Object.entries(profile.data.operations ?? {});
  return [
    ...operations.flatMap(([key, declared]) => {
      const operation = key as OperationKey;
      if (!isImplemented(profile, operation) || operationOf(operation).safety !== 'read') return [];
      const responses = received.filter((each) => each.operation === operation);
      const unseen = Object.keys(declared?.response?.schemas ?? {}).filter((status) => !isExercised(status, responses));
      return [
        ...checkOperation(profile, operation, responses),
        ...unseen.map(
          (status): Remark => ({
            kind: 'unverified',
            path: ['operations', key, 'response', 'schemas', status],
            sentence: 'no response had this schema, so it is not verified',
          }),
        ),
      ];
    }),
    ...checkStatuses(profile, received),
  ];
}
