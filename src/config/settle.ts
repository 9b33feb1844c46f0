/** Which value of each setting holds: that of a flag, of the target, of the top level, or none. */
import type { Config } from './load-config.ts';
import { SETTING_KEYS, type SettingKey, settingOf } from './settings.ts';

export type Origin = 'flag' | 'target' | 'top level' | 'default';

/** A value that holds. */
export interface SettledSetting {
  readonly key: SettingKey;
  /** The member of a map, such as the format of a report. */
  readonly member?: string;
  readonly value: unknown;
  readonly origin: Origin;
  /** Its location in the file; empty for a flag and a default. */
  readonly path: readonly PropertyKey[];
}

/** The values of one origin. */
interface Layer {
  readonly origin: Origin;
  readonly values: { readonly [K in SettingKey]?: unknown };
  readonly path: readonly PropertyKey[];
}

/**
 * Selects the values that hold: flags win over the target, the target over the top level.
 * @param flags the values of flags by the setting they replace; maps by member
 * @param keys the settings that the command uses
 * @example settle({ safety: 'job' }, { data: { safety: 'read' } }, undefined, ['safety']) // [{ key: 'safety', value: 'job', origin: 'flag', path: [] }]
 */
export function settle(
  flags: Layer['values'],
  config: Pick<Config, 'data'> | undefined,
  target: string | undefined,
  keys: readonly SettingKey[] = SETTING_KEYS,
): SettledSetting[] {
  const layers: Layer[] = [
    { origin: 'flag', values: flags, path: [] },
    ...(config && target !== undefined
      ? [{ origin: 'target' as const, values: config.data.targets?.[target] ?? {}, path: ['targets', target] }]
      : []),
    ...(config ? [{ origin: 'top level' as const, values: config.data, path: [] }] : []),
  ];
  const isPlace = (key: SettingKey): boolean => settingOf(key).place === true;
  const deciding = layers.find(({ values }) => SETTING_KEYS.some((key) => isPlace(key) && values[key] !== undefined));
  return keys.flatMap((key) => {
    const giving = layers.filter((each) => each.values[key] !== undefined && (!isPlace(key) || each === deciding));
    const settled = giving.map(({ origin, values, path }) => ({
      key,
      value: values[key],
      origin,
      path: origin === 'flag' ? [] : [...path, key],
    }));
    if (settingOf(key).merge === 'added') return settled;
    if (settingOf(key).merge !== 'by member') return settled.slice(0, 1);
    const members = settled.flatMap(({ value, path, ...rest }) =>
      Object.entries(value as object).map(([member, each]) => ({
        ...rest,
        member,
        value: each,
        path: path.length === 0 ? path : [...path, member],
      })),
    );
    return members.filter(({ member }, at) => members.findIndex((each) => each.member === member) === at);
  });
}
