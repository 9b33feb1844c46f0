import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulator } from '../../simulator/server.ts';
import { runConformance } from '../commands/run-conformance.ts';
import { startMain } from '../processes.test.support.ts';
import { parseHar, parseProvenance } from '../recording/format/schema.ts';
import { listen, newFolder } from '../resources.test.support.ts';
import { perform } from './perform.test.support.ts';
import { record } from './record.ts';

test('record leaves a recording and the exit code of the run', async () => {
  const recordings = newFolder();
  const own = ['--name', 'mine', `--recordings=${recordings}`, '--products', '40', '--secret', 'never-write-this'];
  const { stdout, stderr } = await perform(['record', ...own, '--group', 'C']);
  expect(stdout).toMatch(/outcome +conformant \(C, all, standard\)/);
  expect(stderr).toMatch(/^mdwi record: \d+ exchanges recorded$/m);
  const folder = join(recordings, 'mine');
  const about = parseProvenance(readFileSync(join(folder, 'provenance.json'), 'utf8'), 'p');
  expect(about).toMatchObject({ source: 'simulator', profile: 'reference', safety: 'all', lanes: ['main'] });
  const [lane = ''] = readdirSync(folder).filter((each) => each.startsWith('main_'));
  const { log } = parseHar(readFileSync(join(folder, lane, 'recording.har'), 'utf8'), 'h');
  const operations = log.entries.map(({ _mdwi }) => _mdwi.operation);
  expect(operations).toContain('GET /PLATFORMAPI/prodRef/v1/allProducts');

  const simulator = await startSimulator({ products: 40, fault: 'filter-ignored' });
  onTestFinished(() => simulator.close());
  const operation = 'GET /PLATFORMAPI/prodRef/v1/allProducts';
  const target = ['--base-url', simulator.url, '--profile', 'reference', '--operation', operation];
  expect(await perform(['record', ...target, '--name', 'faulty', '--recordings', recordings])).toMatchObject({
    code: 1,
    // The service is told of, not the gateway it was judged through.
    stdout: expect.stringContaining(`'${simulator.url}/PLATFORMAPI/prodRef/v1/allProducts`),
  });
  const faulty = readFileSync(join(recordings, 'faulty', 'provenance.json'), 'utf8');
  expect(parseProvenance(faulty, 'p')).toMatchObject({ source: 'live', safety: 'read' });
});

test('what is missing or wrong is reported before anything is sent', async () => {
  await expect(record([])).rejects.toThrow('--name NAME is needed');
  await expect(record(['--name'])).rejects.toThrow('--name needs a value');
  await expect(record(['--name', 'a/b', '--recordings', newFolder()])).rejects.toThrow(
    '“a/b” is not a valid name of a recording',
  );
  const recordings = newFolder();
  await expect(record(['--name', 'x', '--recordings', recordings, '--nonsense'])).rejects.toThrow('--nonsense');
  expect(readdirSync(recordings)).toEqual([]);
});

test('SIGINT ends it cleanly, with what was recorded by then', async () => {
  let asked = 0;
  const { promise: underway, resolve } = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    if (++asked === 6) resolve();
    setTimeout(() => response.setHeader('content-type', 'application/json').end('[]'), 20);
  });
  const base = await listen(server);
  const recordings = newFolder();
  const args = ['record', '--base-url', base, '--profile', 'reference', '--name', 'cut', '--recordings', recordings];
  const { child, ended } = startMain(args, { stdio: ['ignore', 'ignore', 'pipe'] });
  await underway;
  // The terminal’s own and the one of whatever started it: that is one Ctrl-C.
  child.kill('SIGINT');
  child.kill('SIGINT');
  const { code, err } = await ended;
  expect(code).toBe(130);
  expect(err).toMatch(/^mdwi record: interrupted by SIGINT/m);
  expect(err).toMatch(/^mdwi record: \d+ exchanges recorded$/m);
  const about = parseProvenance(readFileSync(join(recordings, 'cut', 'provenance.json'), 'utf8'), 'p');
  expect(about).toMatchObject({ lanes: ['main'], redaction: { scan: 'clean' }, profileSource: { as: 'reference' } });
  expect(about.made).toEqual([
    { command: 'record', flags: ['--safety', 'read', '--depth', 'standard', '--sample-seed', '1'] },
  ]);
  expect(readdirSync(join(recordings, 'cut'))).not.toContain('.lock');
});

test('any depth and seed is replayed completely, and a part is recorded again with that of the recording', async () => {
  const recordings = newFolder();
  const recordOne = (...flags: string[]) =>
    perform([
      ...['record', '--simulator', '--products', '30', '--name', 'it', '--recordings', recordings, '--ask-once'],
      ...['--quiet', '--rule', 'C.lookup-listed', ...flags],
    ]);
  const replay = () => runConformance({ recording: 'it', recordingsDir: recordings, rules: ['C.lookup-listed'] });
  await recordOne('--depth', 'thorough', '--sample-seed', '77');
  const whole = await replay();
  expect(whole.manifest).toMatchObject({ depth: 'thorough', seed: 77 });
  expect(whole.results.filter(({ verdict }) => !['pass', 'not-applicable'].includes(verdict))).toEqual([]);
  expect(whole.results.find(({ rule }) => rule === 'C.lookup-listed')?.evidence.coverage).toEqual([
    { of: 'products', looked: 30, known: 30 },
  ]);
  await recordOne();
  const again = parseProvenance(readFileSync(join(recordings, 'it', 'provenance.json'), 'utf8'), 'p');
  expect(again.made).toHaveLength(1);
  expect((await replay()).manifest).toMatchObject({ depth: 'thorough', seed: 77 });
});
