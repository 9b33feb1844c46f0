/** The profile commands, as far as they are pure, and one try against the simulator. */
import { expect, test } from 'vitest';
import { startSimulator } from '../../simulator/server.ts';
import { OPERATIONS } from '../contract/index.ts';
import { loadProfile, parseProfile } from '../profile/load.ts';
import { draftProfile } from './profile/draft.ts';
import { tellOpenings } from './profile/openings.ts';
import { tryOperation } from './profile/try.ts';

test('a drafted profile loads as it is, with everything open', () => {
  const profile = parseProfile(draftProfile(), 'draft.yaml');
  expect(profile.data.operations).toEqual({});
  expect(tellOpenings(profile)).toMatch(/\n0 of \d+ openings filled/);
});

test('a drafted profile loads with every operation uncommented', () => {
  const lines = draftProfile().split('\n');
  const body = lines
    .filter((line) => !/^ {2}\{\}|\(section .*not shown\)$|^ {2}# ---/.test(line))
    .map((line) => line.replace(/^ {2}# /, '  '));
  const profile = parseProfile(body.join('\n'), 'draft.yaml');
  expect(Object.keys(profile.data.operations ?? {}).sort()).toEqual(OPERATIONS.map((each) => each.key).sort());
});

test('openings tell what is filled, absent and open, with the rules held back', async () => {
  const told = tellOpenings(await loadProfile('reference'));
  expect(told).toContain('✓ operations["GET /PLATFORMAPI/prodRef/v1/allProducts"].response.rows');
  expect(told).toContain('- operations["GET /RetailMeasurement/v1/CategoryPerformance"].response.fields.brand');
  const empty = tellOpenings(await loadProfile('empty'));
  expect(empty).toMatch(
    /· operations\["GET \/PLATFORMAPI\/prodRef\/v1\/allProducts"\]\.response\.rows\n.*C\.bulk-unique/,
  );
});

test('try shows what every selector found, and refuses what may change something', async () => {
  const simulator = await startSimulator({});
  try {
    const told = await tryOperation(
      simulator.url,
      await loadProfile('reference'),
      'GET /PLATFORMAPI/prodRef/v1/allProducts',
    );
    expect(told).toMatch(/answered 200/);
    expect(told).toMatch(/rows read: \d+/);
    expect(told).toMatch(/upc at @\.upc: "\d{12}"/);
    expect(told).toMatch(/asOf at \$\.asOf: 2026-11-14/);
    await expect(
      tryOperation(simulator.url, await loadProfile('reference'), 'POST /webservices/createlist'),
    ).rejects.toThrow(/may change/);
  } finally {
    await simulator.close();
  }
});
