/** The schema of `mdwi.config.yaml`: targets by name, and settings that all targets share. */
import { z } from 'zod';
import { DEPTHS, SAFETY_LADDER, type Safety } from '../contract/index.ts';
import { HOST_PATTERN, HOST_RULE } from '../exchange/hosts.ts';
import { limits } from '../profile/schema/limits.ts';
import { operationKey } from '../profile/schema/response.ts';
import { groupKey } from '../profile/schema.ts';
import { FORMAT_NAMES } from '../report/formats.ts';
import { waiverSchema } from '../waivers/waiver-schema.ts';
import { TARGET_NAME, TARGET_NAME_RULE } from './target-name.ts';

const text = z.string().min(1);
const texts = z.array(text);

/** Settings of one target, or at the top level the default of all targets. */
const settings = {
  baseUrl: text.optional().describe('The address of the service; every path is appended to it.'),
  recording: text.optional().describe('The name of a recording, which is judged offline.'),
  simulator: z.literal(true).optional().describe('Judges the built-in simulator.'),
  recordingsDir: text.optional().describe('The folder of all recordings; default: recordings beside this file.'),
  profile: text.optional().describe('The name of a bundled profile, or a file relative to this one.'),
  safety: z
    .enum(Object.keys(SAFETY_LADDER) as Safety[])
    .optional()
    .describe('Which requests may be sent; default: read for a service.'),
  depth: z.enum(DEPTHS).optional().describe('How many products, names and items are requested; default: standard.'),
  sampleSeed: z
    .union([z.int().min(0).max(4_294_967_295), z.literal('auto')])
    .optional()
    .describe('The seed of the draws; auto: another one in each run. Default: 1.'),
  groups: z.array(groupKey).min(1).optional().describe('Only these groups.'),
  operations: z.array(operationKey).min(1).optional().describe('Only these operations.'),
  rules: texts.min(1).optional().describe('Only these rules.'),
  skipRules: texts.optional().describe('All rules but these.'),
  limits: limits.optional().describe('Limits that replace those of the profile, one by one.'),
  secrets: z
    .array(z.string().regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable, not its value'))
    .optional()
    .describe('Names of environment variables whose values are hidden in everything written.'),
  proxy: text.optional().describe('The HTTP proxy for requests to the service.'),
  ca: text.optional().describe('A file of certificate authorities (PEM) to trust in addition.'),
  followTo: z
    .array(z.string().regex(HOST_PATTERN, HOST_RULE))
    .optional()
    .describe('Hosts, besides that of the service, to which redirects are followed.'),
  baseline: text.optional().describe('The run.json of an earlier run to compare with.'),
};

const targetSchema = z.strictObject(settings).superRefine(refuseSeveralPlaces);

export const configSchema = z
  .strictObject({
    ...settings,
    targets: z
      .record(z.string().regex(TARGET_NAME, TARGET_NAME_RULE), targetSchema)
      .optional()
      .describe('Targets by name, for mdwi run NAME.'),
    allowHosts: z
      .array(z.string().regex(HOST_PATTERN, HOST_RULE))
      .optional()
      .describe('Hosts to which a run without a terminal may send more than the safety class read.'),
    reports: z
      .partialRecord(z.enum(FORMAT_NAMES), text)
      .optional()
      .describe('Reports of a run: a file for each format.'),
    waivers: z
      .union([text, z.array(waiverSchema)])
      .optional()
      .describe('Known failures, or the file that lists them.'),
    ruleSet: z
      .string()
      .regex(/^\d+\.\d+\.\d+$/, 'must be a version such as 0.1.0')
      .optional()
      .describe('The version of the rules that gate; later ones are advice.'),
    history: text.optional().describe('The folder of earlier runs.'),
  })
  .superRefine(refuseSeveralPlaces);

/** The settings that say what is judged; one of them holds. */
export const PLACES = ['baseUrl', 'recording', 'simulator'] as const;

function refuseSeveralPlaces(
  values: { readonly [P in (typeof PLACES)[number]]?: unknown },
  context: z.RefinementCtx,
): void {
  const [first, second] = PLACES.filter((each) => values[each] !== undefined);
  if (second !== undefined)
    context.addIssue({
      code: 'custom',
      path: [second],
      message: `cannot be combined with ${first}: only one of them can be judged`,
    });
}

/** A configuration as its author writes it. */
export type ConfigInput = z.input<typeof configSchema>;
export type ConfigData = z.output<typeof configSchema>;
