import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { firstOutput, startMain } from '../../src/processes.test.support.ts';
import { parseProvenance } from '../../src/recording/format/schema.ts';
import { openRecording } from '../../src/recording/store/open-recording.ts';
import { newFolder } from '../../src/resources.test.support.ts';
import { startGateway } from './gateway.ts';
import { ABOUT, gatewayTo, readLane, sendRequest, serve } from './servers.test.support.ts';

/** The files of a recording by name, provenance aside. */
const filesOf = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile() && each.name !== 'provenance.json')
      .map((each) => [each.name, readFileSync(join(each.parentPath, each.name), 'latin1')]),
  );

/** A gateway in a process of its own, and its address. */
async function spawnGateway(upstream: string, dir: string): Promise<{ child: ChildProcess; url: string }> {
  const { child } = startMain(['gateway', '--upstream', upstream, '--name', 'test', '--recordings', dir]);
  return { child, url: await firstOutput(child) };
}

test('recording an unchanged service again changes no byte, whatever its dates and request ids', async () => {
  let count = 0;
  const upstream = await serve((request, response) => {
    response.setHeader('date', new Date(count * 1e9).toUTCString());
    response.setHeader('x-request-id', `${count++}`);
    response.setHeader('content-type', 'application/json');
    response.end(request.url === '/long' ? `"${'x'.repeat(100_000)}"` : '{"a":1}');
  });
  const dir = newFolder();
  const round = async (paths: readonly string[], agent: string) => {
    const gateway = await gatewayTo(upstream, { dir });
    for (const path of paths) await sendRequest(`${gateway.url}${path}`, { headers: { 'user-agent': agent } });
    await gateway.close();
    return filesOf(gateway.folder);
  };
  const first = await round(['/b', '/a', '/a', '/long'], 'one/1');
  expect(Object.keys(first).length).toBe(2);
  expect(await round(['/long', '/a', '/a', '/b'], 'two/2')).toEqual(first);
  expect(await round(['/a'], 'two/2')).toEqual(first);
  const more = await round(['/c'], 'two/2');
  expect(more).not.toEqual(first);
  expect(readLane(join(dir, 'test')).map(({ key, order }) => `${key} ${order}`)).toEqual([
    'GET /a 0',
    'GET /a 1',
    'GET /b 0',
    'GET /c 0',
    'GET /long 0',
  ]);
});

test('a changed response replaces the old one and the history after it', async () => {
  let answers = ['pending', 'running', 'done'];
  const upstream = await serve((_, response) => void response.end(answers.shift()));
  const dir = newFolder();
  const round = async (said: string[]) => {
    const gateway = await gatewayTo(upstream, { dir });
    answers = [...said];
    for (const _ of said) await sendRequest(`${gateway.url}/status`);
    return (await gateway.recordedIn()).map(({ response }) =>
      response?.body && 'text' in response.body ? response.body.text : '',
    );
  };
  expect(await round(['pending', 'running', 'done'])).toEqual(['pending', 'running', 'done']);
  expect(await round(['pending'])).toEqual(['pending', 'running', 'done']);
  expect(await round(['pending', 'done'])).toEqual(['pending', 'done']);
});

test('two recorders cannot write one folder; the lock of a dead one is taken over', async () => {
  const upstream = await serve((_, response) => void response.end('ok'));
  const dir = newFolder();
  const first = await gatewayTo(upstream, { dir });
  await expect(startGateway({ upstream, dir, name: 'test', about: ABOUT })).rejects.toThrow(
    new RegExp(`test is being recorded by process ${process.pid} on ${hostname()}: end that one first`),
  );
  await sendRequest(first.url);
  await first.close();
  expect(existsSync(join(first.folder, '.lock'))).toBe(false);
  for (const stale of [
    JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }),
    '{"pid":',
    JSON.stringify({ pid: process.pid, host: hostname(), began: '1' }),
  ]) {
    writeFileSync(join(first.folder, '.lock'), stale);
    const next = await gatewayTo(upstream, { dir });
    await sendRequest(next.url);
    await next.close();
  }
  writeFileSync(join(first.folder, '.lock'), JSON.stringify({ pid: 1, host: 'elsewhere' }));
  await expect(startGateway({ upstream, dir, name: 'test', about: ABOUT })).rejects.toThrow('process 1 on elsewhere');
});

test('killed at any moment, a recorder leaves the last good set', async () => {
  const upstream = await serve((request, response) => {
    response.setHeader('content-type', 'image/png');
    response.end(request.url === '/big' ? Buffer.alloc(3_000_000, 1) : 'small');
  });
  const dir = newFolder();
  const folder = join(dir, 'test');
  let least = 0;
  for (const afterMs of [120, 600]) {
    const { child, url } = await spawnGateway(upstream, dir);
    const until = performance.now() + afterMs;
    for (let at = 0; performance.now() < until; at++)
      await sendRequest(`${url}/${at % 3 === 0 ? 'big' : at}`).catch(() => undefined);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const kept = readLane(folder);
    expect(kept.length).toBeGreaterThanOrEqual(least);
    least = kept.length;
    // The provenance names a lane after its file is in place: killed in between, it does not name it yet.
    if (least > 0) expect([...openRecording(dir, 'test').lanes.keys()]).toEqual(['main']);
    for (const { response } of kept)
      if (response?.body && 'file' in response.body)
        expect(readFileSync(join(folder, response.body.file)).length).toBe(response.body.bytes);
  }
  const last = await gatewayTo(upstream, { dir });
  await sendRequest(`${last.url}/end`);
  await last.close();
  expect(readLane(folder).length).toBeGreaterThan(least);
  expect(readdirSync(folder, { recursive: true }).filter((each) => `${each}`.endsWith('.part'))).toEqual([]);
});

