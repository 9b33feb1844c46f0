/** Assigns UPCs of the world to the example UPCs of a profile. */
import { isUpc } from '../../../src/contract/index.ts';
import type { World } from '../../model/world.ts';
import type { AliasTable } from './alias-table.ts';

/** Products below this index are at the edges of windows or are used by faults, so they keep their UPCs. */
const FIRST_CANDIDATE = 10;
/** The number of products that are candidates, since a world may be large. */
const MAX_PRODUCTS = 2000;
/** UPCs for the profile's `unknownUpc`, in case a product of the world has that UPC. */
const UNKNOWN_UPCS = ['999999999993', '999999999986', '999999999979'];

/** Swaps each example UPC that the world lacks with the UPC of a product, and `unknownUpc` if the world has it. */
export function aliasUpcs(aliases: AliasTable, world: World, unknownUpc: string | undefined): void {
  const asOf = world.clock.asOf();
  const examples = aliases.examplesOf('upc');
  const isKnown = (upc: string): boolean => world.products.byUpc(upc, asOf) !== undefined;
  const swap = (upc: string, otherUpc: string): void => {
    aliases.add('upc', upc, otherUpc);
    aliases.add('upc', otherUpc, upc);
  };
  const candidates = (): string[] =>
    Array.from(
      { length: Math.max(0, Math.min(world.products.count, MAX_PRODUCTS) - FIRST_CANDIDATE) },
      (_, index) => world.products.at(index + FIRST_CANDIDATE, asOf).upc,
    );
  for (const [index, upc] of examples.entries()) {
    if (!isUpc(upc) || isKnown(upc)) continue;
    const free = candidates().filter((each) => !aliases.hasProfileValue('upc', each) && !examples.includes(each));
    // A UPC with a leading zero replaces a UPC with a leading zero.
    const chosen = free.find((each) => each.startsWith('0') === upc.startsWith('0')) ?? free[0];
    if (chosen === undefined)
      aliases.reportUnmatched('upc', index, 'the world has too few products; --products sets their number');
    else swap(upc, chosen);
  }
  if (unknownUpc === undefined || !isUpc(unknownUpc) || !isKnown(unknownUpc)) return;
  if (aliases.hasProfileValue('upc', unknownUpc)) return;
  const unknown = UNKNOWN_UPCS.find((upc) => !isKnown(upc) && !examples.includes(upc));
  if (unknown !== undefined) swap(unknownUpc, unknown);
}
