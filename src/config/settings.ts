/** Which value of each setting holds: that of a flag, of the target, of the top level, or none. */
import type { Config } from './load-config.ts';
import type { ConfigData } from './schema.ts';

export type SettingKey = Exclude<keyof ConfigData, 'targets'>;

interface Setting {
  /** The flag that wins over it. */
  readonly flag: string;
  /** Flags that win over single members of a map. */
  readonly memberFlags?: Readonly<Record<string, string>>;
  /** A file or folder, relative to the configuration; `exists`: it must be there. */
  readonly file?: 'exists' | 'may be missing';
  /** Of several values the first `wins`; all are `added`; or those of a map win `by member`. */
  readonly merge?: 'added' | 'by member';
  /** One of the settings that say what is judged: only the most specific place that names one counts. */
  readonly place?: true;
  /** A command that lacks the flag refuses it, because ignoring it would change what is sent or what gates. */
  readonly needsFlag?: true;
}

/** Every setting, in the order in which it is shown. */
export const SETTINGS: { readonly [K in SettingKey]-?: Setting } = {
  baseUrl: { flag: 'base-url', place: true },
  recording: { flag: 'recordings', place: true },
  simulator: { flag: 'simulator', place: true },
  recordingsDir: { flag: 'recordings-dir', file: 'may be missing' },
  profile: { flag: 'profile', file: 'exists' },
  safety: { flag: 'safety' },
  depth: { flag: 'depth' },
  sampleSeed: { flag: 'sample-seed' },
  groups: { flag: 'group' },
  operations: { flag: 'operation' },
  rules: { flag: 'rule' },
  skipRules: { flag: 'skip-rule', needsFlag: true },
  limits: {
    flag: 'limits',
    merge: 'by member',
    memberFlags: {
      maxRequests: 'max-requests',
      maxSubjects: 'max-subjects',
      requestsPerSecond: 'max-requests-per-second',
      maxDurationMs: 'max-duration',
      retryForMs: 'retry-for',
    },
  },
  secrets: { flag: 'secret', merge: 'added' },
  proxy: { flag: 'proxy', needsFlag: true },
  ca: { flag: 'ca', file: 'exists', needsFlag: true },
  followTo: { flag: 'follow-to', merge: 'added' },
  allowHosts: { flag: 'allow-target-host', merge: 'added' },
  reports: { flag: 'report', merge: 'by member' },
  waivers: { flag: 'waivers', file: 'exists', needsFlag: true },
  ruleSet: { flag: 'rule-set', needsFlag: true },
  baseline: { flag: 'baseline', file: 'may be missing', needsFlag: true },
  history: { flag: 'history', file: 'may be missing', needsFlag: true },
};

export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[];

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
  const isPlace = (key: SettingKey): boolean => SETTINGS[key].place === true;
  const deciding = layers.find(({ values }) => SETTING_KEYS.some((key) => isPlace(key) && values[key] !== undefined));
  return keys.flatMap((key) => {
    const giving = layers.filter((each) => each.values[key] !== undefined && (!isPlace(key) || each === deciding));
    const settled = giving.map(({ origin, values, path }) => ({
      key,
      value: values[key],
      origin,
      path: origin === 'flag' ? [] : [...path, key],
    }));
    if (SETTINGS[key].merge === 'added') return settled;
    if (SETTINGS[key].merge !== 'by member') return settled.slice(0, 1);
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