test('the next recorder removes the temporary files of a killed one', async () => {
  const upstream = await serve((_, response) => void response.end('ok'));
  const dir = newFolder();
  const folder = join(dir, 'test');
  const orphan = join(folder, 'bodies', `sha256-${'0'.repeat(64)}`);
  const round = async (path: string) => {
    const gateway = await gatewayTo(upstream, { dir });
    await sendRequest(`${gateway.url}${path}`);
    await gateway.close();
  };
  await round('/a');
  mkdirSync(join(folder, 'bodies'));
  writeFileSync(orphan, 'a body whose entry was never written');
  await round('/b');
  // Nobody died: what lies there may be somebody else’s.
  expect(existsSync(orphan)).toBe(true);
  mkdirSync(join(folder, '.canary-x'));
  for (const each of ['bodies/9-9.part', '.lock.9.1.part', '.canary-x/body']) writeFileSync(join(folder, each), 'x');
  writeFileSync(join(folder, '.lock'), JSON.stringify({ pid: process.pid, host: hostname(), began: '1' }));
  await round('/c');
  expect(existsSync(orphan)).toBe(false);
  expect(readdirSync(folder).filter((each) => each.startsWith('.'))).toEqual([]);
  expect(readLane(folder).map(({ key }) => key)).toEqual(['GET /a', 'GET /b', 'GET /c']);
});

test('of several recorders that start at once exactly one gets the folder', async () => {
  const upstream = await serve((_, response) => void response.end('ok'));
  const dir = newFolder();
  mkdirSync(join(dir, 'test'));
  writeFileSync(join(dir, 'test', '.lock'), JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }));
  const started = await Promise.allSettled(
    Array.from({ length: 8 }, () => startGateway({ upstream, dir, name: 'test', about: ABOUT })),
  );
  const [winner, ...others] = started.filter((each) => each.status === 'fulfilled');
  expect(others).toEqual([]);
  for (const each of started)
    if (each.status === 'rejected')
      expect(each.reason.message).toMatch(/is being recorded by process \d+ on .*: end that one first/);
  await winner?.value.close();
});

test('a folder that is removed or moved while it is recorded ends that with one sentence', async () => {
  const upstream = await serve((_, response) => void response.end('ok'));
  const gateway = await gatewayTo(upstream);
  await sendRequest(`${gateway.url}/first`);
  renameSync(gateway.folder, `${gateway.folder}-moved`);
  await sendRequest(`${gateway.url}/second`);
  await expect(gateway.broken).rejects.toThrow(
    /test, or its lock file, was removed or moved during recording.*record again/,
  );
  await expect(gateway.close()).rejects.toThrow('was removed or moved');
  expect(existsSync(gateway.folder)).toBe(false);
});

test('Ctrl-C ends a gateway cleanly, with everything recorded', async () => {
  const upstream = await serve((_, response) => void response.end('ok'));
  const dir = newFolder();
  const { child, url } = await spawnGateway(upstream, dir);
  await Promise.all(['/a', '/b', '/~/ci/c'].map((path) => sendRequest(`${url}${path}`)));
  child.kill('SIGINT');
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  const folder = join(dir, 'test');
  expect([readLane(folder).length, readLane(folder, 'ci').length]).toEqual([2, 1]);
  const about = parseProvenance(readFileSync(join(folder, 'provenance.json'), 'utf8'), 'p');
  expect(about).toMatchObject({ name: 'test', source: 'live', upstream, basePath: '', lanes: ['ci', 'main'] });
  expect(existsSync(join(folder, '.lock'))).toBe(false);
});

test('a folder that cannot be written, a damaged or an invalid one is reported before anything is sent', async () => {
  const dir = newFolder();
  const start = (name: string) => startGateway({ upstream: 'http://127.0.0.1:9', dir, name, about: ABOUT });
  writeFileSync(join(dir, 'file'), '');
  await expect(start('file')).rejects.toThrow(
    /file cannot be written \(.*\): make it writable, or choose another folder/,
  );
  await expect(start('../x')).rejects.toThrow('“../x” is not a valid name of a recording');
  mkdirSync(join(dir, 'damaged', 'main_1'), { recursive: true });
  writeFileSync(join(dir, 'damaged', 'main_1', 'recording.har'), '{');
  await expect(start('damaged')).rejects.toThrow(/recording\.har is not JSON/);
  expect(existsSync(join(dir, 'damaged', '.lock'))).toBe(false);
});

test('a full disk is reported at once; recorded exchanges stay intact', async () => {
  const upstream = await serve((request, response) => void response.end(request.url));
  const gateway = await gatewayTo(upstream);
  await sendRequest(`${gateway.url}/first`);
  // The gateway still writes: only the file that is in place is read, no temporary one.
  const laneFile = () => globSync('main*/recording.har', { cwd: gateway.folder })[0];
  while (laneFile() === undefined) await pause(10);
  const file = join(gateway.folder, laneFile() as string);
  const before = readFileSync(file, 'utf8');
  // In place of a full disk: the file that is to be written beside the lane’s own cannot be made.
  mkdirSync(join(`${file}.${process.pid}.part`, 'in-the-way'), { recursive: true });
  await sendRequest(`${gateway.url}/second`);
  await expect(gateway.broken).rejects.toThrow(
    /test can no longer be written \(.*\): what was recorded before is intact/,
  );
  await expect(gateway.close()).rejects.toThrow('can no longer be written');
  expect(readFileSync(file, 'utf8')).toBe(before);
});
