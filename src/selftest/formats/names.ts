/** The report formats of `mdwi selftest` for files. */
export const SELFTEST_REPORTS = ['json', 'html'] as const;
export type SelftestReport = (typeof SELFTEST_REPORTS)[number];
