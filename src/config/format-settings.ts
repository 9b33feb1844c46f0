/** Formats the settings that hold, with the origin of each value, for `--print-config`. */
import { withoutSecretParts } from '../profile/url-query.ts';
import type { Config } from './load-config.ts';
import { type SettingKey, settingOf } from './settings.ts';
import type { SettledSetting } from './settle.ts';

/** Formats a value without what may be a secret. */
function shownValue({ key, value, origin }: SettledSetting, env: NodeJS.ProcessEnv): string {
  if (key === 'secrets')
    return origin === 'flag'
      ? `${(value as unknown[]).length} hidden`
      : (value as string[]).map((name) => `${name} (${env[name] ? 'set' : 'not set'})`).join(', ');
  if (key === 'waivers' && Array.isArray(value)) return `${value.length} in this file`;
  const texts = [value].flat().map(String);
  return texts.map((each) => (key === 'baseUrl' || key === 'proxy' ? withoutSecretParts(each) : each)).join(', ');
}

/**
 * Formats one line per setting: name, value, origin. The text contains no value of an environment variable and no
 * credential of an address.
 * @param keys the settings that the command uses; one without a value is shown with its default
 */
export function formatSettings(
  settled: readonly SettledSetting[],
  keys: readonly SettingKey[],
  config: Config | undefined,
  target: string | undefined,
  env: NodeJS.ProcessEnv = process.env,
): string {
  const rows = keys.flatMap((key) => {
    const given = settled.filter((each) => each.key === key);
    const { flag, place, byDefault = 'none', members } = settingOf(key);
    if (given.length === 0) return place ? [] : [[key, byDefault, 'default']];
    return given.map((each) => [
      each.member === undefined ? key : `${key}.${each.member}`,
      shownValue(each, env),
      each.origin === 'flag'
        ? `flag --${members?.[each.member ?? '']?.flag ?? flag}`
        : `${each.origin}${each.origin === 'default' ? '' : ` (${config?.lineOf(each.path)})`}`,
    ]);
  });
  const widths = [0, 1].map((column) => Math.min(60, Math.max(...rows.map((row) => (row[column] ?? '').length))));
  const file = config === undefined ? 'no configuration file' : `configuration: ${config.source}`;
  const lines = rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${file}${target === undefined ? '' : `, target ${target}`}\n\n${lines.join('\n')}\n`;
}
