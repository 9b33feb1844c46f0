/** The values of a configuration, as values of flags. */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Config } from '../config/load-config.ts';
import { type NamedOptions, type SettingKey, type SettingValues, settingOf } from '../config/settings.ts';
import type { SettledSetting } from '../config/settle.ts';
import { checkBaseUrl } from '../exchange/url.ts';
import { resolveVariables } from '../profile/environment.ts';
import { bundledProfiles } from '../profile/load.ts';
import { UsageError } from '../usage-error.ts';
import { toWaiver } from '../waivers/to-waiver.ts';
import type { WaiverData } from '../waivers/waiver-schema.ts';
import { whyNoRuleSet } from './known-failures.ts';
import { whyNoProxy } from './network.ts';
import { whyNoRule } from './rule-patterns.ts';

/** What a configuration can set, under the names of the flags that win over it. Files are relative to the working directory. */
export type ConfiguredValues = SettingValues & NamedOptions;

/** A mistake at a setting: file, line and key before the sentence. */
export const wrongAt = (config: Config, { path }: SettledSetting, wrong: string): UsageError =>
  new UsageError(`${config.locationOf(path)}: ${wrong}`);

/** A file that the configuration names, relative to the working directory. */
export const pathFrom = ({ folder }: Config, file: string): string =>
  relative(process.cwd(), resolve(folder, file)) || '.';

/** Adds a value of the configuration to the values of a command line. With `--print-config`, environment variables may be unset. */
export function assignSetting(
  values: ConfiguredValues,
  setting: SettledSetting,
  config: Config,
  env = process.env,
): void {
  const { key, member, path } = setting;
  const { flag, merge } = settingOf(key);
  const { value, isUnset } = resolved(values, setting, config, env);
  const held = (values as Record<string, unknown>)[flag];
  const add = (more: readonly unknown[]): unknown[] => [...((held as unknown[] | undefined) ?? []), ...more];
  const merged = (): unknown => {
    if (key === 'secrets') return add((value as string[]).flatMap((name) => env[name] || []));
    if (key === 'reports') return add([`${member}=${value === '-' ? value : pathFrom(config, value as string)}`]);
    if (key === 'waivers' && Array.isArray(value))
      return (value as WaiverData[]).map((each, at) => toWaiver(each, config.lineOf([...path, at])));
    if (merge === 'added') return add(value as string[]);
    if (merge === 'by member') return { ...(held as object | undefined), [member as string]: value };
    return isUnset ? value : checked(value, setting, config);
  };
  Object.assign(values, { [flag]: merged() });
}

/** Replaces `${NAME}`. The values are secrets, except those of the base address, which every report shows. */
function resolved(
  values: ConfiguredValues,
  setting: SettledSetting,
  config: Config,
  env: NodeJS.ProcessEnv,
): { readonly value: unknown; readonly isUnset: boolean } {
  let isUnset = false;
  const value = resolveVariables(setting.value, ({ name, path }) => {
    const text = env[name];
    if (text) {
      if (setting.key !== 'baseUrl') values.secret = [...(values.secret ?? []), text];
      return text;
    }
    isUnset = true;
    if (values['print-config']) return `\${${name}}`;
    const at = { ...setting, path: [...setting.path, ...path] };
    throw wrongAt(config, at, `needs the environment variable ${name}, which is not set`);
  });
  return { value, isUnset };
}

/** Why a text is not the address of a service; undefined if it is one. */
function whyNoBaseUrl(text: string): string | undefined {
  try {
    checkBaseUrl(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** What the schema cannot check: why a text is wrong. */
const WHY_WRONG: { readonly [K in SettingKey]?: (text: string, shown?: string) => string | undefined } = {
  baseUrl: whyNoBaseUrl,
  rules: whyNoRule,
  skipRules: whyNoRule,
  ruleSet: whyNoRuleSet,
  proxy: whyNoProxy,
};

/** Checks addresses, rules, and that files are there. Messages quote the file, never a variable’s value. */
function checked(value: unknown, setting: SettledSetting, config: Config): unknown {
  const { key, path } = setting;
  for (const [at, text] of [value].flat().entries()) {
    const list = Array.isArray(value) ? (setting.value as string[]) : undefined;
    const why = WHY_WRONG[key]?.(text as string, list?.[at]);
    if (why !== undefined) throw wrongAt(config, { ...setting, path: list ? [...path, at] : path }, why);
  }
  if (key === 'baseUrl') return checkBaseUrl(value as string);
  const { file } = settingOf(key);
  if (file === undefined || (key === 'profile' && bundledProfiles().includes(value as string))) return value;
  if (file === 'exists' && !existsSync(resolve(config.folder, value as string)))
    throw wrongAt(
      config,
      setting,
      `there is no file ${setting.value}; it is relative to the folder of the configuration`,
    );
  return pathFrom(config, value as string);
}
