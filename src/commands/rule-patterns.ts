/** Rule ids and patterns of them, as users give them. */
import { RULES } from '../../suites/index.ts';
import { didYouMean } from '../profile/did-you-mean.ts';
import { matchesWildcard } from '../text-patterns.ts';
import { UsageError } from '../usage-error.ts';

const IDS = RULES.map(({ id }) => id);

/** The ids, and the patterns that users write: `C.*`, `C.delta-*`. */
const suggestions = (): string[] => [
  ...new Set(IDS.flatMap((id) => [id, ...[...id.matchAll(/[.-]/g)].map(({ index }) => `${id.slice(0, index + 1)}*`)])),
];

/** The ids that match a pattern. */
const idsMatching = (pattern: string): string[] => IDS.filter((id) => matchesWildcard(pattern, id));

/**
 * Why an id or a pattern selects nothing; undefined if it selects a rule.
 * @param shown the pattern as its author wrote it
 */
export function whyNoRule(pattern: string, shown = pattern): string | undefined {
  if (idsMatching(pattern).length > 0) return undefined;
  const what = pattern.includes('*') ? 'no rule matches' : 'there is no rule';
  return `${what} “${shown}”${didYouMean(pattern, suggestions())}; mdwi rules lists them`;
}

/**
 * The rules that ids and patterns select, in the order of the suites.
 * @param name what the user calls the option, for the refusal
 * @throws UsageError if one of them selects no rule
 * @example rulesMatching(['C.delta-*'], '--rule') // ['C.delta-windows-answered', 'C.delta-nested', …]
 */
export function rulesMatching(patterns: readonly string[], name: string): string[] {
  for (const pattern of patterns) {
    const why = whyNoRule(pattern);
    if (why !== undefined) throw new UsageError(`${name}: ${why}`);
  }
  return IDS.filter((id) => patterns.some((pattern) => matchesWildcard(pattern, id)));
}
