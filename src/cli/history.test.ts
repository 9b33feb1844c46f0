/** The history of runs, on the command line. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSimulator } from '../../simulator/server.ts';
import { resultWith, runWith } from '../comparison/run.test.support.ts';
import type { OperationKey } from '../contract/index.ts';
import { newFolder } from '../resources.test.support.ts';
import type { Run } from '../run/types.ts';
import { historyKeeper } from './keep-history.ts';
import { perform } from './perform.test.support.ts';

function emptyFolder(): (name: string) => string {
  const folder = newFolder();
  return (name) => join(folder, name);
}

const mdwi = (...args: string[]) => perform(args);

const readJson = (file: string): Run => JSON.parse(readFileSync(file, 'utf8')) as Run;

test('successive runs report what they have in common', async () => {
  const file = emptyFolder();
  const config = file('mdwi.config.yaml');
  /** A night against another world of the simulator, whose address the configuration holds. */
  const night = async (options: { seed?: number; fault?: string }): Promise<Run> => {
    const simulator = await startSimulator({ products: 20, ...options });
    try {
      const target = { baseUrl: simulator.url, profile: 'reference', rules: ['C.delta-nested'] };
      writeFileSync(config, JSON.stringify({ history: 'runs', targets: { staging: target } }));
      await mdwi('run', 'staging', '--config', config, '--summary', '--report', `json=${file('run.json')}`);
      return readJson(file('run.json'));
    } finally {
      await simulator.close();
    }
  };
  const first = await night({});
  const second = await night({ fault: 'delta-1-not-in-4' });
  const third = await night({ fault: 'delta-1-not-in-4', seed: 2 });
  expect(first.history).toMatchObject({ trend: [{ failed: 0 }], checks: [], notes: [] });
  expect(third.history?.trend.map(({ failed }) => failed)).toEqual([0, 1, 1]);
  expect(third.history?.checks).toMatchObject([{ rule: 'C.delta-nested', firstFailedOn: second.manifest.startedAt }]);
  expect(third.history?.notes).toContainEqual(
    expect.stringContaining('delta of the data week up to 2026-11-14 listed'),
  );
  const { code, stdout } = await mdwi('history', file('runs'));
  expect(code).toBe(0);
  expect(stdout).toContain('staging: 3 runs');
  expect(stdout).toMatch(/first failed on \(1\)\n +[\d-]+ {2}C\.delta-nested on/);
});

test('history stores the runs that it is given, by time, and shows one target', async () => {
  const file = emptyFolder();
  const runs = [
    runWith([resultWith('C.upc-12-digits', 'fail')], { startedAt: '2026-11-02T03:00:00.000Z', targetName: 'east' }),
    runWith([resultWith('C.upc-12-digits', 'fail')], { startedAt: '2026-11-01T03:00:00.000Z', targetName: 'east' }),
    runWith([resultWith('C.upc-12-digits', 'pass')], { targetName: 'west' }),
    runWith([], { targetName: 'north', interrupted: 'SIGINT' }),
  ];
  const files = runs.map((run, at) => {
    writeFileSync(file(`${at}.json`), JSON.stringify(run));
    return file(`${at}.json`);
  });
  const { stdout } = await mdwi('history', file('runs'), ...files);
  expect(stdout).toContain('east: 2 runs');
  expect(stdout).toContain('2026-11-01  C.upc-12-digits on');
  expect(stdout).toContain('west: 1 run\n');
  expect(stdout).not.toContain('north');
  const west = await mdwi('history', file('runs'), '--target', 'west', '--report', 'json=-');
  expect(JSON.parse(west.stdout)).toMatchObject([{ target: 'west' }]);
});

test('runs that selected other checks have a trend of their own', async () => {
  const file = emptyFolder();
  const night = (day: number, ...operations: OperationKey[]) =>
    runWith(
      operations.map((operation) => ({ ...resultWith('every.served', 'pass'), operation })),
      { startedAt: `2026-11-0${day}T03:00:00.000Z`, targetName: 'east' },
    );
  const [performance, drive] = ['GET /RetailMeasurement/v1/BrandPerformance', 'POST /webservices/drive'] as const;
  const runs = [night(1, performance, drive), night(2, performance, drive), night(3, drive)];
  const files = runs.map((run, at) => {
    writeFileSync(file(`${at}.json`), JSON.stringify(run));
    return file(`${at}.json`);
  });
  const { stdout } = await mdwi('history', file('runs'), ...files);
  expect(stdout).toMatch(/^east \(A\): 1 run\n[\s\S]*\neast \(AD\): 2 runs\n/);
});

test('what is no history is refused', async () => {
  const file = emptyFolder();
  writeFileSync(file('file'), '');
  expect(await mdwi('history')).toMatchObject({ code: 2 });
  expect(await mdwi('history', file('nothing'))).toMatchObject({ code: 2 });
  expect(await mdwi('history', file('runs'), file('nothing.json'))).toMatchObject({ code: 2 });
  expect(await mdwi('run', '--rule', 'C.delta-nested', '--history', file('file'))).toMatchObject({ code: 2 });
  expect(existsSync(file('runs'))).toBe(false);
});

test('a folder that can no longer be read at the end of a run is reported, and the run is not lost', async () => {
  const folder = emptyFolder()('runs');
  const keep = await historyKeeper({ history: folder }, 'run');
  writeFileSync(folder, '');
  const run = runWith([]);
  const kept = await keep?.(run);
  expect(kept?.problem).toMatch(/^the run is not in the history: /);
  expect(kept?.run).toEqual(run);
});
