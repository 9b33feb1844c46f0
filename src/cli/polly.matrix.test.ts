/** Stock Polly answers every request of our recordings, whatever the service speaks. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import http from 'node:http'; // whole: Polly patches its functions, and imports by name would miss that
import { join } from 'node:path';
import NodeHttpAdapter from '@pollyjs/adapter-node-http';
import { Polly } from '@pollyjs/core';
import { expect, onTestFinished, test } from 'vitest';
import { DIALECT_NAMES } from '../../simulator/dialects/names.ts';
import { startGateway } from '../../simulator/gateway/gateway.ts';
import { startSimulator } from '../../simulator/server.ts';
import { RULES } from '../../suites/index.ts';
import { judgeTarget } from '../commands/judge-target.ts';
import { loadProfile } from '../profile/load.ts';
import { fromHarEntry, targetOf } from '../recording/format/entry.ts';
import { RECORDED_ORIGIN } from '../recording/format/origin.ts';
import { matchingOf } from '../recording/format/profile-matching.ts';
import type { RecordedExchange, RecordedRequest, StoredBody } from '../recording/format/recorded-exchange.ts';
import { parseHar } from '../recording/format/schema.ts';
import { pollySettings, restoreBodies } from '../recording/store/polly-preset.ts';
import { newFolder } from '../resources.test.support.ts';
import { protectionOf } from '../secrets/declared-secrets.ts';

/** Not those of every operation, whose many requests lead nowhere and are answered alike. */
const OF_GROUPS = RULES.filter(({ id }) => !id.startsWith('every.'));
const HOST = 'http://any.host';
/** What node:http says itself. */
const OWN = /^(?:host|connection|content-length|transfer-encoding)$/i;

function recordedIn(folder: string): RecordedExchange[] {
  const [har = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((each) => each.endsWith('.har'));
  return parseHar(readFileSync(join(folder, har), 'utf8'), har).log.entries.map(fromHarEntry);
}

const bytesOf = (folder: string, body: StoredBody | undefined): Buffer => {
  if (!body) return Buffer.alloc(0);
  return 'file' in body ? readFileSync(join(folder, body.file)) : Buffer.from(body.text, 'utf8');
};

function ask(request: RecordedRequest, body: Buffer): Promise<[status: number, body: string]> {
  const headers = Object.fromEntries(request.headers.filter(([name]) => !OWN.test(name)));
  const options = { method: request.method, path: targetOf(request), host: 'any.host', headers };
  return new Promise((resolve, reject) => {
    const sent = http.request(options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve([response.statusCode ?? 0, Buffer.concat(parts).toString('latin1')]));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

test.each(DIALECT_NAMES)('in the dialect %s', async (dialect) => {
  const dir = newFolder();
  const profile = await loadProfile(dialect);
  const simulator = await startSimulator({ dialect, products: 20 });
  const gateway = await startGateway({
    upstream: simulator.url,
    dir,
    name: 'law',
    about: { suite: 'test', source: 'simulator', profile: dialect },
    protection: protectionOf(profile),
    matching: matchingOf(profile),
  });
  const selection = { safety: 'all', groups: ['A', 'D'] } as const;
  await judgeTarget({ base: gateway.url, profile, selection, rules: OF_GROUPS, wait: async () => undefined });
  await gateway.close();
  await simulator.close();
  const folder = join(dir, 'law');
  expect(statSync(folder).isDirectory()).toBe(true);
  const exchanges = recordedIn(folder).filter(({ failure }) => !failure);
  expect(exchanges.length).toBeGreaterThan(100);
  const polly = new Polly('main', { ...pollySettings(folder), adapters: [NodeHttpAdapter] } as never);
  onTestFinished(() => polly.stop());
  restoreBodies(polly, folder);
  for (const { request, response, key } of exchanges) {
    const recorded = request.method === 'HEAD' ? '' : bytesOf(folder, response?.body).toString('latin1');
    expect([key, ...(await ask(request, bytesOf(folder, request.body)))]).toEqual([
      key,
      response?.status,
      recorded.replaceAll(RECORDED_ORIGIN, HOST),
    ]);
  }
});
