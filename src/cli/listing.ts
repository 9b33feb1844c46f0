/** Lists faults or oddities, grouped by statement and operation; a pattern selects. */

import type { Fault } from '../../simulator/faults/fault.ts';
import { FAULTS } from '../../simulator/faults/index.ts';
import { ODDITIES } from '../../simulator/oddities/index.ts';
import { LEGAL_BASES, type Oddity } from '../../simulator/oddities/oddity.ts';
import { RULES } from '../../suites/index.ts';
import { OPERATIONS, type OperationKey, operationOf, operationsOf, statementOf } from '../contract/index.ts';
import { EXIT } from '../run/exit-codes.ts';
import { escapeRegExp } from '../text-patterns.ts';
import { UsageError } from '../usage-error.ts';
import { type Command, parse } from './parse-flags.ts';

/** One line of a listing. */
export interface ListingItem {
  readonly name: string;
  /** What the server does, in one sentence. */
  readonly says: string;
  /** The heading that the entries of one section share, e.g. a statement. */
  readonly section: string;
  /** The operations whose responses show it; none: every operation. */
  readonly operations: readonly OperationKey[];
}

/**
 * Returns the operations that a sentence names by the end of their path, or `otherwise` if it names none of them.
 *
 * @example namedIn('BrandPerformance ignores the market.', keys) // ['GET /RetailMeasurement/v1/BrandPerformance']
 */
export function operationsNamedIn(sentence: string, candidates: readonly OperationKey[]): readonly OperationKey[] {
  const words = sentence.match(/[\w/-]+/g) ?? [];
  const named = candidates.filter((key) =>
    words.some((word) => key.endsWith(word.startsWith('/') ? ` ${word}` : `/${word}`)),
  );
  return named.length > 0 ? named : candidates;
}

const MOST_NAMED = 3;

/** Returns the heading of the entries for these operations. */
function headingOf(operations: readonly OperationKey[]): string {
  if (operations.length === 0 || operations.length === OPERATIONS.length) return 'every operation';
  if (operations.length <= MOST_NAMED) return operations.join(', ');
  const groups = new Set(OPERATIONS.filter(({ key }) => operations.includes(key)).map(({ group }) => group));
  return `${operations.length} operations of group ${[...groups].join(', ')}`;
}

/** Returns a test for a pattern: a part of the text, case-insensitive; `*` matches any text. */
function matcherOf(pattern: string): (text: string) => boolean {
  const expression = new RegExp(pattern.split('*').map(escapeRegExp).join('.*'), 'is');
  return (text) => expression.test(text);
}

/**
 * Formats the entries that match a pattern, by section and operations.
 *
 * @param plural what is listed, in the plural
 * @throws UsageError if none matches
 */
export function printListing(plural: string, entries: readonly ListingItem[], pattern = ''): string {
  const matches = matcherOf(pattern);
  const chosen = entries.filter(
    ({ name, says, section, operations }) =>
      [name, says, section].some(matches) || (pattern !== '' && operations.some(matches)),
  );
  if (chosen.length === 0)
    throw new UsageError(`no name, sentence, operation or section contains “${pattern}”; mdwi ${plural} lists all`);
  const sections = [...Map.groupBy(chosen, ({ section }) => section)].map(([section, inSection]) => {
    const blocks = [...Map.groupBy(inSection, ({ operations }) => headingOf(operations))].map(
      ([heading, listed]) => `  ${heading}\n${listed.map(({ name, says }) => `    ${name}: ${says}\n`).join('')}`,
    );
    return `${section}\n${blocks.join('')}`;
  });
  return `${sections.join('\n')}\n${chosen.length} of ${entries.length} ${plural}\n`;
}

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

/** `mdwi faults`: lists every deliberate violation that the simulator can serve. */
export const listFaults: Command = async (args) => {
  const [pattern] = parse(args, {}, 1).positionals;
  process.stdout.write(printListing('faults', FAULTS.map(describeFault), pattern));
  return EXIT.ok;
};

/** Describes an oddity as an entry of the listing. */
export const describeOddity = ({ name, says, legalBasis, groups = [] }: Oddity): ListingItem => ({
  name,
  says,
  section: `${legalBasis}: ${LEGAL_BASES[legalBasis]}`,
  operations: operationsNamedIn(says, groups.flatMap(operationsOf)),
});

/** `mdwi oddities`: lists every legal but unusual behaviour that the simulator can serve. */
export const listOddities: Command = async (args) => {
  const [pattern] = parse(args, {}, 1).positionals;
  process.stdout.write(printListing('oddities', ODDITIES.map(describeOddity), pattern));
  return EXIT.ok;
};
