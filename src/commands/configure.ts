/** Merges the configuration file into the values of a command line. */
import { existsSync } from 'node:fs';
import { type Flags, hasFlag } from '../config/flag.ts';
import { type Config, defaultWaivers, findConfig, loadConfig } from '../config/load-config.ts';
import { flagName, SETTING_KEYS, type SettingKey, settingOf } from '../config/settings.ts';
import { type SettledSetting, settle } from '../config/settle.ts';
import { quotable } from '../exchange/url.ts';
import { didYouMean } from '../profile/did-you-mean.ts';
import { UsageError } from '../usage-error.ts';
import { assignSetting, type ConfiguredValues, pathFrom, wrongAt } from './configured-values.ts';
import { limitsOf } from './with-limits.ts';

/** How a command uses the configuration. */
export interface ConfigUse {
  readonly env?: NodeJS.ProcessEnv;
  /** The name of a target. */
  readonly target?: string | undefined;
  /** Settings that the command does not use. Of `recording` and `simulator`: it refuses such a target. */
  readonly omit?: readonly SettingKey[];
  /** The flags of the command; default: all. */
  readonly flags?: Flags;
}

/** The values that hold. */
export interface Configured<V> {
  readonly values: V & ConfiguredValues;
  /** The target whose settings hold. */
  readonly target: string | undefined;
  /** The name of what is judged: that target, unless a flag names another service or recording. */
  readonly targetName: string | undefined;
  readonly config: Config | undefined;
  readonly settled: readonly SettledSetting[];
  readonly keys: readonly SettingKey[];
}

/**
 * Merges the configuration file, that of `config` or the nearest one, into parsed flags: flags win over the target, the target over the top level. Secrets and
 * allowed hosts are added up; limits and reports are merged member by member.
 * @throws UsageError with file, line and key
 * @example (await configure({ safety: 'job' }, { target: 'staging' })).values['base-url'] // 'https://staging.example/api'
 */
export async function configure<V extends ConfiguredValues>(values: V, use: ConfigUse): Promise<Configured<V>> {
  const { omit = [] } = use;
  const file = values.config ?? findConfig();
  const config = file === undefined ? undefined : await loadConfig(file);
  const keys = SETTING_KEYS.filter((key) => !omit.includes(key));
  const given = { ...values, limits: limitsOf(values) };
  const flags = flagsOf(given);
  const target = targetOf(config, use, flags, values.nameOf);
  const settled = settle(flags, config, target);
  const isConfigured = settled.some(({ key, origin }) => settingOf(key).place && origin !== 'flag');
  refuseUnusable(settled, use, config);
  const used = settled.filter(({ key }) => keys.includes(key));
  const merged: V & ConfiguredValues = given;
  for (const each of used) if (config && each.origin !== 'flag') assignSetting(merged, each, config, use.env);
  const waivers = defaultWaivers(config);
  const readsWaivers = keys.includes('waivers') && use.flags !== undefined && hasFlag(use.flags, 'waivers');
  if (readsWaivers && merged.waivers === undefined && existsSync(waivers)) {
    merged.waivers = waivers;
    used.push({ key: 'waivers', value: waivers, origin: 'default', path: [] });
  }
  // A target and its recordings belong together, wherever the command is run.
  if (config && isConfigured && keys.includes('recordingsDir'))
    merged['recordings-dir'] ??= pathFrom(config, 'recordings');
  // `run` uses the folder of recordings with a recording only; `record` and `drift` always use it.
  if (
    merged.recordings === undefined &&
    values['recordings-dir'] === undefined &&
    keys.includes('simulator') &&
    keys.includes('recording')
  )
    delete merged['recordings-dir'];
  return { values: merged, target, targetName: isConfigured ? target : undefined, config, settled: used, keys };
}

/** Whether the configuration has a target of this name. Throws UsageError like `configure`. */
export async function hasTarget(name: string, file = findConfig()): Promise<boolean> {
  return file !== undefined && Object.hasOwn((await loadConfig(file)).data.targets ?? {}, name);
}

/** The values of flags, by setting. */
function flagsOf(values: ConfiguredValues): { [K in SettingKey]?: unknown } {
  const entries = SETTING_KEYS.map((key) => [key, values[settingOf(key).flag as keyof ConfiguredValues]] as const);
  const { reports, simulator, ...rest } = Object.fromEntries(entries) as { [K in SettingKey]?: unknown };
  return {
    ...rest,
    ...(simulator === true && { simulator }),
    ...(reports !== undefined && {
      reports: Object.fromEntries((reports as string[]).map((each) => each.split(/=(.*)/s, 2) as [string, string])),
    }),
  };
}

/** The name of the target: the given one, or the only one of the file if nothing else says what is judged. */
function targetOf(
  config: Config | undefined,
  use: ConfigUse,
  flags: ReturnType<typeof flagsOf>,
  nameOf = flagName,
): string | undefined {
  const names = Object.keys(config?.data.targets ?? {});
  const { target } = use;
  if (target !== undefined) {
    if (names.includes(target)) return target;
    if (/^https?:/i.test(target))
      throw new UsageError(
        `“${quotable(target)}” is an address, not the name of a target: give it with ${nameOf('base-url')}`,
      );
    const given = `“${quotable(target)}” is no target`;
    if (config === undefined)
      throw new UsageError(
        `${given}: there is no mdwi.config.yaml, .yml or .mts here or in a folder above (mdwi init writes one)`,
      );
    throw new UsageError(
      `${given} of ${config.source}${didYouMean(target, names)}; there are: ${names.join(', ') || 'none'}`,
    );
  }
  const isPlaceGiven = SETTING_KEYS.some(
    (key) => settingOf(key).place && (flags[key] ?? config?.data[key]) !== undefined,
  );
  if (isPlaceGiven || names.length === 0) return undefined;
  if (names.length === 1) return names[0];
  throw new UsageError(`${config?.source} has several targets: name one of ${names.join(', ')}`);
}

/** Throws UsageError for a setting of the file that the command cannot use, and must not ignore. */
function refuseUnusable(settled: readonly SettledSetting[], { omit = [], flags }: ConfigUse, config?: Config): void {
  const place = settled.find(({ key, origin }) => settingOf(key).place && omit.includes(key) && origin !== 'flag');
  if (place) throw wrongAt(config as Config, place, 'cannot be used with this command, which needs a service');
  const lacks = ({ key }: SettledSetting) => settingOf(key).needsFlag && flags && !hasFlag(flags, settingOf(key).flag);
  const unsupported = settled.find((each) => !omit.includes(each.key) && lacks(each));
  if (unsupported) throw wrongAt(config as Config, unsupported, 'is not supported by this command');
}
