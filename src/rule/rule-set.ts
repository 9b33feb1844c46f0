/** The versions of the rule set: what the rules demand. A run can be pinned to one of them. */

/** Every version that added a rule or a demand, oldest first; the last one is the current one. */
export const RULE_SET_VERSIONS = ['0.1.0', '0.2.0'] as const;

export type RuleSetVersion = (typeof RULE_SET_VERSIONS)[number];

/** Whether a demand is later than a pinned version. Without a pin none is. */
export const isLater = (since: RuleSetVersion, pin: RuleSetVersion | undefined): boolean =>
  pin !== undefined && RULE_SET_VERSIONS.indexOf(since) > RULE_SET_VERSIONS.indexOf(pin);
