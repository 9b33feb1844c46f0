/** Header fields as lines, in wire order. */

export type HeaderLines = readonly (readonly [name: string, value: string])[];
