/** The products that the runs of a target looked up, added up: each run with another seed draws others. */
import { isUpc, PRODUCT_LOOKUP } from '../contract/index.ts';
import { counted } from '../format-values.ts';
import type { RunSnapshot } from '../run/comparison-types.ts';
import { sampleOrder } from '../run/snapshot.ts';
import type { Run } from '../run/types.ts';

/** What an entry of the history says of the products of a run. */
interface RunProducts {
  readonly lookedUp?: string | undefined;
  readonly profileHash?: string | undefined;
  readonly snapshot?: RunSnapshot;
}

/** The most products of one run that an entry names. */
const MAX_NAMED = 10_000;

const hashOf = (upc: string): number => sampleOrder(Number(upc));

/** The hashes of the products that a run looked up, 32 bits each, in base64; undefined if it looked up none. */
export function lookedUpIn({ draws = [] }: Pick<Run, 'draws'>): string | undefined {
  const inputs = draws.flatMap((each) => (each.operation === PRODUCT_LOOKUP ? each.inputs : []));
  const upcs = inputs.flatMap(({ upc }) => (typeof upc === 'string' && isUpc(upc) ? [upc] : []));
  const hashes = Uint32Array.from(new Set(upcs.map(hashOf))).sort();
  if (hashes.length === 0) return undefined;
  const bytes = Buffer.alloc(Math.min(hashes.length, MAX_NAMED) * 4);
  for (const [at, hash] of hashes.subarray(0, MAX_NAMED).entries()) bytes.writeUInt32LE(hash, at * 4);
  return bytes.toString('base64');
}

function hashesIn(text: string): number[] {
  const bytes = Buffer.from(text, 'base64');
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readUInt32LE(at * 4));
}

/**
 * How many products the runs of a target looked up together, in a sentence; none before the second run.
 * @param entries runs of one target, the oldest first
 * @example coverageNote(entries) // ['14 runs looked up 610 of 1000 products']
 */
export function coverageNote(entries: readonly RunProducts[]): string[] {
  const last = entries.at(-1);
  const listed = last?.snapshot?.products;
  const runs = entries.flatMap(({ lookedUp, profileHash }) =>
    lookedUp !== undefined && profileHash === last?.profileHash ? [lookedUp] : [],
  );
  if (!listed || runs.length < 2) return [];
  const all = new Set(runs.flatMap(hashesIn));
  const who = counted(runs.length, 'run');
  // A product that left the list counts only where the list is known whole.
  return listed.bound === undefined
    ? [`${who} looked up ${listed.sample.filter((upc) => all.has(hashOf(upc))).length} of ${listed.count} products`]
    : [`${who} looked up ${all.size} different products; the list has ${listed.count} now`];
}
