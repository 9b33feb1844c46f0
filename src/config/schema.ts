/** The schema of `mdwi.config.yaml`: targets by name, and settings that all targets share. */
import { type ZodOptional, z } from 'zod';
import * as types from './schema-types.ts';
import { SETTING_KEYS, type SETTINGS, type SettingKey, settingOf } from './settings.ts';
import { TARGET_NAME, TARGET_NAME_RULE } from './target-name.ts';

type Rows = typeof SETTINGS;
type TopKey = { [K in SettingKey]: Rows[K] extends { readonly in: 'the top level' } ? K : never }[SettingKey];
type Schemas<K extends SettingKey> = { [S in K]: ZodOptional<ReturnType<Rows[S]['schema']>> };

const schemasOf = <K extends SettingKey>(place?: 'the top level'): Schemas<K> =>
  Object.fromEntries(
    SETTING_KEYS.flatMap((key) => {
      const { schema, states = '', in: where } = settingOf(key);
      return schema && where === place ? [[key, schema(types).optional().describe(states)]] : [];
    }),
  ) as unknown as Schemas<K>;

/** Settings of one target, or at the top level the default of all targets. */
const settings = schemasOf<Exclude<SettingKey, TopKey>>();

const targetSchema = z.strictObject(settings).superRefine(refuseSeveralPlaces);

export const configSchema = z
  .strictObject({
    ...settings,
    targets: z
      .record(z.string().regex(TARGET_NAME, TARGET_NAME_RULE), targetSchema)
      .optional()
      .describe('Targets by name, for mdwi run NAME.'),
    ...schemasOf<TopKey>('the top level'),
  })
  .superRefine(refuseSeveralPlaces);

/** Of the settings that say what is judged, one holds. */
function refuseSeveralPlaces(values: { readonly [K in SettingKey]?: unknown }, context: z.RefinementCtx): void {
  const [first, second] = SETTING_KEYS.filter((key) => settingOf(key).place && values[key] !== undefined);
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

/** The schema of a configuration file. */
export function configJsonSchema(): object {
  return { title: 'mdwi configuration', ...z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' }) };
}
