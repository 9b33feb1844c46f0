import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { newFolder } from '../resources.test.support.ts';
import { emptyProfile } from './bundled.ts';
import { checkProfile } from './check-profile.ts';
import { bundledProfiles, loadProfile } from './load.ts';
import { parseProfile } from './parse-profile.ts';
import { ProfileError } from './profile-error.ts';

const folder = newFolder(afterAll);
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
const wrong: Record<string, [yaml: string, says: RegExp]> = {
  'an unknown key': [
    'name: x\nnmae: y\n',
    /x\.yaml:2: the profile: unknown key “nmae” \(did you mean “name”\?\); allowed: .*name.*implements/,
  ],
  'an unknown key deep inside': [
    `name: x\noperations:\n  ${BULK}:\n    response:\n      row: $.a\n`,
    /x\.yaml:5: operations\["GET .*"\]\.response: unknown key “row” \(did you mean “rows”\?\); allowed: .*rows/,
  ],
  'a field that is no selector': [
    `name: x\noperations:\n  ${BULK}:\n    response:\n      fields: { category: none }\n`,
    /x\.yaml:5: operations\["GET .*"\]\.response\.fields\.category: /,
  ],
  'a wrong type': ['name: [1]\n', /x\.yaml:1: name: must be a text, but is a list/],
  'no name': ['description: x\n', /name/],
  'an operation that does not exist': [
    'name: x\noperations:\n  GET /nope: {}\n',
    /x\.yaml:3: operations: there is no operation “GET \/nope”; .*written as in the document/,
  ],
  'a bad selector': [
    `name: x\noperations:\n  ${BULK}:\n    response:\n      rows: items\n`,
    /x\.yaml:5: .*rows: .*items/,
  ],
  'a bad JSONPath': [`name: x\noperations:\n  ${BULK}:\n    response:\n      rows: "$.a[?"\n`, /x\.yaml:5: .*rows/],
  'an unknown converter': [
    `name: x\noperations:\n  ${BULK}:\n    response:\n      fields: { upc: { at: "@.u", as: barcode } }\n`,
    /upc.*as.*gtin13/,
  ],
  'two bodies': [
    `name: x\noperations:\n  POST /webservices/drive:\n    request: { json: {}, xml: "<a/>" }\n`,
    /one body/,
  ],
  'what the document demands declared absent': [
    `name: x\noperations:\n  ${BULK}:\n    none: [fields.upc]\n`,
    /fields\.upc.*not allowed/,
  ],
  'an unset variable': [
    'name: x\nauth: { scheme: bearer, token: "$' + '{NOT_SET_HERE}" }\n',
    /x\.yaml:2: auth\.token: needs the environment variable NOT_SET_HERE/,
  ],
  'broken YAML': ['name: [\n', /x\.yaml:\d+: /],
};
for (const [name, [yaml, says]] of Object.entries(wrong)) {
  test(`${name} is one sentence`, () => {
    let message = '';
    try {
      parseProfile(yaml, 'x.yaml', {});
    } catch (error) {
      expect(error).toBeInstanceOf(ProfileError);
      message = (error as Error).message;
    }
    expect(message).toMatch(says);
    expect(message).not.toContain('\n');
  });
}

test('all mistakes of a profile are named, one in each line', () => {
  const yaml = `name: x
examples: { upc: ["123"] }
auth: { scheme: bearer, token: "\${A}" }
operations:
  GET /PLATFORMAPI/prodRef/v1/allProducts:
    response: { rows: "$.items[*", fields: { upc: { at: "@.upc", as: list }, colour: "@.c" } }
`;
  const linesOf = (text: string) => {
    try {
      parseProfile(text, 'x.yaml', {});
    } catch (error) {
      expect(error).toBeInstanceOf(ProfileError);
      return (error as Error).message.split('\n');
    }
    return [];
  };
  expect(linesOf(yaml)).toEqual([
    'x.yaml:3: auth.token: needs the environment variable A, which is not set',
    expect.stringMatching(/^x\.yaml:6: .*fields: unknown key “colour”/),
    expect.stringMatching(/^x\.yaml:6: .*rows: .*is not a JSONPath/),
    expect.stringMatching(/^x\.yaml:6: .*upc: has as: list/),
  ]);
  const accusing = `name: x
examples: { upc: ["123", "124"] }
operations: { GET /PLATFORMAPI/prodRef/v1/allProducts: { response: { rows: "$.i[*]", fields: { upc: $.upc } } } }
`;
  expect(linesOf(accusing)).toEqual([
    expect.stringMatching(/^x\.yaml:2: examples\.upc\[0\]: must be a UPC/),
    expect.stringMatching(/^x\.yaml:2: examples\.upc\[1\]: must be a UPC/),
    expect.stringMatching(/^x\.yaml:3: .*fields\.upc: “\$\.upc” is read once/),
  ]);
});

