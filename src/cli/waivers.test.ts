import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSimulator } from '../../simulator/server.ts';
import { ALL_PRODUCTS } from '../contract/index.ts';
import { listen, newFolder } from '../resources.test.support.ts';
import type { Run } from '../run/types.ts';
import { perform } from './perform.test.support.ts';

const folder = newFolder(afterAll);
const fileIn = (name: string): string => join(folder, name);
const readRunOf = (name: string): Run => JSON.parse(readFileSync(fileIn(name), 'utf8')) as Run;
const write = (name: string, text: string): string => {
  writeFileSync(fileIn(name), text);
  return fileIn(name);
};
let closeAll: (() => Promise<unknown>)[] = [];
let sound: string;
let faulty: string;
let wrong: string;

/** Runs the command line in this process. */
const mdwi = (...args: string[]) => perform(args);

const RULES = ['--rule', 'C.upc-*', '--rule', 'C.bulk-unique'];
const runAt = (base: string, ...flags: string[]) =>
  mdwi('run', '--base-url', base, '--profile', 'reference', ...RULES, ...flags);
const waive = (...flags: string[]) => mdwi('waive', '--reason', 'ticket 7', '--expires', '2999-12-31', ...flags);

beforeAll(async () => {
  const servers = [
    await startSimulator({ products: 20 }),
    await startSimulator({ products: 20, fault: 'bulk-upc-11-digits' }),
    await startSimulator({ products: 60, fault: 'lookup-misses-some' }),
  ];
  [sound, faulty, wrong] = servers.map(({ url }) => url) as [string, string, string];
  closeAll = servers.map(({ close }) => close);
  await runAt(faulty, '--report', `json=${fileIn('red.json')}`);
});

afterAll(() => Promise.all(closeAll.map((close) => close())));

describe('a waived failure', () => {
  test('is written by mdwi waive, and leaves the gate green and the failure shown', async () => {
    const { code, stdout } = await waive('--from', fileIn('red.json'), '--owner', 'ann', '--waivers', fileIn('w.yaml'));
    expect(code).toBe(0);
    expect(stdout).toContain('1 waiver added');
    expect(stdout).toMatch(/upc-too-few-digits\n {4}.*\d{11}/);
    const green = await runAt(faulty, '--waivers', fileIn('w.yaml'), '--report', `json=${fileIn('green.json')}`);
    expect(green.code).toBe(0);
    expect(green.stdout).toMatch(
      /~ C\.upc-12-digits on GET \S+ {2}\(.*ann, expires 2999-12-31, \d+ days left\)\n {4}ticket 7/,
    );
    const run = readRunOf('green.json');
    expect(run.outcome).toBe('conformant-with-waivers');
    expect(run.outcomeInScope).toMatch(
      /^conformant-with-waivers \(C, read, standard, filtered; 1 waived, \d+ days left\)$/,
    );
    expect(run.waivers).toMatchObject([
      {
        source: expect.stringMatching(/w\.yaml:4$/),
        rule: 'C.upc-12-digits',
        operation: ALL_PRODUCTS,
        state: 'covers',
      },
    ]);
    expect(run.results.find(({ waived }) => waived)).toMatchObject({ verdict: 'fail', gating: true });
  });

  test('that makes another check inconclusive is waived with it', async () => {
    const rules = ['--rule', 'C.upc-*', '--rule', 'C.filter-c*'];
    const run = (...flags: string[]) => mdwi('run', '--base-url', faulty, '--profile', 'reference', ...rules, ...flags);
    await run('--report', `json=${fileIn('red2.json')}`);
    const { stdout } = await waive('--from', fileIn('red2.json'), '--waivers', fileIn('w9.yaml'));
    expect(stdout).toContain('C.filter-complete/allProducts/inconclusive');
    const { code } = await run('--waivers', fileIn('w9.yaml'), '--report', `json=${fileIn('green2.json')}`);
    expect([code, readRunOf('green2.json').outcome]).toEqual([0, 'conformant-with-waivers']);
    expect((await waive('--from', fileIn('green2.json'))).stdout).toContain('nothing to write');
  });

  test('is none that a cause of the run explains', async () => {
    const server = createServer((_, response) => response.writeHead(401).end());
    await runAt(await listen(server), '--report', `json=${fileIn('refused.json')}`);
    const { stdout } = await waive('--from', fileIn('refused.json'), '--waivers', fileIn('w401.yaml'));
    expect(stdout).toContain('no waiver is written for what a cause explains: 401 on every request');
    expect(existsSync(fileIn('w401.yaml'))).toBe(false);
  });

  test('that is stale is deleted by --prune, which names it, and leaves the others and their comments', async () => {
    const upcs = '- rule: C.upc-12-digits\n  reason: mended # gone\n';
    const others = '# of the report\n- { rule: C.bulk-stable, reason: known }\n';
    const file = write('prune.yaml', `${upcs}- { rule: C.bulk-unique, reason: old, expires: 2020-01-01 }\n${others}`);
    await runAt(sound, '--waivers', file, '--report', `json=${fileIn('stale.json')}`);
    expect((await waive('--from', fileIn('stale.json'), '--prune')).code).toBe(2);
    const prune = () => mdwi('waive', '--from', fileIn('stale.json'), '--prune', '--waivers', file);
    const { code, stdout } = await prune();
    expect(code).toBe(0);
    expect(stdout).toContain('prune.yaml: 2 waivers deleted\n');
    expect(stdout).toMatch(/prune\.yaml:1 C\.upc-12-digits: its checks pass now/);
    expect(stdout).toMatch(/prune\.yaml:3 C\.bulk-unique: is expired/);
    expect(readFileSync(file, 'utf8')).toBe(others);
    expect((await prune()).stdout).toContain('0 waivers deleted, 2 waivers not found');
    expect((await runAt(sound, '--waivers', file)).code).toBe(0);
  });

  test('shows what it covers, and that it never expires', async () => {
    const file = write('endless.yaml', '- { rule: C.upc-12-digits, reason: known }\n');
    const { code, stdout } = await runAt(faulty, '--waivers', file);
    expect([code, stdout]).toEqual([0, expect.stringContaining('never expires: add expires')]);
    expect(stdout).toMatch(/covers\s+C\.upc-12-digits on GET \S+: row \d+: upc is .*\d{11}/);
  });
});

