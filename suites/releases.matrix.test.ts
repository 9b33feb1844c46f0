/** What users of each release have is judged by this version as by theirs. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { firstOutput } from '../src/processes.test.support.ts';
import { random } from '../src/seeded-random.test.support.ts';
import {
  errorsOf,
  expectAsBefore,
  expectRecordingsAsBefore,
  judge,
  recordingsOf,
  SERVICES,
  targetsOf,
  unpack,
} from './releases.test.support.ts';

const STRANGERS = join(import.meta.dirname, '../bench/strangers');
const serverOf = (service: string): string => join(STRANGERS, basename(service), 'server.py');

test.each(SERVICES)('%s: no gate turns red, and no proof is lost', expectRecordingsAsBefore);

// A recording cannot show that a request is wrong which no earlier version sent.
const PYTHON = SERVICES.filter((service) => existsSync(serverOf(service)));

test.each(PYTHON)('%s: the service itself, which gets the requests of today', async (service) => {
  const child = spawn('python3', [serverOf(service)], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill());
  const [url = ''] = /http:\S+/.exec(await firstOutput(child)) ?? [];
  await expectAsBefore(unpack(service), '--base-url', url, '--safety', 'all');
});

test.each(SERVICES)('%s: what a recording does not hold is never broken', async (service) => {
  const folder = unpack(service);
  for (const file of recordingsOf(folder)) {
    const har = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    const lost = new Map<string, boolean>();
    har.log.entries = har.log.entries.filter(({ _mdwi: { key } }: { _mdwi: { key: string } }) => {
      // What the waived failure needs stays, so that no waiver is stale.
      if (!lost.has(key)) lost.set(key, !key.includes('allProducts') && random() < 0.1);
      return !lost.get(key);
    });
    writeFileSync(join(folder, file), JSON.stringify(har));
  }
  for (const target of targetsOf(folder)) {
    const { code, output, run } = await judge(folder, target);
    expect([code, errorsOf(run)], output).toEqual([0, []]);
  }
});
