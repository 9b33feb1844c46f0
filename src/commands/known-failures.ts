/** The waivers and the pinned rule set of a run, as users give them. */
import { didYouMean } from '../profile/did-you-mean.ts';
import { RULE_SET_VERSIONS, type RuleSetVersion } from '../rule/rule-set.ts';
import type { Waiver } from '../run/waiver-types.ts';
import { UsageError } from '../usage-error.ts';
import type { WaiverData } from '../waivers/waiver-schema.ts';

/** Reads a file of waivers; returns those of a configuration as they are. Throws UsageError with file, line and key. */
export async function waiversOf(given: string | readonly Waiver[] | undefined): Promise<readonly Waiver[] | undefined> {
  if (typeof given !== 'string') return given;
  return (await import('../waivers/read-waivers.ts')).readWaivers(given);
}

/**
 * Checks waivers that a program lists.
 * @throws UsageError with the location in the list
 */
export async function listedWaivers(
  given: string | readonly WaiverData[] | undefined,
): Promise<string | readonly Waiver[] | undefined> {
  if (given === undefined || typeof given === 'string') return given;
  return (await import('../waivers/read-waivers.ts')).checkWaivers(given);
}

const isRuleSet = (text: string): text is RuleSetVersion => RULE_SET_VERSIONS.some((each) => each === text);

/** Why a text is no version of the rule set; undefined if it is one. */
export const whyNoRuleSet = (text: string): string | undefined =>
  isRuleSet(text)
    ? undefined
    : `there is no rule set “${text}”${didYouMean(text, RULE_SET_VERSIONS)}; there are: ${RULE_SET_VERSIONS.join(', ')}`;

/**
 * Checks the version to which the rule set is pinned.
 * @param name what the user calls the option
 */
export function ruleSetOf(given: string | undefined, name: string): RuleSetVersion | undefined {
  if (given === undefined || isRuleSet(given)) return given;
  throw new UsageError(`${name}: ${whyNoRuleSet(given)}`);
}
