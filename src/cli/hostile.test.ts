/**
 * Servers that break off, stall or send what nobody can read: nothing is proved by it, nothing crashes, and the run ends.
 * Those that give one answer to everything are the degenerate servers of the selftest.
 */
import { describe, expect, test } from 'vitest';
import { serve, serveRaw } from '../../simulator/gateway/servers.test.support.ts';
import { judgeTarget } from '../commands/judge-target.ts';
import type { Profile } from '../profile/schema.ts';
import type { Run, Selection } from '../run/types.ts';
import { patchedProfile } from '../selftest/patched-profile.ts';

/** The reference profile with the patience of a test. */
async function impatient(limits: Profile['data']['limits']): Promise<Profile> {
  const reference = await patchedProfile('reference');
  return { ...reference, data: { ...reference.data, limits } };
}

async function judge(base: string, profile: Profile, selection: Partial<Selection> = {}): Promise<Run> {
  const run = await judgeTarget({ base, profile, selection: { safety: 'all', ...selection } });
  expect(run.exitCode, run.reason).not.toBe(0);
  expect(run.exitCode, run.reason).not.toBe(70);
  return run;
}

const passes = (run: Run) =>
  run.results
    .filter((each) => each.verdict === 'pass')
    .map((each) => `${each.rule} ${each.operation}: ${each.note ?? ''}`);

describe('a server that breaks off, stalls or babbles', () => {
  const only = { timeoutMs: 300 };

  test('resets every connection: stopped after a few, undetermined', async () => {
    const run = await judge(await serveRaw((socket) => socket.resetAndDestroy()), await impatient(only));
    expect(run.exitCode).toBe(3);
    expect(passes(run)).toEqual([]);
    expect(run.manifest.requests).toBeLessThan(20);
  });

  const json = (body: string | Buffer) => () =>
    serve((_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(body));
  const spoken = (text: string) => () => serveRaw((socket) => socket.end(`HTTP/1.1 200 OK\r\n${text}`));
  test.each<[string, () => Promise<string>]>([
    [
      'a chunked body cut off',
      spoken('content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n'),
    ],
    ['a status line and nothing more', spoken('')],
    ['numbers beyond any', json('{"products":[{"upc":1e999}],"rows":[{"sales4Weeks":1e999}]}')],
    ['a prototype', json('{"__proto__":{"products":[{"upc":"012345678905"}]},"constructor":1}')],
  ])('%s', async (_, start) => {
    expect(passes(await judge(await start(), await impatient(only), { groups: ['C'] }))).toEqual([]);
  });
});
