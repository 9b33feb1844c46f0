/** Detects values that differ in every response and are not data. */
import type { Shape } from './shape.ts';

/** Names of such values, in lower case and without separators. */
const VOLATILE_NAMES =
  /(?:request|trace|correlation|transaction|session|message|response)id$|^(?:traceparent|nonce|etag|uptime|elapsed|duration|took|latency|timestamp|servertime|generatedat|generatedon|generated|createdat|startedat|finishedat|submittedat|updatedat|expires|expiresat|expiresin|now|jobid|ticket|handle|cursor|nextcursor|nexttoken|nextpage|continuationtoken|continuation|pagetoken|nextpagetoken|scrollid)(?:ms)?$/;

const VOLATILE_FORMATS = ['UUID', 'time', 'local time', 'HTTP date'];

const lastName = (path: string): string =>
  (/([A-Za-z][\w-]*)\W*$/.exec(path)?.[1] ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');

/** Names of members that hold a newly issued id. */
const ID_NAMES = /id$|^id|job|ticket|token|handle|reference|ref$|location|href|url|uri|self|number|text$/;

/** Whether a place may hold a newly issued id. */
export const isGeneratedId = (path: string): boolean => path === '$' || ID_NAMES.test(lastName(path));

/**
 * Whether differing values at a place are volatile: by name, or because they are times or ids of the whole response.
 * @param createsIds whether responses of the operation hold newly issued ids, e.g. of a job
 */
export function isVolatileValue(
  path: string,
  recorded: Shape,
  current: Shape,
  inList: boolean,
  createsIds: boolean,
): boolean {
  if (inList) return false;
  if (VOLATILE_NAMES.test(lastName(path)) || (createsIds && isGeneratedId(path))) return true;
  const formats = [...recorded.formats.keys(), ...current.formats.keys()];
  return formats.length > 0 && formats.every((each) => VOLATILE_FORMATS.includes(each));
}
