/** Judges requests that cause a server error and differ only in a name from those that get 2xx: sections 4.3 and 4.4 allow any name. */
import { sentInputs } from '../exchange/request.ts';
import { decide, describeResponse, findingIn, isOk, type Judgement, kindOfStatus, type Reading } from './index.ts';

/** The statuses of a broken answer: nothing in the way of an operation, such as a proxy, sends them. */
const SERVER_ERRORS = new Set([500, 501]);

export const isServerError = ({ head }: Reading): boolean => head !== undefined && SERVER_ERRORS.has(head.status);

/** A server error for a request of which an equal one gets a 2xx; undefined if there is none. */
export function errorNowAndThen(readings: readonly Reading[]): string | undefined {
  const key = ({ inputs }: Reading) => JSON.stringify(inputs);
  const accepted = new Set(readings.filter(isOk).map(key));
  const failing = readings.find((each) => isServerError(each) && accepted.has(key(each)));
  return failing && `${failing.exchange} got ${describeResponse(failing)}, an equal request a 2xx`;
}

/** Fails for 500 or 501 if other requests get 2xx: the profile declares all of them valid. */
export function judgeServerErrors(readings: readonly Reading[]): Judgement {
  const { length: compared } = readings.filter(isOk);
  const findings = readings.filter(isServerError).map((reading) => {
    const sent = JSON.stringify(sentInputs(reading.inputs, { without: reading.notSent ?? [] }));
    const expected = `no server error for ${sent}, as for ${compared} others`;
    return findingIn(reading, kindOfStatus(reading), expected, describeResponse(reading));
  });
  const nothing = 'no requested name gets a 2xx';
  return decide(compared === 0 ? {} : { compared, findings }, { nothing, evidence: { exchanges: readings.length } });
}
