/**
 * Learns profiles of services whose true profiles are known, and counts what is right, settled, proved and caught.
 *
 *   node bench/learn.ts [--mode none,description,poor,recorded,draft] [--only drawn,bundled,strangers] [--from N] [--count N, default 200]
 *     [--names NAME,…] [--groups CD, default ABCD] [--safety read|job] [--opaque PERCENT] [--checks] [--faults N] [--verbose]
 *
 * What is right is decided on the responses of a second world of the service. `--checks` also learns each service again,
 * and judges it with the learned profile, with the true one without promises and with the start alone; `--faults N`
 * judges and learns N faulty variants of each service. `--opaque` renames so many members and parameters of drawn services
 * to unknown words. `--verbose` prints what is wrong, not settled, missed or adopted. `--learner FILE` takes
 * `learnProfile` from another module.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { GROUPS, type Group, OPERATIONS, type OperationKey } from '../src/contract/index.ts';
import type { Learned, LearnOptions } from '../src/learn/types.ts';
import { isImplemented } from '../src/profile/filled-openings.ts';
import { describeService, MODES, type Mode } from './learn/descriptions.ts';
import { emptyScore, type Score, tableOf, tallyOf } from './learn/score.ts';
import { KINDS, servicesOf } from './learn/services.ts';
import { openTrial } from './learn/trial.ts';

const { values: flags } = parseArgs({
  options: {
    mode: { type: 'string', default: MODES.join(',') },
    only: { type: 'string', default: KINDS.join(',') },
    from: { type: 'string', default: '0' },
    count: { type: 'string', default: '200' },
    names: { type: 'string' },
    groups: { type: 'string', default: 'ABCD' },
    safety: { type: 'string', default: 'read' },
    checks: { type: 'boolean', default: false },
    faults: { type: 'string', default: '0' },
    opaque: { type: 'string', default: '0' },
    verbose: { type: 'boolean', default: false },
    learner: { type: 'string', default: `${import.meta.dirname}/../src/learn/index.ts` },
  },
});

/** The values of a flag that lists some of a closed set. */
function chosen<T extends string>(given: string, all: readonly T[], separator: string): T[] {
  const unknown = given.split(separator).filter((each) => !all.some((one) => one === each));
  if (unknown.length === 0) return all.filter((each) => given.split(separator).includes(each));
  console.error(`${unknown.join(', ')}: there are ${all.join(', ')}`);
  process.exit(2);
}

const modes = chosen<Mode>(flags.mode, MODES, ',');
const groups = chosen<Group>(flags.groups, Object.keys(GROUPS) as Group[], '');
const names = flags.names?.split(',');
const { learnProfile } = (await import(resolve(flags.learner))) as {
  learnProfile: (options: LearnOptions) => Promise<Learned>;
};

const operations: readonly OperationKey[] = OPERATIONS.filter(({ group }) => groups.includes(group)).map(
  ({ key }) => key,
);
const scores = new Map<Mode, Score>(modes.map((mode) => [mode, emptyScore()]));
const say = (line: string): void => {
  if (flags.verbose) console.log(line);
};

for (const service of servicesOf(
  chosen(flags.only, KINDS, ','),
  Number(flags.from),
  Number(flags.count),
  Number(flags.opaque),
)) {
  if (names && !names.includes(service.name)) continue;
  const descriptions = modes.every((mode) => mode === 'none' || mode === 'recorded')
    ? undefined
    : await describeService(service.truth, 'http://localhost:8080');
  const trial = await openTrial(service, {
    ...{ groups, operations, learnProfile },
    safety: flags.safety === 'job' ? 'job' : 'read',
  });
  for (const mode of modes) {
    const score = scores.get(mode) as Score;
    const given =
      mode === 'none' || mode === 'recorded'
        ? { isRecorded: mode === 'recorded' }
        : { description: descriptions?.[mode], isAlone: mode === 'draft' };
    const sayHere = (line: string) => say(`${service.name} ${mode} ${line}`);
    score.services++;
    score.implemented += operations.filter((key) => isImplemented(service.truth, key)).length;
    const result = await trial.learn(given);
    if ('error' in result) {
      score.broken++;
      sayHere(result.error);
      continue;
    }
    await trial.scoreBindings(result, score, sayHere);
    const count = Number(flags.faults);
    if (!flags.checks && count === 0) continue;
    await trial.scoreAgain(result, given, score, sayHere);
    const accusing = await trial.scoreChecks(result, score, sayHere);
    await trial.scoreFaults(result, { given, count, accusing }, score, sayHere);
  }
  await trial.close();
}
say(tallyOf(scores));
console.log(tableOf(scores));
