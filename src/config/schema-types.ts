/** The schemas of which those of settings consist. */
import { z } from 'zod';
import { HOST_PATTERN, HOST_RULE } from '../exchange/url.ts';
import { FORMAT_NAMES } from '../report/formats.ts';

export { limits } from '../profile/schema/limits.ts';
export { operationKey } from '../profile/schema/response.ts';
export { groupKey } from '../profile/schema.ts';
export { waiverSchema } from '../waivers/waiver-schema.ts';
export { z };

export const nonEmpty = z.string().min(1);
export const nonEmptyTexts = z.array(nonEmpty);
export const hosts = z.array(z.string().regex(HOST_PATTERN, HOST_RULE));
export const reports = z.partialRecord(z.enum(FORMAT_NAMES), nonEmpty);
