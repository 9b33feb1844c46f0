/** The aliases of a profile: each example value and the value of the world that it replaces. */
import type { Field, Input } from '../../../src/contract/index.ts';
import type { ProfileData } from '../../../src/profile/schema.ts';

/** The kinds of values that have aliases; `refresh` is the id of a refresh date. */
export type AliasKind =
  | (Field & Input)
  | 'catalogueId'
  | 'dimension'
  | 'group'
  | 'hierarchy'
  | 'level'
  | 'attribute'
  | 'measure'
  | 'refresh';

/** An example for which the world has no free value. */
export interface UnmatchedExample {
  /** The path of the example in the profile, e.g. `examples.upc[2]`. */
  readonly key: string;
  readonly why: string;
}

/** Holds the aliases that are assigned so far, and the examples without one. */
export class AliasTable {
  readonly unmatched: UnmatchedExample[] = [];
  readonly #worldValues = new Map<string, string>();
  readonly #profileValues = new Map<string, string>();
  readonly #examples: NonNullable<ProfileData['examples']>;

  constructor(examples: NonNullable<ProfileData['examples']>) {
    this.#examples = examples;
  }

  examplesOf(input: Input): string[] {
    return (this.#examples[input] ?? []).map(String);
  }

  /** The world value is served as the profile value, and the profile value is requested in its place. */
  add(kind: AliasKind, profileValue: string, worldValue: string): void {
    this.addRequestOnly(kind, profileValue, worldValue);
    this.#profileValues.set(`${kind} ${worldValue}`, profileValue);
  }

  /** The profile value may be requested, but responses show the world value or its other alias. */
  addRequestOnly(kind: AliasKind, profileValue: string, worldValue: string): void {
    this.#worldValues.set(`${kind} ${profileValue}`, worldValue);
  }

  /** Reports an example of `examples` in the profile, by its position in the list. */
  reportUnmatched(input: Input, index: number, why: string): void {
    this.unmatched.push({ key: `examples.${input}[${index}]`, why });
  }

  hasProfileValue(kind: AliasKind, profileValue: string): boolean {
    return this.#worldValues.has(`${kind} ${profileValue}`);
  }

  hasWorldValue(kind: AliasKind, worldValue: string | undefined): boolean {
    return this.#profileValues.has(`${kind} ${worldValue}`);
  }

  /** Converts a value of the profile to the value of the world; other values stay unchanged. */
  toWorld(kind: AliasKind, profileValue: string): string {
    return this.#worldValues.get(`${kind} ${profileValue}`) ?? profileValue;
  }

  /** Converts a value of the world to the value of the profile; other values stay unchanged. */
  toProfile(kind: AliasKind, worldValue: string): string {
    return this.#profileValues.get(`${kind} ${worldValue}`) ?? worldValue;
  }
}
