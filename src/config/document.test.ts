/** docs/configuration.md and the JSON Schema agree with the schema of the file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { configJsonSchema, configSchema } from './schema.ts';
import { SETTING_KEYS, settingOf } from './settings.ts';

const document = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8');
const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(configJsonSchema());

test('the example of the document is a configuration, for us and for editors', () => {
  const [, example = ''] = /```yaml\n(# mdwi\.config\.yaml\n.*?)```/s.exec(document) ?? [];
  const tree = parse(example);
  expect(Object.keys(configSchema.parse(tree).targets ?? {})).toEqual(['staging', 'nightly', 'offline']);
  expect([fits(tree), fits.errors]).toEqual([true, null]);
  expect(fits({ ...tree, alowHosts: [] })).toBe(false);
});

/** docs/settings.md: each setting with its statement in the schema and its flags. */
function settingsPage(): string {
  const { properties } = configJsonSchema() as { properties: Record<string, { description?: string }> };
  const { targets: _, ...settings } = properties;
  const rows = SETTING_KEYS.map((key) => {
    const { flag, members, in: places = 'a target, or the top level' } = settingOf(key);
    const flags = members ? Object.values(members).map((each) => each.flag) : [flag];
    return `| \`${key}\` | ${settings[key]?.description} | ${places} | ${flags.map((each) => `\`--${each}\``).join(', ')} |`;
  });
  return [
    '# Settings',
    'Generated from the schema of `mdwi.config.yaml`; [configuration.md](configuration.md) says which value holds. `targets`: letters, digits, `_`, `.` and `-` name a target.',
    ['| key | states | in | flag |', '|---|---|---|---|', ...rows, ''].join('\n'),
  ].join('\n\n');
}

test('the page lists every setting with its statement and its flag', async () => {
  expect(settingsPage()).not.toContain('undefined');
  await expect(settingsPage()).toMatchFileSnapshot('../../docs/settings.md');
});
