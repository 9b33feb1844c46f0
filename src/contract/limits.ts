/** The constants of the document, section 8. Weeks are data weeks; digits are ASCII digits. */
export const LIMITS = {
  historyWeeks: 52,
  deltaWeeks: [1, 4, 13],
  upcDigits: 12,
  salesWeeks: [4, 12, 52],
  market: 'Total US',
  productMarket: 'US',
} as const;

export type DeltaWeeks = (typeof LIMITS.deltaWeeks)[number];

/** A string of exactly 12 ASCII digits (sections 4.3 and 8); the check digit is not part of the rule. */
export const isUpc = (text: string): boolean => /^[0-9]{12}$/.test(text);
