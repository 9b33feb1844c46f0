/** What can be broken in a source file, one small change at a time. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is changed into what. */
const MUTATIONS: readonly (readonly [RegExp, string])[] = [
  [/ === /g, ' !== '],
  [/ !== /g, ' === '],
  [/ < /g, ' <= '],
  [/ <= /g, ' < '],
  [/ > /g, ' >= '],
  [/ >= /g, ' > '],
  [/ && /g, ' || '],
  [/ \|\| /g, ' && '],
  [/ \+ (?=\w)/g, ' - '],
  [/ - (?=\w)/g, ' + '],
  [/(?<=[(\s])!(?=\w)/g, ''],
  [/\.some\(/g, '.every('],
  [/\.every\(/g, '.some('],
  [/\breturn failed\(/g, "return inconclusive('dropped') ?? failed("],
  [/\breturn inconclusive\(/g, 'return passed({ exchanges: 1 }) ?? inconclusive('],
  [/\breturn nothingSeen\(/g, 'return passed({ exchanges: 1 }) ?? nothingSeen('],
  [/\b0(?=[;,)\s])/g, '1'],
];

export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

const root = join(import.meta.dirname, '..');

/** Every mutant of a file; comments, imports and texts for people stay as they are. */
export function mutantsOf(file: string): Mutant[] {
  return readFileSync(join(root, file), 'utf8')
    .split('\n')
    .flatMap((before, at) => {
      if (/^\s*(?:\/\/|\/?\*|import\b|how:|demands:|since:|counterexample:)/.test(before)) return [];
      return MUTATIONS.flatMap(([from, to]) =>
        [...before.matchAll(from)].map(({ index, 0: found }) => ({
          file,
          line: at + 1,
          before,
          after: before.slice(0, index) + to + before.slice(index + found.length),
        })),
      );
    });
}
