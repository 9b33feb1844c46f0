/** `--print-config`. */
import type { Configured } from '../commands/configure.ts';
import type { ConfiguredValues } from '../commands/configured-values.ts';
import { settingOf } from '../config/settings.ts';
import type { SettledSetting } from '../config/settle.ts';
import { printableLines } from '../exchange/printable.ts';
import { withoutSecretParts } from '../profile/url-query.ts';
import { EXIT } from '../run/exit-codes.ts';
import { redactor } from '../secrets/redact.ts';

/** Prints the settings that hold, with the origin of each. Returns the exit code. */
export function printConfig(configured: Configured<ConfiguredValues>): number {
  const text = formatSettings(configured);
  process.stdout.write(printableLines(redactor(configured.values.secret ?? [])(text)));
  return EXIT.ok;
}

/** Formats a value without what may be a secret. */
function shownValue({ key, value, origin }: SettledSetting): string {
  if (key === 'secrets')
    return origin === 'flag'
      ? `${(value as unknown[]).length} hidden`
      : (value as string[]).map((name) => `${name} (${process.env[name] ? 'set' : 'not set'})`).join(', ');
  if (key === 'waivers' && Array.isArray(value)) return `${value.length} in this file`;
  const texts = [value].flat().map(String);
  return texts.map((each) => (key === 'baseUrl' || key === 'proxy' ? withoutSecretParts(each) : each)).join(', ');
}

/**
 * Formats one line per setting: name, value, origin. The text contains no value of an environment variable and no
 * credential of an address.
 * A setting without a value is shown with its default.
 */
function formatSettings({ settled, keys, config, target }: Configured<ConfiguredValues>): string {
  const rows = keys.flatMap((key) => {
    const given = settled.filter((each) => each.key === key);
    const { flag, place, byDefault = 'none', members } = settingOf(key);
    if (given.length === 0) return place ? [] : [[key, byDefault, 'default']];
    return given.map((each) => [
      each.member === undefined ? key : `${key}.${each.member}`,
      shownValue(each),
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
