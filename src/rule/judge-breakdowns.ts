/** Requests that differ from answered ones in one name only, and break the server: sections 4.3 and 4.4 let any name be asked for. */
import {
  describeResponse,
  type Finding,
  failed,
  isOk,
  type Judgement,
  nothingToJudge,
  passed,
  type Reading,
} from './index.ts';

const BROKEN = new Set([500, 501]);

/** Answers 500 or 501 among others that are sound: the request is one the profile declares valid. */
export function judgeBreakdowns(readings: readonly Reading[]): Judgement {
  const sound = readings.filter(isOk);
  if (sound.length === 0) return nothingToJudge('no name that was asked for is answered with 2xx');
  const findings = readings
    .filter(({ head }) => head && BROKEN.has(head.status))
    .map((reading): Finding => {
      const expected = `a sound answer for ${JSON.stringify(reading.inputs)}, as for ${sound.length} others`;
      return { expected, actual: describeResponse(reading), exchange: reading.exchange };
    });
  return findings.length > 0
    ? failed(findings.slice(0, 10))
    : passed({ exchanges: readings.length, distinct: sound.length });
}
