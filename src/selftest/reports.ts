/** The reports that `mdwi selftest` can write to a file. */
export const SELFTEST_REPORTS = ['json', 'html'] as const;
export type SelftestReport = (typeof SELFTEST_REPORTS)[number];
