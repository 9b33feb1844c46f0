/**
 * The law of recordings over everything the simulator can be: each fault and each oddity in each dialect, judged through
 * the gateway and again of what was recorded. Prints each case that differs; ends with 1 where one does.
 *
 *   node scripts/law.ts [--only NAME] [--dialect NAME] [--jobs N]
 */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { DIALECT_NAMES } from '../simulator/dialects/names.ts';
import { FAULTS } from '../simulator/faults/index.ts';
import { ODDITIES } from '../simulator/oddities/index.ts';
import { judgeBothWays, type LawCase } from '../src/cli/law.test.support.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    dialect: { type: 'string', multiple: true },
    jobs: { type: 'string' },
    shard: { type: 'string' },
  },
});
const isWanted = (name: string) => !values.only || values.only.includes(name);

const cases: LawCase[] = DIALECT_NAMES.filter((each) => values.dialect?.includes(each) ?? true).flatMap((dialect) => [
  ...(values.only ? [] : [{ dialect }]),
  ...FAULTS.filter(({ name }) => isWanted(name)).map(({ name }) => ({ dialect, fault: name })),
  ...ODDITIES.filter(({ name, dialects }) => isWanted(name) && (dialects?.includes(dialect) ?? true)).map(
    ({ name, groups }): LawCase => ({ dialect, oddity: name, ...(groups && { groups }) }),
  ),
]);

/** The first places in which two values differ. */
function differences(x: unknown, y: unknown, at = ''): string[] {
  if (isDeepStrictEqual(x, y)) return [];
  const [isX, isY] = [x, y].map((each) => typeof each === 'object' && each !== null);
  if (!isX || !isY) return [`${at}: ${JSON.stringify(x)?.slice(0, 300)} / ${JSON.stringify(y)?.slice(0, 300)}`];
  const [a, b] = [x, y] as [Record<string, unknown>, Record<string, unknown>];
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].flatMap((name) => differences(a[name], b[name], `${at}/${name}`));
}

async function tryShard(shard: number, of: number): Promise<void> {
  for (const one of cases.filter((_, at) => at % of === shard)) {
    const began = performance.now();
    const says: string[] = [];
    try {
      const { comparable, missed } = await judgeBothWays(one);
      says.push(...differences(...comparable).slice(0, 8), ...(missed > 0 ? [`${missed} requests missed`] : []));
    } catch (error) {
      says.push((error as Error).stack ?? String(error));
    }
    process.send?.({ one, says, ms: performance.now() - began });
  }
  process.disconnect?.();
}

if (values.shard !== undefined) {
  const [shard = 0, of = 1] = values.shard.split('/').map(Number);
  await tryShard(shard, of);
} else {
  const jobs = Number(values.jobs ?? availableParallelism());
  let [held, broken] = [0, 0];
  const ended = Array.from({ length: jobs }, (_, shard) => {
    const child = fork(import.meta.filename, [...process.argv.slice(2), '--shard', `${shard}/${jobs}`]);
    child.on('message', ({ one, says }: { one: LawCase; says: string[] }) => {
      if (says.length === 0) held++;
      else broken++;
      if (says.length > 0) console.log(`${JSON.stringify(one)}\n  ${says.join('\n  ')}`);
    });
    return new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
  });
  const codes = await Promise.all(ended);
  console.log(`the law holds in ${held} of ${cases.length} cases`);
  process.exitCode = broken > 0 || held < cases.length || codes.some((code) => code !== 0) ? 1 : 0;
}