describe('mdwi waive', () => {
  test('names the requests that showed a failure, and every run sends them', async () => {
    const lookups = ['--rule', 'C.lookup-listed'];
    const at = (...flags: string[]) => mdwi('run', '--base-url', wrong, '--profile', 'reference', ...lookups, ...flags);
    await at('--report', `json=${fileIn('lookup.json')}`);
    await waive('--from', fileIn('lookup.json'), '--waivers', fileIn('lookup.yaml'));
    const text = readFileSync(fileIn('lookup.yaml'), 'utf8');
    expect(text).toMatch(/inputs:\n( {6}- upc: "\d{12}"\n)+/);
    expect((await at('--waivers', fileIn('lookup.yaml'))).code).toBe(0);
  });

  test('adds to a file without losing comments, and nothing twice', async () => {
    const file = write(
      'kept.yaml',
      '# ours\nwaivers:\n  # the report is missing\n  - { rule: C.bulk-stable, reason: known } # until May\n',
    );
    expect((await waive('--from', fileIn('red.json'), '--waivers', file)).stdout).toContain('1 waiver added');
    const text = readFileSync(file, 'utf8');
    for (const kept of ['# ours', '# the report is missing', '{ rule: C.bulk-stable, reason: known } # until May'])
      expect(text).toContain(kept);
    expect(text).toContain('fingerprints:\n      - C.upc-12-digits/allProducts/upc-too-few-digits');
    expect((await waive('--from', fileIn('red.json'), '--waivers', file)).stdout).toContain('1 waiver in it already');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test('adds to the list of a configuration', async () => {
    const file = write('mdwi.config.yaml', 'safety: read # why\nwaivers: []\n');
    const { code, stdout } = await waive('--from', fileIn('red.json'), '--config', file);
    expect([code, stdout.includes('--waivers')]).toEqual([0, false]);
    expect(readFileSync(file, 'utf8')).toMatch(/^safety: read # why\nwaivers:\n {2}- rule: C\.upc-12-digits\n/);
    expect((await runAt(faulty, '--config', file)).code).toBe(0);
  });

  test('goes to waivers.yaml beside the configuration, which the next run reads unasked', async () => {
    const beside = join(folder, 'beside');
    mkdirSync(beside);
    const config = join(beside, 'mdwi.config.yaml');
    writeFileSync(config, 'safety: read\n');
    expect((await runAt(faulty, '--config', config)).code).toBe(1);
    const { stdout } = await waive('--from', fileIn('red.json'), '--config', config);
    expect(stdout).toContain('beside/waivers.yaml: 1 waiver added');
    expect(stdout).not.toContain('--waivers');
    expect((await runAt(faulty, '--config', config)).code).toBe(0);
    const shown = await runAt(faulty, '--config', config, '--print-config');
    expect(shown.stdout).toMatch(/^waivers +\S*beside\/waivers\.yaml +default$/m);
    writeFileSync(config, 'waivers: []\n');
    expect((await runAt(faulty, '--config', config)).code).toBe(1);
  });

  test.each([
    ['no reason', ['--reason', ' '], '--reason is missing or empty'],
    ['no date', ['--expires', 'March'], '--expires March: a date such as 2027-01-31 is needed'],
    ['a day that is past', ['--expires', '2020-01-01'], '--expires 2020-01-01: this day is past'],
    ['no run', ['--from', 'none.json'], 'none.json: there is no such file'],
  ])('refuses %s', async (_, flags, says) => {
    const given = { '--from': fileIn('red.json'), '--reason': 'r', '--expires': '2999-01-01' };
    const { code, stderr } = await mdwi(
      'waive',
      ...(Object.entries({ ...given, [flags[0] as string]: flags[1] }).flat() as string[]),
    );
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
  });
});

describe('a file of waivers is checked before anything is sent', () => {
  test.each([
    [
      'an unknown key',
      '- rule: C.upc-*\n  reason: known\n  expiry: 2027-01-01\n',
      /w2\.yaml:3: \[0\]: unknown key “expiry” \(did you mean “expires”\?\)/,
    ],
    ['no reason', 'waivers:\n  - rule: C.upc-*\n', /w2\.yaml:2: waivers\[0\]\.reason: is missing and must be a text/],
    [
      'no date',
      '- { rule: a, reason: b, expires: soon }\n',
      /w2\.yaml:1: \[0\]\.expires: must be a day such as 2027-01-31/,
    ],
    ['intermittent without an end', '- { rule: a, reason: b, intermittent: true }\n', /intermittent: needs expires/],
    ['no YAML', '- {', /w2\.yaml:1: /],
  ])('%s', async (_, text, says) => {
    const { code, stderr } = await runAt('http://127.0.0.1:1', '--waivers', write('w2.yaml', text));
    expect([code, stderr]).toEqual([2, expect.stringMatching(says)]);
  });
});
