/** The flags that compare a run with an earlier one. */
export const COMPARISON_FLAGS = {
  baseline: { type: 'string' },
  'fail-on-new': { type: 'boolean' },
} as const;
