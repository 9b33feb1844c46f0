/** The outcomes of a run. */

export const OUTCOMES = [
  'conformant',
  'conformant-with-waivers',
  'partial',
  'nonconformant',
  'undetermined',
  'interrupted',
] as const;

export type Outcome = (typeof OUTCOMES)[number];