test('files that are not profiles', async () => {
  await expect(loadProfile(join(folder, 'none.yaml'))).rejects.toThrow(/no such file/);
  await expect(loadProfile(folder)).rejects.toThrow(/folder/);
  await expect(loadProfile(file('p.txt', 'name: x'))).rejects.toThrow(/\.yaml, \.json/);
  await expect(loadProfile(file('big.yaml', `name: x\n#${'x'.repeat(10 << 20)}`))).rejects.toThrow(/larger/);
  await expect(loadProfile(file('m.mjs', 'export const a = 1'))).rejects.toThrow(/default export/);
  await expect(loadProfile(file('s.mjs', 'export default {'))).rejects.toThrow(/cannot be loaded/);
});

test('what loads: YAML, JSON, a module, the bundled ones', async () => {
  expect((await loadProfile(file('a.yaml', 'name: a'))).data.name).toBe('a');
  expect((await loadProfile(file('a.json', '{"name":"j","implements":["C"]}'))).data.implements).toEqual(['C']);
  const module = await loadProfile(
    file('a.mjs', `export default { name: 'm', operations: { '${BULK}': { response: { rows: (doc) => doc.list } } } }`),
  );
  expect(typeof module.data.operations?.[BULK]?.response?.rows).toBe('function');
  for (const name of bundledProfiles()) expect((await loadProfile(name)).source).toBe(`bundled:${name}`);
});

test('a sample body is inline, or in a .json file relative to the profile', async () => {
  const sampled = (sample: string) =>
    `name: s\noperations:\n  ${BULK}:\n    response: { rows: $.p, sample: ${sample} }\n`;
  const sampleOf = async (yaml: string) =>
    (await loadProfile(file('sampled.yaml', yaml))).data.operations?.[BULK]?.response?.sample;
  file('body.json', '{"p":[1]}');
  file('broken.json', '{"p":');
  expect(await sampleOf(sampled('{ p: [2] }'))).toEqual({ p: [2] });
  expect(await sampleOf(sampled('body.json'))).toEqual({ p: [1] });
  await expect(sampleOf(sampled('none.json'))).rejects.toThrow(
    /sampled\.yaml:\d+: .*sample: none\.json does not exist/,
  );
  await expect(sampleOf(sampled('broken.json'))).rejects.toThrow(/sample: broken\.json is not JSON/);
  await expect(sampleOf(sampled('body.xml'))).rejects.toThrow(/sample: body\.xml is neither a \.json file/);
});

test('values of the environment are secrets, and $$ escapes a placeholder', () => {
  const { data, secrets } = parseProfile('name: "$' + '{WHO}"\ndescription: "$$' + '{literal}"\n', 'x.yaml', {
    WHO: 'me-secret',
  });
  expect(data.name).toBe('me-secret');
  expect(data.description).toBe('${' + 'literal}');
  expect(secrets).toEqual(['me-secret']);
});

test('a pattern that is not a regular expression is refused with its location', () => {
  const yaml = `name: t\noperations: { "${'GET /webservices/getSaveMap'}": { response: { fields: { id: { at: "$.id", match: "(" } } } } }`;
  expect(() => parseProfile(yaml, 't.yaml', {})).toThrow(/t\.yaml.*match.*not a regular expression/s);
});

test.each([
  ['upc', { as: 'text' }, {}],
  ['upc', { as: 'trimmed' }, { match: '\\S(?:.*\\S)?' }],
  ['upc', { as: 'trimmed', match: '[0-9]+' }, { match: '[0-9]+' }],
  ['activeOn', { as: 'urlPart', required: true }, { required: true }],
  ['categoryId', { as: 'number' }, {}],
  ['subCategory', { as: 'list' }, {}],
  ['categoryId', { as: 'trimmed' }, { as: 'trimmed' }],
  ['characteristics', { as: 'list' }, { as: 'list' }],
])('%s with %j, which 0.1.0 accepts, is read as with %j', (field, written, read) => {
  const response = { fields: { [field]: { at: '@.x', ...written } } };
  const { data } = checkProfile({ name: 'x', operations: { [BULK]: { response } } }, 'x', { env: {}, unset: 'refuse' });
  expect(data.operations?.[BULK]?.response?.fields).toEqual({ [field]: { at: '@.x', ...read } });
});

test('the empty profile is what the schema would make of it', () => {
  const { data, source, secrets, variables, unset } = checkProfile({ name: 'empty' }, 'bundled:empty', {
    env: {},
    unset: 'refuse',
  });
  expect(emptyProfile()).toMatchObject({ data, source, secrets, variables, unset });
  expect(emptyProfile().data).toEqual(data);
});
