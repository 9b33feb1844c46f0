/** The constants of the document, section 8. Weeks are data weeks; digits are ASCII digits. */
export const LIMITS = {
  historyWeeks: 52,
  deltaWeeks: [1, 4, 13],
  upcDigits: 12,
  salesWeeks: [4, 12, 52],
} as const;

/** The markets that responses name (section 8): of group D, and of the product look-up. */
export const MARKET_NAMES = { performance: 'Total US', products: 'US' } as const;

export type DeltaWeeks = (typeof LIMITS.deltaWeeks)[number];

/** A string of exactly 12 ASCII digits (sections 4.3 and 8); the check digit is not part of the rule. */
export function isUpc(text: string): boolean {
  // No regular expression, because a bulk list calls this a million times.
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x30 || code > 0x39) return false;
  }
  return text.length === LIMITS.upcDigits;
}
