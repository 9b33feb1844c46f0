/** Merges the configuration file into the values of a command line. */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { RULES } from '../../suites/index.ts';
import { type Config, findConfig, loadConfig } from '../config/load-config.ts';
import type { WaiverData } from '../config/schema.ts';
import { SETTING_KEYS, SETTINGS, type SettingKey, type SettledSetting, settle } from '../config/settings.ts';
import { checkBaseUrl, quotable } from '../exchange/url.ts';
import { didYouMean } from '../profile/did-you-mean.ts';
import { resolveVariables } from '../profile/environment.ts';
import { bundledProfiles } from '../profile/load.ts';
import type { ProfileData } from '../profile/schema.ts';
import { UsageError } from '../usage-error.ts';

export type LimitValues = NonNullable<ProfileData['limits']>;

/** A waiver of the configuration, and its `FILE:LINE`. */
export type ConfiguredWaiver = WaiverData & { readonly source: string };

/** What a configuration can set, under the names of the flags that win over it. Files are relative to the working directory. */
export interface ConfiguredValues {
  'base-url'?: string | undefined;
  recordings?: string | undefined;
  simulator?: boolean | undefined;
  'recordings-dir'?: string | undefined;
  profile?: string | undefined;
  safety?: string | undefined;
  group?: string[] | undefined;
  operation?: string[] | undefined;
  rule?: string[] | undefined;
  'skip-rule'?: string[] | undefined;
  limits?: LimitValues | undefined;
  secret?: string[] | undefined;
  proxy?: string | undefined;
  ca?: string | undefined;
  'allow-target-host'?: string[] | undefined;
  report?: string[] | undefined;
  /** The file of the waivers, or the waivers. */
  waivers?: string | readonly ConfiguredWaiver[] | undefined;
  'rule-set'?: string | undefined;
  baseline?: string | undefined;
  history?: string | undefined;
}

/** How a command uses the configuration. */
export interface ConfigUse {
  /** The file; default: found from the working directory upwards. */
  readonly file?: string | undefined;
  /** The name of a target. */
  readonly target?: string | undefined;
  /** Settings that the command does not use. Of `recording` and `simulator`: it refuses such a target. */
  readonly omit?: readonly SettingKey[];
  /** The flags of the command; default: all. */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly env?: NodeJS.ProcessEnv;
}

/** The values that hold. */
export interface Configured<V> {
  readonly values: V & ConfiguredValues;
  readonly targetName: string | undefined;
  readonly config: Config | undefined;
  readonly settled: readonly SettledSetting[];
  readonly keys: readonly SettingKey[];
}

/**
 * Merges the configuration file into parsed flags: flags win over the target, the target over the top level. Secrets and
 * allowed hosts are added up; limits and reports are merged member by member.
 * @throws UsageError with file, line and key
 * @example (await configure({ safety: 'job' }, { target: 'staging' })).values['base-url'] // 'https://staging.example/api'
 */
export async function configure<V extends ConfiguredValues>(values: V, use: ConfigUse): Promise<Configured<V>> {
  const { omit = [], env = process.env } = use;
  const file = use.file ?? findConfig();
  const config = file === undefined ? undefined : await loadConfig(file);
  const keys = SETTING_KEYS.filter((key) => !omit.includes(key));
  const flags = flagsOf(values);
  const targetName = targetOf(config, use, flags);
  const settled = settle(flags, config, targetName);
  refuseOmittedPlace(settled, omit, config);
  const used = settled.filter(({ key }) => keys.includes(key));
  refuseUnsupported(used, use.flags, config);
  const merged: V & ConfiguredValues = { ...values };
  for (const each of used) if (config && each.origin !== 'flag') assign(merged, each, config, env);
  if (config && merged.recordings !== undefined && values.recordings === undefined && keys.includes('recordingsDir'))
    merged['recordings-dir'] ??= pathFrom(config, 'recordings');
  // A folder of recordings without a recording is for other targets of the file.
  else if (merged.recordings === undefined && values['recordings-dir'] === undefined && keys.includes('recording'))
    delete merged['recordings-dir'];
  return { values: merged, targetName, config, settled: used, keys };
}

/** Whether the configuration has a target of this name. Throws UsageError like `configure`. */
export async function hasTarget(name: string, file = findConfig()): Promise<boolean> {
  return file !== undefined && Object.hasOwn((await loadConfig(file)).data.targets ?? {}, name);
}

