/** docs/configuration.md and the JSON Schema agree with the schema of the file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { configJsonSchema } from './json-schema.ts';
import { configSchema } from './schema.ts';
import { SETTINGS } from './settings.ts';

const document = readFileSync(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8');
const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(configJsonSchema());

test('the example of the document is a configuration, for us and for editors', () => {
  const [, example = ''] = /```yaml\n(# mdwi\.config\.yaml\n.*?)```/s.exec(document) ?? [];
  const tree = parse(example);
  expect(Object.keys(configSchema.parse(tree).targets ?? {})).toEqual(['staging', 'nightly', 'offline']);
  expect([fits(tree), fits.errors]).toEqual([true, null]);
  expect(fits({ ...tree, alowHosts: [] })).toBe(false);
});

test('the document lists every setting with its flag', () => {
  for (const [key, { flag }] of Object.entries(SETTINGS)) {
    const row = document.split('\n').find((line) => line.startsWith('|') && line.split('|')[1]?.includes(`\`${key}\``));
    expect(row, key).toBeDefined();
    if (key !== 'limits') expect(row).toContain(`\`--${flag}`);
  }
});
