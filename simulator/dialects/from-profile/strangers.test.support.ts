/** The profiles of the seven servers of `bench/strangers`, which other authors wrote for servers that no simulator was made for. */
import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { loadProfile } from '../../../src/profile/load.ts';
import { judgeSimulation } from '../../../suites/judge-in-process.test.support.ts';
import { createSimulation } from '../../simulation.ts';
import { dialectOf } from './dialect.ts';

const FOLDER = join(import.meta.dirname, '../../../bench/strangers');
export const FILES = globSync('*/profile.yaml', { cwd: FOLDER }).toSorted();
const SECRETS = ['SS_OPS_KEY', 'SS_CATALOG_KEY', 'SS_ITEM_KEY', 'SS_PANEL_KEY', 'REGAL_PANEL_PW', 'REGAL_DESK_PW'];
const env = Object.fromEntries(SECRETS.map((name) => [name, `key-of-${name}`]));

/** What the simulator leaves out, by the name of the folder. */
const LEFT_OUT: Record<string, readonly RegExp[]> = {
  kontrast: [
    /RefreshDates is simulated without .*response\.fields\.name: .*same place/,
    /^examples\.dimension\[2\]/,
    /^examples\.dimension\[3\]/,
    /^examples\.byCatalogue\.7001\.measure\[2\]/,
    /^examples\.byCatalogue\.7002\.measure\[2\]/,
  ],
};

/** Tests that the simulator of each selected profile satisfies it. */
export function testStrangers(isSelected: (name: string) => boolean): void {
  const selected = FILES.map((file) => [basename(dirname(file)), file] as const).filter(([name]) => isSelected(name));
  test.each(selected)('%s: the simulator satisfies the profile', async (name, file) => {
    const profile = await loadProfile(join(FOLDER, file), env);
    const options = { products: 60, dialect: dialectOf(profile) };
    expect((await createSimulation(options)).approximations).toEqual(
      (LEFT_OUT[name] ?? []).map((each) => expect.stringMatching(each)),
    );
    const { results } = await judgeSimulation(options, { profile, strict: true });
    const notable = results.filter(({ verdict }) => !['pass', 'not-applicable', 'untested'].includes(verdict));
    expect(notable.map(({ rule, operation, findings, note }) => ({ rule, operation, findings, note }))).toEqual([]);
    expect(results.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(300);
    // Only what the profile leaves open is untested.
    const untested = results.filter(({ verdict, openings = [] }) => verdict === 'untested' && openings.length === 0);
    expect(untested.map(({ rule, operation, note }) => ({ rule, operation, note }))).toEqual([]);
  });
}
