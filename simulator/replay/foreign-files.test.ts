/** Recordings that somebody changed: no byte leaves that was not recorded, and nothing outside the folder is touched. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { drift } from '../../src/cli/drift.ts';
import { judge } from '../../src/cli/judge.ts';
import { recordings } from '../../src/cli/recordings.ts';
import { run } from '../../src/cli/run.ts';
import { openRecording } from '../../src/recording/store/open-recording.ts';
import { newFolder } from '../../src/resources.test.support.ts';
import { gatewayTo, sendRequest, serve } from '../gateway/servers.test.support.ts';
import { startReplay } from './replay.ts';

const LONG = randomBytes(200_000);
const SECRET = Buffer.alloc(LONG.length, 'the secret of this machine ');

/** A recording with one side file, and a file outside of it that is as long. */
async function recorded() {
  const upstream = await serve((_, response) => response.setHeader('content-type', 'image/png').end(LONG));
  const dir = newFolder();
  const gateway = await gatewayTo(upstream, { dir });
  await sendRequest(`${gateway.url}/long`);
  await gateway.close();
  const outside = join(newFolder(), 'secret');
  writeFileSync(outside, SECRET);
  const [name = ''] = readdirSync(join(gateway.folder, 'bodies'));
  const lane = readdirSync(gateway.folder).find((each) => each.startsWith('main')) as string;
  return { dir, folder: gateway.folder, file: join(gateway.folder, 'bodies', name), lane, outside, upstream };
}

async function replayIn(dir: string) {
  const told: string[] = [];
  const replay = await startReplay({ recording: openRecording(dir, 'test'), onMessage: (each) => told.push(each) });
  onTestFinished(() => replay.close());
  return { told, get: () => sendRequest(`${replay.url}/long`) };
}

/** What may take the place of a regular file. */
const IN_PLACE = {
  'a symbolic link': (path: string, outside: string) => symlinkSync(outside, path),
  'not a regular file': (path: string) => void execFileSync('mkfifo', [path]),
  'a folder': (path: string) => void mkdirSync(path),
} as const;

test.each(Object.entries(IN_PLACE))('%s in the place of a file is never read', async (what, put) => {
  const { dir, folder, file, lane, outside } = await recorded();
  for (const path of [file, join(folder, lane, 'recording.har'), join(folder, 'provenance.json')]) {
    const [before, aside] = [readFileSync(path), `${path}.aside`];
    renameSync(path, aside);
    put(path, outside);
    expect(() => openRecording(dir, 'test'), path).toThrow(
      `${path} is ${what}, and a recording holds regular files only`,
    );
    rmSync(path, { recursive: true });
    renameSync(aside, path);
    expect(readFileSync(path).equals(before)).toBe(true);
  }
  // Put there later, when it was looked at already.
  const { get, told } = await replayIn(dir);
  renameSync(file, `${file}.aside`);
  put(file, outside);
  const { status, headers, text } = await get();
  expect([status, headers['x-mdwi-miss']]).toEqual([502, 'side-file-changed']);
  expect(JSON.parse(text).says).toContain(`${file} is ${what}`);
  expect(text).not.toContain('secret of this machine');
  await get();
  expect(told).toEqual([expect.stringContaining(`${file} is ${what}`)]);
});

test('links in the place of folders are not followed', async () => {
  const { dir, folder, lane, upstream } = await recorded();
  const away = join(newFolder(), 'away');
  for (const name of ['bodies', lane]) {
    cpSync(join(folder, name), away, { recursive: true });
    renameSync(join(folder, name), join(dir, 'aside'));
    symlinkSync(away, join(folder, name));
    expect(() => openRecording(dir, 'test')).toThrow(/is a symbolic link|the lane “main” .* is missing/);
    const before = readdirSync(away);
    await expect(gatewayTo(upstream, { dir })).rejects.toThrow(`${join(folder, name)} is a symbolic link`);
    await expect(recordings(['prune', 'test', '--recordings', dir, '--yes'])).rejects.toThrow('is a symbolic link');
    expect(readdirSync(away)).toEqual(before);
    rmSync(join(folder, name));
    renameSync(join(dir, 'aside'), join(folder, name));
    rmSync(away, { recursive: true });
  }
  expect(openRecording(dir, 'test').lanes.size).toBe(1);
});

test('a swapped side file is not served, a restored one is', async () => {
  const { dir, file } = await recorded();
  const { get } = await replayIn(dir);
  const served = async () => {
    const { status, body, text } = await get();
    return status === 200 ? body.equals(LONG) : JSON.parse(text).says;
  };
  const changed = `${file} holds something else than was recorded: restore it, or record again (mdwi recordings verify shows details)`;
  expect(await served()).toBe(true);
  // In place, its times put back.
  const { atime, mtime } = statSync(file);
  writeFileSync(file, SECRET);
  utimesSync(file, atime, mtime);
  expect(await served()).toBe(changed);
  writeFileSync(file, LONG);
  expect(await served()).toBe(true);
  // Another file moved there.
  writeFileSync(`${file}.new`, SECRET);
  renameSync(`${file}.new`, file);
  expect(await served()).toBe(changed);
  rmSync(file);
  expect(await served()).toBe(`${file} is missing: restore it, or record again`);
});

test('every command says in one sentence that a side file was swapped', async () => {
  const { dir, folder, file } = await recorded();
  cpSync(folder, join(dir, 'other'), { recursive: true });
  writeFileSync(file, SECRET);
  const says = `${file} holds something else than was recorded: restore it, or record again`;
  await expect(run(['--recordings', 'test', '--recordings-dir', dir])).rejects.toThrow(says);
  await expect(judge([folder])).rejects.toThrow(says);
  await expect(drift(['test', 'other', '--recordings', dir])).rejects.toThrow(says);
  expect(await recordings(['verify', 'test', '--recordings', dir])).toBe(2);
});
