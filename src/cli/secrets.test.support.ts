/** What hiding and inventing data leave as it was: the verdicts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { DialectName } from '../../simulator/dialects/names.ts';
import type { Group } from '../contract/index.ts';
import { loadProfile } from '../profile/load.ts';
import { parseProfile } from '../profile/parse-profile.ts';
import { parseHar } from '../recording/format/schema.ts';
import type { Run } from '../run/types.ts';
import { judgeBothWays, type LawCase } from './law.test.support.ts';

const verdictsOf = ({ results }: Run): string[] =>
  results.map(({ rule, operation, verdict, basis }) => `${rule} ${operation} ${verdict} ${basis}`).sort();

/** Words of catalogues, codes, figures, dates and names of members, declared as secrets. */
const LIKE_DATA = [
  'Tea',
  'Beverages',
  'Green Tea',
  'Total US',
  'Total',
  '1234',
  'ab12',
  'cat-02',
  'week',
  '2026-11-14',
];

/** Judges groups of a dialect live, and in a replay that hides such secrets and has other credentials. */
export async function checkLikeData(dialect: DialectName, groups: readonly Group[] = ['C', 'D']): Promise<void> {
  const profile = await loadProfile(dialect);
  const [scheme] = [profile.data.auth ?? []].flat();
  const rotated = {
    none: scheme,
    apiKey: { ...scheme, value: 'rotated-key-99x' },
    basic: { ...scheme, password: 'r0tated:öther' },
    bearer: { ...scheme, token: 'r0tated.bearer~+/==' },
  }[scheme?.scheme as 'none'];
  const replayedWith = parseProfile(JSON.stringify({ ...profile.data, auth: rotated }), profile.source);
  const one = { dialect, groups, secrets: LIKE_DATA, replayedWith } as const;
  const { live, replayed: scrubbed, missed } = await judgeBothWays(one);
  expect(verdictsOf(scrubbed)).toEqual(verdictsOf(live));
  expect([scrubbed.outcome, missed]).toEqual([live.outcome, 0]);
  expect(verdictsOf(live).filter((each) => each.includes(' pass ')).length).toBeGreaterThan(50);
}

/** The entries of the main lane. */
function openLane(folder: string) {
  const [lane = ''] = readdirSync(folder).filter((each) => each.startsWith('main_'));
  const path = join(folder, lane, 'recording.har');
  return parseHar(readFileSync(path, 'utf8'), path).log.entries;
}

/** Judges a dialect live, and as recorded with invented figures and files. */
export async function checkScrubbed(one: LawCase): Promise<void> {
  const figures = new Set<string>();
  const inspect = (folder: string): void => {
    for (const { _mdwi, response } of openLane(folder)) {
      if (!_mdwi.operation?.includes('Performance') || response.status !== 200) continue;
      for (const [figure] of (response.content.text ?? '').matchAll(/\d[\d.,]{4,}\d/g)) figures.add(figure);
    }
  };
  const unscrubbed = await judgeBothWays({ ...one, depth: 'quick', inspect });
  const [trueOnes, before] = [new Set(figures), figures.size];
  expect(before).toBeGreaterThan(10);
  figures.clear();
  const {
    live,
    replayed: scrubbed,
    missed,
  } = await judgeBothWays({ ...one, depth: 'quick', scrub: ['figures', 'uploads'], inspect });
  // Invented figures do not add up, so their sums are not judged.
  const isOfSums = (verdict: string) => verdict.startsWith('D.category-sums ');
  expect(verdictsOf(scrubbed).filter((each) => !isOfSums(each))).toEqual(
    verdictsOf(live).filter((each) => !isOfSums(each)),
  );
  expect(verdictsOf(scrubbed).filter(isOfSums).join()).not.toMatch(/ (fail|pass) /);
  expect(verdictsOf(live)).toEqual(verdictsOf(unscrubbed.live));
  expect(missed).toBe(0);
  // Ids, UPCs and a figure now and then are the same by chance.
  const same = [...figures].filter((each) => trueOnes.has(each));
  expect(same.length).toBeLessThan(figures.size / 4);
}
