/** The trials of a selftest. */
import { DEGENERATE_SERVERS } from '../../simulator/degenerate/index.ts';
import { DIALECT_NAMES, type DialectName } from '../../simulator/dialects/names.ts';
import { FAULTS, faultNamed } from '../../simulator/faults/index.ts';
import { ODDITIES } from '../../simulator/oddities/index.ts';
import type { Depth, Group } from '../contract/index.ts';
import type { Trial } from './perform-trial.ts';

export interface SelftestScope {
  /** All trials in every dialect and group; otherwise each in one dialect, in rotation. */
  readonly full: boolean;
  /** Names of faults, oddities and degenerate servers; absent: all of them. */
  readonly only?: readonly string[];
  readonly depth: Depth;
}

/** An oddity of all groups is tried in one of them, in rotation, and with the empty profile in another. */
const ROTATION: readonly (readonly [own: Group, empty: Group])[] = [
  ['C', 'A'],
  ['D', 'B'],
  ['B', 'C'],
  ['C', 'D'],
  ['A', 'C'],
];

/** The valid names of `only`. */
export const TRIAL_NAMES: readonly string[] = [...FAULTS, ...ODDITIES, ...DEGENERATE_SERVERS].map(({ name }) => name);

/**
 * The names of one of several parts of the selftest: all trials of a name are in one part.
 * @param shard `N/M`: the Nth of M parts
 * @returns undefined if the shard has another form
 * @example namesOfShard('2/3', ['a', 'b', 'c', 'd', 'e']) // ['b', 'e']
 */
export function namesOfShard(shard: string, names: readonly string[]): readonly string[] | undefined {
  const [part = 0, parts = 0] = /^\d{1,4}\/\d{1,4}$/.test(shard) ? shard.split('/').map(Number) : [];
  return part < 1 || part > parts ? undefined : names.filter((_, at) => at % parts === part - 1);
}

/** The trials of a scope; slow ones come first. */
export function trialsOf({ full, only }: Pick<SelftestScope, 'full' | 'only'>): Trial[] {
  const isWanted = ({ name }: { readonly name: string }) => !only || only.includes(name);
  const rotate = (dialects: readonly DialectName[], at: number): readonly DialectName[] =>
    full ? dialects : [dialects[at % dialects.length] as DialectName];
  const profiles = [{}, { empty: true }] as const;
  const degenerate = DEGENERATE_SERVERS.filter(isWanted).flatMap(({ name }, at) =>
    rotate(DIALECT_NAMES, at).flatMap((dialect) =>
      profiles.map((profile): Trial => ({ kind: 'degenerate', name, dialect, ...profile })),
    ),
  );
  const faults = FAULTS.filter(isWanted).flatMap(({ name, dialects = DIALECT_NAMES }, at) =>
    rotate(dialects, at).map((dialect): Trial => ({ kind: 'fault', name, dialect })),
  );
  const oddities = ODDITIES.filter(isWanted).flatMap(({ name, dialects = DIALECT_NAMES, groups }, at) =>
    rotate(dialects, at).flatMap((dialect): Trial[] => {
      const trial = { kind: 'oddity', name, dialect, ...(groups && { groups }) } as const;
      if (full) return [trial, { ...trial, empty: true }];
      // The empty profile reads no content, so an oddity in the content of some groups has no effect with it.
      if (groups) return [trial];
      const [withProfile, withEmpty] = ROTATION[at % ROTATION.length] as (typeof ROTATION)[number];
      return [
        { ...trial, groups: [withProfile] },
        { ...trial, groups: [withEmpty], empty: true },
      ];
    }),
  );
  // The outcome of an oddity is compared with that of its plain dialect.
  const isNeeded = (dialect: DialectName, isEmpty: boolean): boolean =>
    !only || oddities.some((each) => each.dialect === dialect && 'empty' in each === isEmpty);
  const plain = DIALECT_NAMES.flatMap((dialect) =>
    profiles
      .filter((profile) => isNeeded(dialect, 'empty' in profile))
      .map((profile): Trial => ({ kind: 'plain', dialect, ...profile })),
  );
  // Trials that wait for time-outs start first.
  return [...degenerate, ...plain, ...faults, ...oddities];
}

/** The dialects in which a fault can show, and was not tried. */
export const otherDialects = (fault: string, tried: readonly DialectName[]): readonly DialectName[] =>
  (faultNamed(fault).dialects ?? DIALECT_NAMES).filter((each) => !tried.includes(each));