/** The values of flags, by setting. */
function flagsOf(values: ConfiguredValues): { [K in SettingKey]?: unknown } {
  const entries = SETTING_KEYS.map((key) => [key, values[SETTINGS[key].flag as keyof ConfiguredValues]] as const);
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
function targetOf(config: Config | undefined, use: ConfigUse, flags: ReturnType<typeof flagsOf>): string | undefined {
  const names = Object.keys(config?.data.targets ?? {});
  const { target } = use;
  if (target !== undefined) {
    if (names.includes(target)) return target;
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
    (key) => SETTINGS[key].place && (flags[key] ?? config?.data[key]) !== undefined,
  );
  if (isPlaceGiven || names.length === 0) return undefined;
  if (names.length === 1) return names[0];
  throw new UsageError(`${config?.source} has several targets: name one of ${names.join(', ')}`);
}

function refuseOmittedPlace(
  settled: readonly SettledSetting[],
  omit: readonly SettingKey[],
  config: Config | undefined,
): void {
  const place = settled.find(({ key, origin }) => SETTINGS[key].place && omit.includes(key) && origin !== 'flag');
  if (place) throw wrongAt(config as Config, place, 'cannot be used with this command, which needs a service');
}

function refuseUnsupported(
  settled: readonly SettledSetting[],
  flags: ConfigUse['flags'],
  config: Config | undefined,
): void {
  const lacks = ({ key }: SettledSetting) =>
    SETTINGS[key].needsFlag && flags && !Object.hasOwn(flags, SETTINGS[key].flag);
  const unsupported = settled.find(lacks);
  if (unsupported) throw wrongAt(config as Config, unsupported, 'is not supported by this command');
}

const wrongAt = (config: Config, { path }: SettledSetting, wrong: string): UsageError =>
  new UsageError(`${config.locationOf(path)}: ${wrong}`);

const pathFrom = ({ folder }: Config, file: string): string => relative(process.cwd(), resolve(folder, file)) || '.';

/** Adds a value of the configuration to the values of a command line. */
function assign(values: ConfiguredValues, setting: SettledSetting, config: Config, env: NodeJS.ProcessEnv): void {
  const { key, member } = setting;
  const value = resolved(values, setting, config, env);
  if (key === 'secrets')
    values.secret = [...(values.secret ?? []), ...(value as string[]).flatMap((name) => env[name] || [])];
  else if (key === 'allowHosts')
    values['allow-target-host'] = [...(values['allow-target-host'] ?? []), ...(value as string[])];
  else if (key === 'limits') values.limits = { ...values.limits, [member as string]: value };
  else if (key === 'reports')
    values.report = [
      ...(values.report ?? []),
      `${member}=${value === '-' ? value : pathFrom(config, value as string)}`,
    ];
  else if (key === 'waivers' && Array.isArray(value))
    values.waivers = value.map((each, at) => ({ ...each, source: config.lineOf([...setting.path, at]) }));
  else Object.assign(values, { [SETTINGS[key].flag]: checked(value, setting, config) });
}

/** Replaces `${NAME}`. The values are secrets, except those of the base address, which every report shows. */
function resolved(values: ConfiguredValues, setting: SettledSetting, config: Config, env: NodeJS.ProcessEnv): unknown {
  return resolveVariables(setting.value, ({ name, path }) => {
    const value = env[name];
    if (!value)
      throw wrongAt(
        config,
        { ...setting, path: [...setting.path, ...path] },
        `needs the environment variable ${name}, which is not set`,
      );
    if (setting.key !== 'baseUrl') values.secret = [...(values.secret ?? []), value];
    return value;
  });
}

/** Checks what the schema cannot: addresses, rules, and that files are there. */
function checked(value: unknown, setting: SettledSetting, config: Config): unknown {
  const { key } = setting;
  if (key === 'baseUrl') {
    try {
      return checkBaseUrl(value as string);
    } catch (error) {
      throw wrongAt(config, setting, (error as Error).message);
    }
  }
  if (key === 'rules' || key === 'skipRules') {
    const ids = RULES.map(({ id }) => id);
    for (const [at, id] of (value as string[]).entries())
      if (!id.includes('*') && !ids.includes(id))
        throw wrongAt(
          config,
          { ...setting, path: [...setting.path, at] },
          `there is no rule “${id}”${didYouMean(id, ids)}; mdwi rules lists them`,
        );
  }
  const { file } = SETTINGS[key];
  if (file === undefined || (key === 'profile' && bundledProfiles().includes(value as string))) return value;
  if (file === 'exists' && !existsSync(resolve(config.folder, value as string)))
    throw wrongAt(config, setting, `there is no file ${value}; it is relative to the folder of the configuration`);
  return pathFrom(config, value as string);
}
