/** The interface of a body schema, independent of the schema language. */
import type { OperationKey } from '../../contract/index.ts';

/** One violation of a schema: the location, the keyword, and the expected value. */
export interface SchemaBreach {
  /** The path from the root of the checked value, e.g. `['items', 0, 'upc']`. */
  readonly path: readonly (string | number)[];
  /** The keyword of a JSON Schema, or the code a validator gives its issue. */
  readonly keyword: string;
  /** Identifies the demand of the schema: `demandOf`. */
  readonly demand: string;
  readonly expected: string;
}

/** A list inside a body that can be checked element by element, separately from the rest of the body. */
export interface RowsSchema {
  /** Member names from the root to the list. */
  readonly path: readonly string[];
  /** The number of elements that the rest must retain to be judged like the whole body. */
  readonly minItems: number;
  readonly maxItems: number;
  check(row: unknown): readonly SchemaBreach[];
}

/** A part of a JSON Schema, to generate values from it. */
export interface SchemaNode {
  readonly schema: unknown;
  /** Whether a value fits it. */
  accepts(value: unknown): boolean;
  /** The schema at a path within it, e.g. `['properties', 'upc']`. */
  below(...steps: readonly string[]): SchemaNode;
  /** The schema that its `$ref` names; undefined if there is none, or if it is named by an anchor. */
  referenced(): SchemaNode | undefined;
}

export interface BodySchema {
  /** Its name in findings: the file as written in the profile, or the kind of schema. */
  readonly name: string;
  /** An empty list: the value is valid. A JSON Schema reports only the first violation, to limit the cost of large bodies. */
  check(value: unknown): readonly SchemaBreach[] | Promise<readonly SchemaBreach[]>;
  /** Absent if no list can be checked separately with the same result. */
  readonly rows?: RowsSchema;
  /** Absent for schemas that are no JSON Schemas. */
  readonly json?: SchemaNode;
}

/** Body schemas by operation, and by status as written: `200`, `2XX`, `default`. */
export type BodySchemas = ReadonlyMap<OperationKey, ReadonlyMap<string, BodySchema>>;

/**
 * A validator of zod, Valibot, ArkType and others (standardschema.dev, version 1).
 * Possible in TypeScript profiles only.
 */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>;
  };
}

interface StandardResult {
  readonly issues?:
    | readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
        readonly code?: unknown;
      }[]
    | undefined;
}

/** Whether a value is a Standard Schema: a function or an object. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard = (value as { '~standard'?: { validate?: unknown } })['~standard'];
  return typeof standard === 'object' && standard !== null && typeof standard.validate === 'function';
}

/** An invalid schema. The message is one sentence without the location in the profile. */
export class BodySchemaError extends Error {
  /** The location inside an inline schema; empty for a file, whose line is in the message. */
  readonly within: readonly (string | number)[];
  constructor(message: string, within: readonly (string | number)[] = []) {
    super(message);
    this.within = within;
  }
}
