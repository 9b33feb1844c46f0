/** Which trials a selftest is made of. */
import { DEGENERATE_SERVERS } from '../../simulator/degenerate/index.ts';
import { DIALECT_NAMES, type DialectName } from '../../simulator/dialects/names.ts';
import { FAULTS } from '../../simulator/faults/index.ts';
import { ODDITIES } from '../../simulator/oddities/index.ts';
import type { Group } from '../contract/index.ts';
import type { Trial } from './perform-trial.ts';

export interface SelftestScope {
  /** Everything in every dialect and group; else each in one dialect, in turn. */
  readonly full: boolean;
  /** Names of faults, oddities and degenerate servers; absent: all, and every dialect as it is. */
  readonly only?: readonly string[];
}

/** What shows in all groups is looked for in one of them, in turn; under the empty profile in another. */
const TURNS: readonly (readonly [own: Group, empty: Group])[] = [
  ['C', 'A'],
  ['D', 'B'],
  ['B', 'C'],
  ['C', 'D'],
  ['A', 'C'],
];

/** The names `only` may hold. */
export const TRIAL_NAMES: readonly string[] = [...FAULTS, ...ODDITIES, ...DEGENERATE_SERVERS].map(({ name }) => name);

/** The trials of a scope, those first that a later one is compared with. */
export function trialsOf({ full, only }: SelftestScope): Trial[] {
  const isWanted = ({ name }: { readonly name: string }) => !only || only.includes(name);
  const turn = (dialects: readonly DialectName[], at: number): readonly DialectName[] =>
    full ? dialects : [dialects[at % dialects.length] as DialectName];
  const both = [{}, { empty: true }] as const;
  const degenerate = DEGENERATE_SERVERS.filter(isWanted).flatMap(({ name }, at) =>
    turn(DIALECT_NAMES, at).flatMap((dialect) =>
      both.map((profile): Trial => ({ kind: 'degenerate', name, dialect, ...profile })),
    ),
  );
  const plain = DIALECT_NAMES.flatMap((dialect) =>
    both.map((profile): Trial => ({ kind: 'plain', dialect, ...profile })),
  );
  const faults = FAULTS.filter(isWanted).flatMap(({ name }, at) =>
    turn(DIALECT_NAMES, at).map((dialect): Trial => ({ kind: 'fault', name, dialect })),
  );
  const oddities = ODDITIES.filter(isWanted).flatMap(({ name, dialects = DIALECT_NAMES, groups }, at) =>
    turn(dialects, at).flatMap((dialect): Trial[] => {
      const trial = { kind: 'oddity', name, dialect } as const;
      if (full) return [trial, { ...trial, empty: true }];
      // What shows in the content of some groups only, the empty profile does not read.
      if (groups) return [{ ...trial, groups }];
      const [own, other] = TURNS[at % TURNS.length] as (typeof TURNS)[number];
      return [
        { ...trial, groups: [own] },
        { ...trial, groups: [other], empty: true },
      ];
    }),
  );
  // Those that wait for time-outs begin first.
  return [...degenerate, ...plain, ...faults, ...oddities];
}

/** A fault need not be provable in every dialect: those in which it has not been tried yet. */
export const otherDialects = (tried: readonly DialectName[]): readonly DialectName[] =>
  DIALECT_NAMES.filter((each) => !tried.includes(each));
