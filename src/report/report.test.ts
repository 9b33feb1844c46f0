/** Reports of a real run, red and green. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { startSimulator } from '../../simulator/server.ts';
import { judgeTarget } from '../commands/judge-target.ts';
import { loadProfile } from '../profile/load.ts';
import type { Run } from '../run/types.ts';
import { reportToConsole } from './console.ts';
import { jsonText } from './json-text.ts';
import { reportToJunit } from './junit.ts';
import { reportToMarkdown } from './markdown.ts';
import { runJsonSchema } from './run-schema.ts';

async function judge(fault: string | undefined, profile: string): Promise<Run> {
  const simulator = await startSimulator(fault ? { fault } : {});
  try {
    return await judgeTarget({
      base: simulator.url,
      profile: await loadProfile(profile),
      selection: { safety: 'all', groups: ['C'] },
    });
  } finally {
    await simulator.close();
  }
}

const runs: Record<string, Run> = {};
beforeAll(async () => {
  runs.green = await judge(undefined, 'reference');
  runs.red = await judge('bulk-upc-11-digits', 'reference');
  runs.open = await judge(undefined, 'empty');
});

describe.each(['green', 'red', 'open'])('a %s run', (name) => {
  test('fits the published schema', () => {
    const ajv = new Ajv2020({ strict: false });
    (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
    const fits = ajv.compile(runJsonSchema());
    fits(JSON.parse(jsonText(runs[name] as Run)));
    expect(fits.errors ?? []).toEqual([]);
  });

  test('is counted right in JUnit', () => {
    const run = runs[name] as Run;
    const xml = reportToJunit(run);
    const count = (tag: string) => xml.split(`<${tag}`).length - 1;
    const applicable = run.results.filter(({ verdict }) => verdict !== 'not-applicable').length;
    expect(count('testcase ')).toBe(applicable);
    expect(count('failure ')).toBe(run.results.filter((each) => each.verdict === 'fail' && each.gating).length);
    expect(xml).toContain(`tests="${applicable}"`);
    expect(xml.split('<').length).toBe(xml.split('>').length);
  });
});

test('a failure tells statement, expected, actual and how to repeat it, in every format', () => {
  const run = runs.red as Run;
  expect(run.exitCode).toBe(1);
  for (const text of [reportToConsole(run), reportToJunit(run), reportToMarkdown(run)]) {
    expect(text).toContain('C.upc-12-digits');
    expect(text).toMatch(/row 999/);
  }
  expect(reportToConsole(run)).toMatch(/curl .*allProducts/);
  expect(reportToConsole(run)).toContain('section 8');
});

test('an open run names the openings to fill, a green one is green', () => {
  expect(reportToConsole(runs.open as Run)).toContain('operations["GET /PLATFORMAPI/prodRef/v1/allProducts"].request');
  expect(reportToMarkdown(runs.open as Run)).toContain('Openings to fill next');
  expect(reportToConsole(runs.green as Run)).toContain('conformant (C, all, standard)');
  expect(reportToConsole(runs.green as Run)).not.toContain('\u001b[');
  expect(reportToConsole(runs.green as Run, { colour: true })).toContain('\u001b[');
});
