/** Draws the mutants of a captured run: of each operator in turn, and of each of its operations, so that none is left out. */
import type { OperationKey } from '../contract/index.ts';
import type { Exchange } from '../exchange/types.ts';
import { applyChanges } from './changes.ts';
import { OPERATORS } from './operators/index.ts';
import { isSite } from './operators/sites.ts';
import type { Operator, Site } from './operators/types.ts';
import type { RecordedWorld } from './world.ts';

export interface Mutant {
  readonly operator: Operator;
  readonly site: Site;
  readonly changed: ReadonlyMap<Exchange, Exchange>;
}

/** What is no mutant, with the reason. */
export interface LeftOut {
  readonly operator: string;
  readonly operation: OperationKey;
  readonly because: string;
  readonly count: number;
}

export interface DrawnMutants {
  readonly mutants: readonly Mutant[];
  /** Changes that a conforming service could have made: the other world. */
  readonly legal: readonly LeftOut[];
  /** Changes that have no place in the notation of the service. */
  readonly notTried: readonly LeftOut[];
}

/** Why a change is not tried. */
const NO_PLACE = 'the value has no place of its own in the notation of the response';

/** Takes one of each group in turn. */
function inTurn<T>(groups: readonly (readonly T[])[]): T[] {
  const length = Math.max(0, ...groups.map((each) => each.length));
  return Array.from({ length }, (_, at) => groups.flatMap((group) => group.slice(at, at + 1))).flat();
}

class Tally {
  readonly #counts = new Map<string, LeftOut>();

  add(operator: string, operation: OperationKey, because: string): void {
    const key = JSON.stringify([operator, operation, because]);
    this.#counts.set(key, { operator, operation, because, count: (this.#counts.get(key)?.count ?? 0) + 1 });
  }

  get all(): LeftOut[] {
    return [...this.#counts.values()];
  }
}

/** The mutants of some operators, at most so many. */
export const mutantsOf = async (
  world: RecordedWorld,
  maxMutants: number,
  isMeant: (operator: Operator) => boolean,
): Promise<readonly Mutant[]> => (await drawMutants(world, maxMutants, OPERATORS.filter(isMeant))).mutants;

/** Draws at most so many mutants of a world. */
export async function drawMutants(
  world: RecordedWorld,
  maxMutants: number,
  operators: readonly Operator[] = OPERATORS,
): Promise<DrawnMutants> {
  const [legal, notTried] = [new Tally(), new Tally()];
  const groups: { readonly operator: Operator; readonly site: Site }[][] = [];
  for (const operator of operators) {
    const sites: Site[] = [];
    for (const each of operator.sites(world))
      if (isSite(each)) sites.push(each);
      else legal.add(operator.name, each.operation, each.otherWorld);
    const kinds = Map.groupBy(sites, (each) => JSON.stringify([each.operation, each.consistency, each.rhythm]));
    const drawn = [...kinds.values()].map((kind) => world.draw(kind, kind.length));
    groups.push(inTurn(drawn).map((site) => ({ operator, site })));
  }
  const mutants: Mutant[] = [];
  for (const { operator, site } of inTurn(groups)) {
    if (mutants.length >= maxMutants) break;
    const changed = await applyChanges(world, site.changes, site.rhythm);
    if (changed) mutants.push({ operator, site, changed });
    else notTried.add(operator.name, site.operation, NO_PLACE);
  }
  return { mutants, legal: legal.all, notTried: notTried.all };
}
