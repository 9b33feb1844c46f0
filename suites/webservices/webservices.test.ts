import { expect, test } from 'vitest';
import type { SimulationOptions } from '../../simulator/simulation.ts';
import { loadProfile } from '../../src/profile/load.ts';
import { judgeSimulation } from '../judge-in-process.test.support.ts';

/** The rules that fail on the seven job kinds of a service that says “unknown” with a 204. */
async function failing(options: SimulationOptions): Promise<Set<string>> {
  const selection = { safety: 'all', rules: ['A.job-status', 'A.job-state'] } as const;
  const run = await judgeSimulation({ dialect: 'terse', products: 20, ...options }, { selection });
  return new Set(run.results.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule));
}

test('an empty response next to one with a state is no status: it was read once only', async () => {
  expect(await failing({ fault: 'job-status-once' })).toEqual(new Set(['A.job-status']));
});

test('a job that is not known at once tells its state later', async () => {
  expect(await failing({ oddity: 'job-known-late' })).toEqual(new Set());
});

test('a state that never comes is missed', async () => {
  expect(await failing({ fault: 'job-state-missing-variable-pull' })).toEqual(new Set(['A.job-state']));
});

test.each([
  [60, 'fail'],
  [100, 'untested'],
])(
  'a job that never ends keeps a run for two minutes, its repetition included, with a patience of %d s',
  async (patience, verdict) => {
    const profile = await loadProfile('reference');
    const { jobs } = profile.data;
    const location = { ...jobs?.location, patienceSeconds: patience };
    let waited = 0;
    const run = await judgeSimulation(
      { products: 20, fault: 'job-of-update-location-never-ends' },
      {
        profile: { ...profile, data: { ...profile.data, jobs: { ...jobs, location } } },
        selection: { safety: 'all', rules: ['A.further-jobs-end'] },
        wait: async (ms) => {
          waited += ms;
        },
      },
    );
    const [judged] = run.results.filter(({ operation }) => operation.endsWith('getLocationJobStatus'));
    expect(judged?.verdict).toBe(verdict);
    expect(waited).toBeGreaterThan(55_000);
    // The pause of any repetition is beside the two minutes.
    expect(waited).toBeLessThan(121_000);
  },
);
