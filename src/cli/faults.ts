/** `mdwi faults`: lists every deliberate violation that the simulator can serve. */

import type { Fault } from '../../simulator/faults/fault.ts';
import { FAULTS } from '../../simulator/faults/index.ts';
import { RULES } from '../../suites/index.ts';
import { type OperationKey, operationOf, statementOf } from '../contract/index.ts';
import { EXIT } from '../run/exit-codes.ts';
import { type ListingItem, operationsNamedIn, printListing } from './listing.ts';
import { type Command, parse } from './parse-flags.ts';

/** Returns the operations of a fault’s group that the rules of its statement judge. */
function judgedOperations(fault: Fault): OperationKey[] {
  const group = fault.group;
  const subjects = RULES.filter(({ statement }) => statement === fault.statement).flatMap((rule) => rule.subjects);
  return [...new Set(subjects)].filter((key) => operationOf(key).group === group);
}

/** Describes a fault as an entry of the listing. */
export function describeFault(fault: Fault): ListingItem {
  const { section, says } = statementOf(fault.statement);
  return {
    name: `${fault.name}${fault.strict ? ' (advisory: found with --strict)' : ''}`,
    says: fault.says,
    section: `${fault.statement} (section ${section}): ${says}`,
    operations: operationsNamedIn(fault.says, judgedOperations(fault)),
  };
}

export const listFaults: Command = async (args) => {
  const [pattern] = parse(args, {}, 1).positionals;
  process.stdout.write(printListing('faults', FAULTS.map(describeFault), pattern));
  return EXIT.ok;
};
