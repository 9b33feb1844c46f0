/** What a stated body schema can do, whichever language it is written in. */
import type { OperationKey } from '../../contract/index.ts';

/** One way in which a value does not fit: where, by which keyword, and what the schema demands there. */
export interface SchemaBreach {
  /** From the value that was checked, e.g. `['items', 0, 'upc']`. */
  readonly path: readonly (string | number)[];
  /** The keyword of a JSON Schema, or the code a validator gives its issue. */
  readonly keyword: string;
  readonly expected: string;
}

/** A list inside a body that can be checked element by element, with the rest of the body checked without it. */
export interface RowsSchema {
  /** Member names from the root to the list. */
  readonly path: readonly string[];
  /** So many elements must stay in the rest, for it to be judged as if they all stood there. */
  readonly minItems: number;
  readonly maxItems: number;
  check(row: unknown): readonly SchemaBreach[];
}

export interface BodySchema {
  /** How it is named in findings: its file as written in the profile, or what kind it is. */
  readonly name: string;
  /** No breach: the value fits. A JSON Schema tells the first one only, so that a huge body costs no more than a small one. */
  check(value: unknown): readonly SchemaBreach[] | Promise<readonly SchemaBreach[]>;
  /** Absent where nothing can soundly be split off. */
  readonly rows?: RowsSchema;
}

/** By operation and by status as written: `200`, `2XX`, `default`. */
export type BodySchemas = ReadonlyMap<OperationKey, ReadonlyMap<string, BodySchema>>;

/**
 * A value that checks other values, as zod, Valibot, ArkType and others make them (standardschema.dev, version 1).
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

/** Whether a value is a Standard Schema; some are functions, some are plain objects. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard = (value as { '~standard'?: { validate?: unknown } })['~standard'];
  return typeof standard === 'object' && standard !== null && typeof standard.validate === 'function';
}

/** A schema that cannot be used. The message is one sentence without the place in the profile. */
export class BodySchemaError extends Error {
  /** Where it stands inside a schema written in the profile itself; empty for a file, whose line the message tells. */
  readonly within: readonly (string | number)[];
  constructor(message: string, within: readonly (string | number)[] = []) {
    super(message);
    this.within = within;
  }
}
