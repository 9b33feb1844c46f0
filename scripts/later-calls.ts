/**
 * Measures which changes of later calls a run sees: every operation, change and rhythm of `simulator/faults/later-calls.ts`.
 *
 *   node scripts/later-calls.ts [--dialect NAME] [--operation NAME] [--change NAME] [--calls NAME] [--depth DEPTH]
 */
import { parseArgs } from 'node:util';
import { LATER_CALLS, type LaterCalls } from '../simulator/faults/later-calls.ts';
import { type Depth, OPERATIONS } from '../src/contract/index.ts';
import { changesOf, seenOf } from '../src/selftest/later-calls.test.support.ts';

const { values } = parseArgs({
  options: {
    dialect: { type: 'string', default: 'reference' },
    operation: { type: 'string', multiple: true },
    change: { type: 'string', multiple: true },
    calls: { type: 'string', multiple: true },
    depth: { type: 'string', default: 'standard' },
  },
});
const isWanted = (given: readonly string[] | undefined, name: string) => given?.includes(name) ?? true;
const { dialect } = values;
const depth = values.depth as Depth;

for (const operation of OPERATIONS.filter(({ name }) => isWanted(values.operation, name)))
  for (const change of changesOf(operation).filter((each) => isWanted(values.change, each)))
    for (const calls of (Object.keys(LATER_CALLS) as LaterCalls[]).filter((each) => isWanted(values.calls, each))) {
      const { seen, by, says } = await seenOf({ dialect, operation, change, calls, depth });
      console.log([dialect, operation.name, change, calls, seen, by.join(), says].join('\t'));
    }
