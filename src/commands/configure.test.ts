import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../resources.test.support.ts';
import { configure, hasTarget } from './configure.ts';
import type { ConfiguredValues } from './configured-values.ts';

/** Writes a configuration beside a profile and returns its path. */
function configFile(text: string, name = 'mdwi.config.yaml'): string {
  const dir = newFolder();
  writeFileSync(join(dir, 'acme.yaml'), 'name: acme');
  writeFileSync(join(dir, name), text);
  return join(dir, name);
}

const CONFIG = `secrets: [ACME_KEY]
reports: { json: out/run.json }
limits: { timeoutMs: 5000 }
targets:
  staging:
    baseUrl: https://staging.example/api/
    profile: acme.yaml
    proxy: "http://me:\${PROXY_PASSWORD}@proxy.example:3128"
  nightly:
    recording: acme
`;

const env = { ACME_KEY: 'key-0815', PROXY_PASSWORD: 'word-4711' };

test('a configuration becomes the values of flags, with files relative to its folder', async () => {
  const file = configFile(CONFIG);
  const beside = (name: string) => relative('.', join(file, '..', name));
  const flags: ConfiguredValues = { secret: ['own'], report: ['junit=-'], safety: 'job' };
  const { values, targetName } = await configure({ ...flags, config: file }, { target: 'staging', env });
  expect(targetName).toBe('staging');
  expect(values).toEqual({
    config: file,
    'base-url': 'https://staging.example/api',
    profile: beside('acme.yaml'),
    safety: 'job',
    limits: { timeoutMs: 5000 },
    proxy: 'http://me:word-4711@proxy.example:3128',
    secret: ['own', 'key-0815', 'word-4711'],
    report: ['junit=-', `json=${beside('out/run.json')}`],
  });
  const nightly = await configure({ config: file }, { target: 'nightly', env });
  expect(nightly.values).toMatchObject({ recordings: 'acme', 'recordings-dir': beside('recordings') });
});

test('a flag that says what is judged replaces the place of the target', async () => {
  const { values } = await configure({ simulator: true, config: configFile(CONFIG) }, { target: 'nightly', env });
  expect(values).toMatchObject({ simulator: true });
  expect(values).not.toHaveProperty('recordings');
  expect(values).not.toHaveProperty('recordings-dir');
});

test('values that are only shown may need variables that are not set, and a message quotes no value', async () => {
  const file = configFile(`baseUrl: "\${UNSET_NAME}/api"\nprofile: "\${ACME_KEY}.yaml"\n`);
  await expect(configure({ config: file }, { env })).rejects.toThrow(
    ':1: baseUrl: needs the environment variable UNSET_NAME',
  );
  const attempt = configure({ config: file, 'print-config': true }, { env });
  await expect(attempt).rejects.toThrow(`:2: profile: there is no file \${ACME_KEY}.yaml`);
});

test.each([
  ['profile: acme.yaml', 'profil: acme.yaml', ':7: targets.staging: unknown key “profil” (did you mean “profile”?)'],
  ['profile: acme.yaml', 'profile: acne.yaml', ':7: targets.staging.profile: there is no file acne.yaml'],
  [
    'profile: acme.yaml',
    'rules: [C.upc-12-digit]',
    ':7: targets.staging.rules[0]: there is no rule “C.upc-12-digit” (did',
  ],
  ['profile: acme.yaml', 'recording: acme', ':7: targets.staging.recording: cannot be combined with baseUrl'],
  ['profile: acme.yaml', 'safety: jobs', ':7: targets.staging.safety: must be one of'],
  [
    'profile: acme.yaml',
    'secrets: [k-123]',
    ':7: targets.staging.secrets[0]: must be the name of an environment variable',
  ],
  ['https://staging', 'staging', ':6: targets.staging.baseUrl: '],
  ['http://me', 'socks5://me', ':8: targets.staging.proxy: the address of an HTTP proxy is needed'],
  ['recording: acme', 'simulator: false', ':10: targets.nightly.simulator: must be true, but is false'],
  ['{ json', '{ jsom', ':2: reports: unknown key “jsom” (did you mean “json”?)'],
  ['5000', 'soon', ':3: limits.timeoutMs: must be a number, but is a text'],
  ['reports:', '  reports:', ':2: '],
  [
    'PROXY_PASSWORD',
    'UNSET_NAME',
    ':8: targets.staging.proxy: needs the environment variable UNSET_NAME, which is not set',
  ],
])('%s changed to %s is a sentence with file, line and key', async (from, to, sentence) => {
  const attempt = configure({ config: configFile(CONFIG.replace(from, to)) }, { target: 'staging', env });
  await expect(attempt).rejects.toThrow(`mdwi.config.yaml${sentence}`);
});

test('a target is named, the only one of the file, or none if something else says what is judged', async () => {
  const file = configFile(CONFIG);
  await expect(configure({ config: file }, {})).rejects.toThrow('has several targets: name one of staging, nightly');
  await expect(configure({ config: file }, { target: 'stagin' })).rejects.toThrow(
    '(did you mean “staging”?); there are: staging',
  );
  await expect(configure({}, { target: 'http://me:pw@host' })).rejects.toThrow(
    /^“http:\/\/…” is an address, .*--base-url/,
  );
  await expect(configure({ config: join(file, '../no.yaml') }, {})).rejects.toThrow(
    'there is no such configuration file',
  );
  expect((await configure({ simulator: true, config: file }, { env })).targetName).toBeUndefined();
  const single = configFile('targets: { only: { simulator: true } }');
  expect((await configure({ config: single }, {})).targetName).toBe('only');
  expect([await hasTarget('only', single), await hasTarget('toString', single)]).toEqual([true, false]);
});

test('a command that cannot use a recording refuses such a target', async () => {
  const attempt = configure({ config: configFile(CONFIG) }, { target: 'nightly', env, omit: ['recording'] });
  await expect(attempt).rejects.toThrow(':10: targets.nightly.recording: cannot be used with this command');
});

test('a command without the flag of a setting that changes what gates or what is sent refuses it', async () => {
  const file = configFile('ruleSet: 0.1.0\nsafety: read\n');
  await expect(configure({ config: file }, { flags: {} })).rejects.toThrow(
    ':1: ruleSet: is not supported by this command',
  );
  expect((await configure({ config: file }, { flags: { 'rule-set VERSION': '' } })).values).toMatchObject({
    'rule-set': '0.1.0',
  });
});

test('a rule set that there is not is refused with its line', async () => {
  const file = configFile('safety: read\nruleSet: 0.1.5\n');
  await expect(configure({ config: file }, {})).rejects.toThrow(
    ':2: ruleSet: there is no rule set “0.1.5” (did you mean “0.1.0”?)',
  );
});

test('waivers carry the line that lists them, and a module is a configuration, too', async () => {
  const file = configFile('waivers:\n  - { rule: C.upc-12-digits, reason: known, expires: 2027-01-31 }\n');
  const { values } = await configure({ config: file }, {});
  expect(values.waivers).toEqual([
    { rule: 'C.upc-12-digits', reason: 'known', expires: '2027-01-31', source: `${relative('.', file)}:2` },
  ]);
  const failing = configFile('throw null;', 'mdwi.config.mts');
  await expect(configure({ config: failing }, {})).rejects.toThrow(
    /mdwi\.config\.mts: cannot be loaded: it throws null$/,
  );
  const wrong = configFile('export default { targets: { staging: { saftey: "job" } } };', 'mdwi.config.mts');
  await expect(configure({ config: wrong }, {})).rejects.toThrow(
    /mdwi\.config\.mts: targets\.staging: unknown key “saftey”/,
  );
});
