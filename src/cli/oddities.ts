/** `mdwi oddities`: lists every legal but unusual behaviour that the simulator can serve. */
import { ODDITIES } from '../../simulator/oddities/index.ts';
import { LEGAL_BASES, type Oddity } from '../../simulator/oddities/oddity.ts';
import { operationsOf } from '../contract/index.ts';
import { EXIT } from '../run/exit-codes.ts';
import { type ListingItem, operationsNamedIn, printListing } from './listing.ts';
import { type Command, parse } from './parse-flags.ts';

/** Describes an oddity as an entry of the listing. */
export const describeOddity = ({ name, says, legalBasis, groups = [] }: Oddity): ListingItem => ({
  name,
  says,
  section: `${legalBasis}: ${LEGAL_BASES[legalBasis]}`,
  operations: operationsNamedIn(says, groups.flatMap(operationsOf)),
});

export const listOddities: Command = async (args) => {
  const [pattern] = parse(args, {}, 1).positionals;
  process.stdout.write(printListing('oddities', ODDITIES.map(describeOddity), pattern));
  return EXIT.ok;
};
