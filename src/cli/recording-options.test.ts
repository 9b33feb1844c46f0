import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startGateway } from '../../simulator/gateway/gateway.ts';
import { serve } from '../../simulator/gateway/servers.test.support.ts';
import { startReplay } from '../../simulator/replay/replay.ts';
import { loadProfile } from '../profile/load.ts';
import { parseProvenance } from '../recording/format/schema.ts';
import { openRecording } from '../recording/store/open-recording.ts';
import { newFolder } from '../resources.test.support.ts';
import type { ProtectionOptions } from '../secrets/hide-in-exchange.ts';

const SECRET = 'canary-7f3a9c51-do-not-write';

/** Records one request to a service that says a text. */
async function record(dir: string, text: string, path: string, protection?: ProtectionOptions): Promise<void> {
  const upstream = await serve((_, response) => response.end(text));
  const about = { suite: 'test', source: 'live', profile: 'empty' } as const;
  const gateway = await startGateway({ upstream, dir, name: 'mine', about, ...(protection && { protection }) });
  await (await fetch(`${gateway.url}${path}`)).text();
  await gateway.close();
}

const declared = { declared: [{ name: 'secret', value: SECRET }] };

test.each([
  ['as it is', SECRET],
  ['in base64', Buffer.from(`x${SECRET}`).toString('base64')],
  ['in hex', Buffer.from(SECRET).toString('hex')],
])(
  'a recording in which a former one left a credential %s is set aside, and the sentence does not say it',
  async (_, text) => {
    const dir = newFolder();
    await record(dir, `{"text":"${text}"}`, '/former');
    const again = record(dir, 'nothing of the kind', '/now', declared);
    await expect(again).rejects.toThrow(
      /a secret \(.*\) is in .*recording\.har at byte \d+.*set aside as .*mine\.quarantined-/,
    );
    await expect(again).rejects.not.toThrow(SECRET);
    expect(existsSync(join(dir, 'mine'))).toBe(false);
    const [aside = ''] = readdirSync(dir);
    expect(aside).toMatch(/^mine\.quarantined-/);
    expect(readdirSync(join(dir, aside))).not.toContain('.lock');
  },
);

test('until it is closed, a recording states that it has not been scanned for secrets', async () => {
  const dir = newFolder();
  const upstream = await serve((_, response) => response.end('ok'));
  const about = { suite: 'test', source: 'live', profile: 'empty' } as const;
  const gateway = await startGateway({ upstream, dir, name: 'mine', about, protection: declared });
  const scanOf = (): string =>
    parseProvenance(readFileSync(join(dir, 'mine', 'provenance.json'), 'utf8'), 'p').redaction.scan;
  await fetch(gateway.url);
  await expect.poll(() => existsSync(join(dir, 'mine', 'provenance.json'))).toBe(true);
  expect(scanOf()).toBe('pending');
  await gateway.close();
  expect(scanOf()).toBe('clean');
});

test('a recording with invented data is not mixed with one without', async () => {
  const dir = newFolder();
  await record(dir, 'x', '/x');
  const upstream = await serve((_, response) => response.end('ok'));
  const about = { suite: 'test', source: 'live', profile: 'empty' } as const;
  const scrub = { kinds: ['uploads'], profile: await loadProfile('empty') } as const;
  await expect(startGateway({ upstream, dir, name: 'mine', about, scrub })).rejects.toThrow(
    /mine was recorded without --scrub: do so again, or choose another name/,
  );
});

test('a secret in the service’s own address is hidden, and clients of the replay use paths below the placeholder', async () => {
  const dir = newFolder();
  const upstream = await serve(({ url }, response) => void response.writeHead(200, `by ${url}`).end(url));
  const about = { suite: 'test', source: 'live', profile: 'empty' } as const;
  const base = `${upstream}/tenant/${SECRET}/api`;
  const gateway = await startGateway({ upstream: base, dir, name: 'mine', about, protection: declared });
  expect(await (await fetch(`${gateway.url}/x`)).text()).toBe(`/tenant/${SECRET}/api/x`);
  await gateway.close();
  const text = readdirSync(join(dir, 'mine'), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => readFileSync(join(each.parentPath, each.name), 'utf8'))
    .join();
  expect(text).not.toContain(SECRET);
  const replay = await startReplay({ recording: openRecording(dir, 'mine') });
  onTestFinished(() => replay.close());
  expect(replay.url).toMatch(/\/tenant\/mdwiSecret\/api$/);
  const answer = await fetch(`${replay.url}/x`);
  expect([answer.status, await answer.text()]).toEqual([200, '/tenant/mdwiSecret/api/x']);
});
