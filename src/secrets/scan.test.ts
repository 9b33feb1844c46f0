import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { describeLeaks, LeakError, quarantine } from '../recording/record/quarantine.ts';
import { newFolder } from '../resources.test.support.ts';
import fc from '../seeded-fast-check.test.support.ts';
import { CANARY_FOUND, tryCanary } from './canary.ts';
import { formsOf } from './forms.ts';
import { Protection } from './hide-in-exchange.ts';
import { PlaceholderRegistry } from './placeholder-registry.ts';
import { makeReceipt, redactionReceipt } from './redaction-receipt.ts';
import { scanForLeaks } from './scan.ts';

const SECRET = `p&s'w"rd ü/+z`;
const declared = [{ name: 'password', value: SECRET }];
let folder: string;

beforeEach(async () => {
  folder = newFolder();
  await mkdir(join(folder, 'bodies'));
});

describe('the scan', () => {
  test('finds it at the edges of what is read at once', async () => {
    const registry = new PlaceholderRegistry({ declared: [{ name: 'key', value: 'n33dle-in-a-stack' }] });
    const chunk = 1024 * 1024;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: -40, max: 40 }), async (nudge) => {
        const offset = chunk + nudge;
        await writeFile(join(folder, 'big'), `${' '.repeat(offset)}n33dle-in-a-stack${' '.repeat(chunk)}`);
        const { leaks } = await scanForLeaks(folder, registry);
        expect(leaks).toEqual([{ file: 'big', name: 'key', declared: true, form: 'raw', offset }]);
      }),
      { numRuns: 6 },
    );
  });

  test('finds it in gzip files, in broken ones too, and in names of files', async () => {
    const registry = new PlaceholderRegistry({ declared: [{ name: 'key', value: 'n33dle-in-a-stack' }] });
    const zipped = gzipSync(`${'some text '.repeat(5000)}n33dle-in-a-stack${'more '.repeat(50_000)}`);
    await writeFile(join(folder, 'whole.gz'), zipped);
    await writeFile(join(folder, 'broken.gz'), zipped.subarray(0, -20));
    await writeFile(join(folder, 'n33dle-in-a-stack'), '');
    const { leaks } = await scanForLeaks(folder, registry);
    expect(leaks.map(({ file, offset }) => [file, offset]).sort()).toEqual([
      ['broken.gz', 50_000],
      ['n33dle-in-a-stack', -1],
      ['whole.gz', 50_000],
    ]);
  });

  test('finds what was learned late, and counts placeholders', async () => {
    const protection = new Protection();
    const early = 'echo a1b2c3d4e5f6';
    await writeFile(join(folder, 'early'), protection.text(early, { side: 'response' }));
    const late = protection.text('{"token":"a1b2c3d4e5f6","again":"a1b2c3d4e5f6"}', { side: 'response' });
    await writeFile(join(folder, 'late'), late);
    const scan = await scanForLeaks(folder, protection.registry);
    expect(scan.leaks.map(({ file, name }) => [file, name])).toEqual([['early', 'token']]);
    expect(scan.placeholders).toEqual({ mdwiToken1xx: 2 });
    expect(scan.bytes).toBe(early.length + late.length);
  });
});

test('a leak sets the folder aside, and git ignores it', async () => {
  const recording = join(folder, 'acme');
  await mkdir(recording);
  await writeFile(join(recording, 'recording.har'), SECRET);
  const { leaks } = await scanForLeaks(recording, new PlaceholderRegistry({ declared }));
  const now = new Date('2026-11-21T08:49:55.123Z');
  const to = await quarantine(`${recording}/`, now);
  expect(to).toBe(`${recording}.quarantined-20261121T084955Z`);
  expect(await readFile(join(to, '.gitignore'), 'utf8')).toBe('*\n');
  expect(await readFile(join(to, 'recording.har'), 'utf8')).toBe(SECRET);
  await mkdir(recording);
  expect(await quarantine(recording, now)).toBe(`${to}-2`);
  const sentence = describeLeaks(leaks, to);
  expect(sentence).toContain('a secret (password, form raw) is in recording.har at byte 0');
  expect(sentence).not.toContain(SECRET);
  const { message } = new LeakError(leaks);
  expect(message).toMatch(
    /^a secret \(password, form raw\) would be stored .*deleted now: a declared value cannot be hidden there: declare it no/,
  );
  expect(message).not.toContain('recording.har');
  const received = leaks.map((each) => ({ ...each, declared: false }));
  expect(describeLeaks(received, to)).toContain('name the value with --secret, or its header');
});

test('the canary sings, and leaves nothing behind', async () => {
  expect(await tryCanary(folder, { declared })).toBe(CANARY_FOUND);
  expect(await readdir(folder)).toEqual(['bodies']);
});

test('the receipt tells placeholders, rules and what was not sought, and no secret', async () => {
  const protection = new Protection({ declared: [...declared, { name: 'tenant', value: 'US' }] });
  await writeFile(join(folder, 'file'), protection.text(`${SECRET} ${SECRET}`, { side: 'response' }));
  const scan = await scanForLeaks(folder, protection.registry);
  const receipt = makeReceipt(protection.registry, scan, { canary: CANARY_FOUND });
  expect(redactionReceipt.parse(receipt)).toEqual(receipt);
  expect(receipt).toMatchObject({
    placeholders: { mdwiPassword: 2 },
    scannedBytes: 25,
    scannedFiles: 1,
    unsought: { tenant: 'shorter than 4 characters' },
  });
  expect(receipt.rules).toContain('JSON members');
  for (const { bytes } of formsOf(SECRET, 'x')) expect(JSON.stringify(receipt)).not.toContain(bytes.toString('latin1'));
});
