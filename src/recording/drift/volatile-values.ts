/** Values that differ from answer to answer and say nothing of the data. */
import type { Shape } from './shape.ts';

/** Names of such values, written as one word. */
const NAMES =
  /(?:request|trace|correlation|transaction|session|message|response)id$|^(?:traceparent|nonce|etag|uptime|elapsed|duration|took|latency|timestamp|servertime|generatedat|generatedon|generated|createdat|startedat|finishedat|submittedat|updatedat|expires|expiresat|expiresin|now|jobid|ticket|handle|cursor|nextcursor|nexttoken|nextpage|continuationtoken|continuation|pagetoken|nextpagetoken|scrollid)(?:ms)?$/;

const FORMATS = ['UUID', 'time', 'local time', 'HTTP date'];

const lastName = (path: string): string =>
  (/([A-Za-z][\w-]*)\W*$/.exec(path)?.[1] ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');

/** Names under which what was just started, or stored, is told by its id. */
const IDS = /id$|^id|job|ticket|token|handle|reference|ref$|location|href|url|uri|self|number|text$/;

/** Whether a place may name what a request has just made. */
export const isGeneratedId = (path: string): boolean => path === '$' || IDS.test(lastName(path));

/**
 * Whether values of a place that differ are such: by their name, or times and ids of an answer as a whole.
 * @param mints answers of the operation name something made just then, e.g. a job
 */
export function isVolatileValue(path: string, was: Shape, is: Shape, inList: boolean, mints: boolean): boolean {
  if (inList) return false;
  if (NAMES.test(lastName(path)) || (mints && isGeneratedId(path))) return true;
  const formats = [...was.formats.keys(), ...is.formats.keys()];
  return formats.length > 0 && formats.every((each) => FORMATS.includes(each));
}
