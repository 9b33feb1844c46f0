/** The values of a configuration, as values of flags. */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Config } from '../config/load-config.ts';
import { SETTINGS, type SettledSetting } from '../config/settings.ts';
import { checkBaseUrl } from '../exchange/url.ts';
import { resolveVariables } from '../profile/environment.ts';
import { bundledProfiles } from '../profile/load.ts';
import type { ProfileData } from '../profile/schema.ts';
import type { Waiver } from '../run/waiver-types.ts';
import { UsageError } from '../usage-error.ts';
import { toWaiver } from '../waivers/to-waiver.ts';
import type { WaiverData } from '../waivers/waiver-schema.ts';
import { whyNoRuleSet } from './known-failures.ts';
import { whyNoProxy } from './network.ts';
import type { NamedOptions } from './option-names.ts';
import { whyNoRule } from './rule-patterns.ts';

export type LimitValues = NonNullable<ProfileData['limits']>;

/** What a configuration can set, under the names of the flags that win over it. Files are relative to the working directory. */
export interface ConfiguredValues extends NamedOptions {
  'base-url'?: string | undefined;
  recordings?: string | undefined;
  simulator?: boolean | undefined;
  'recordings-dir'?: string | undefined;
  profile?: string | undefined;
  safety?: string | undefined;
  depth?: string | undefined;
  'sample-seed'?: string | number | undefined;
  group?: string[] | undefined;
  operation?: string[] | undefined;
  rule?: string[] | undefined;
  'skip-rule'?: string[] | undefined;
  limits?: LimitValues | undefined;
  secret?: string[] | undefined;
  proxy?: string | undefined;
  ca?: string | undefined;
  'follow-to'?: string[] | undefined;
  'allow-target-host'?: string[] | undefined;
  report?: string[] | undefined;
  /** The file of the waivers, or the waivers. */
  waivers?: string | readonly Waiver[] | undefined;
  'rule-set'?: string | undefined;
  baseline?: string | undefined;
  history?: string | undefined;
}

/** A mistake at a setting: file, line and key before the sentence. */
export const wrongAt = (config: Config, { path }: SettledSetting, wrong: string): UsageError =>
  new UsageError(`${config.locationOf(path)}: ${wrong}`);

/** A file that the configuration names, relative to the working directory. */
export const pathFrom = ({ folder }: Config, file: string): string =>
  relative(process.cwd(), resolve(folder, file)) || '.';

/** How `${NAME}` is replaced. */
export interface VariableOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** The values are only shown: environment variables may be unset. */
  readonly showOnly?: boolean | undefined;
}

/** Adds a value of the configuration to the values of a command line. */
export function assignSetting(
  values: ConfiguredValues,
  setting: SettledSetting,
  config: Config,
  { env = process.env, showOnly = false }: VariableOptions,
): void {
  const { key, member } = setting;
  const { value, isUnset } = resolved(values, setting, config, env, showOnly);
  if (key === 'secrets')
    values.secret = [...(values.secret ?? []), ...(value as string[]).flatMap((name) => env[name] || [])];
  else if (key === 'allowHosts' || key === 'followTo') {
    const flag = key === 'followTo' ? 'follow-to' : 'allow-target-host';
    values[flag] = [...(values[flag] ?? []), ...(value as string[])];
  } else if (key === 'limits') values.limits = { ...values.limits, [member as string]: value };
  else if (key === 'reports')
    values.report = [
      ...(values.report ?? []),
      `${member}=${value === '-' ? value : pathFrom(config, value as string)}`,
    ];
  else if (key === 'waivers' && Array.isArray(value))
    values.waivers = (value as WaiverData[]).map((each, at) => toWaiver(each, config.lineOf([...setting.path, at])));
  else Object.assign(values, { [SETTINGS[key].flag]: isUnset ? value : checked(value, setting, config) });
}

/** Replaces `${NAME}`. The values are secrets, except those of the base address, which every report shows. */
function resolved(
  values: ConfiguredValues,
  setting: SettledSetting,
  config: Config,
  env: NodeJS.ProcessEnv,
  keepUnset: boolean,
): { readonly value: unknown; readonly isUnset: boolean } {
  let isUnset = false;
  const value = resolveVariables(setting.value, ({ name, path }) => {
    const text = env[name];
    if (text) {
      if (setting.key !== 'baseUrl') values.secret = [...(values.secret ?? []), text];
      return text;
    }
    isUnset = true;
    if (keepUnset) return `\${${name}}`;
    const at = { ...setting, path: [...setting.path, ...path] };
    throw wrongAt(config, at, `needs the environment variable ${name}, which is not set`);
  });
  return { value, isUnset };
}

/** Checks what the schema cannot: addresses, rules, and that files are there. Messages quote the file, never a variable’s value. */
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
    for (const [at, pattern] of (value as string[]).entries()) {
      const why = whyNoRule(pattern, (setting.value as string[])[at]);
      if (why !== undefined) throw wrongAt(config, { ...setting, path: [...setting.path, at] }, why);
    }
  }
  if (key === 'ruleSet' || key === 'proxy') {
    const why = (key === 'ruleSet' ? whyNoRuleSet : whyNoProxy)(value as string);
    if (why !== undefined) throw wrongAt(config, setting, why);
  }
  const { file } = SETTINGS[key];
  if (file === undefined || (key === 'profile' && bundledProfiles().includes(value as string))) return value;
  if (file === 'exists' && !existsSync(resolve(config.folder, value as string)))
    throw wrongAt(
      config,
      setting,
      `there is no file ${setting.value}; it is relative to the folder of the configuration`,
    );
  return pathFrom(config, value as string);
}
