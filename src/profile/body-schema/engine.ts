/** Compilers of JSON Schema, one for each draft. They are loaded when first used, for few runs need them. */
import { createRequire } from 'node:module';
import type { Ajv, MissingRefError, Options } from 'ajv';
import { compilePattern, type Pattern } from '../pattern/index.ts';

export const SCHEMA_DIALECTS = {
  '2020-12': /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/,
  'draft-07': /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/,
} as const;
export type SchemaDialect = keyof typeof SCHEMA_DIALECTS;

/** Patterns are ECMAScript’s with the flag u; those that only hold without it are common, and taken as meant. */
const lenient = (pattern: string): RegExp => {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
};

/** @throws PatternLimitError, when tested against some texts */
const limited = ({ source, flags }: RegExp, key: string) => compilePattern(source, { flags, key });

const OPTIONS: Options = {
  // A keyword nobody knows is an annotation, as the standard says; schemas are checked where they are added.
  strict: false,
  validateSchema: false,
  logger: false,
  // JSON has numbers no double holds, and a sum of cents divided by 0.01 is seldom whole.
  strictNumbers: false,
  multipleOfPrecision: 2,
  code: { regExp: Object.assign((pattern: string) => limited(lenient(pattern), 'the keyword pattern'), { code: '' }) },
};

function isPattern(text: string): boolean {
  try {
    lenient(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether a member of a schema holds a regular expression that is none. */
export const isBadPattern = (key: string, value: unknown): boolean =>
  (key === 'pattern' && typeof value === 'string' && !isPattern(value)) ||
  (key === 'patternProperties' &&
    typeof value === 'object' &&
    value !== null &&
    !Object.keys(value).every((pattern) => isPattern(pattern)));

const load = createRequire(import.meta.url);

export function createEngine(dialect: SchemaDialect): Ajv {
  const { Ajv2020 } = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const { Ajv: Ajv7 } = load('ajv') as typeof import('ajv');
  const addFormats = load('ajv-formats') as typeof import('ajv-formats').default;
  const engine = dialect === 'draft-07' ? new Ajv7(OPTIONS) : (new Ajv2020(OPTIONS) as unknown as Ajv);
  addFormats(engine);
  for (const [name, format] of Object.entries(engine.formats)) {
    if (!(format instanceof RegExp)) continue;
    let pattern: Pattern | undefined;
    engine.addFormat(name, (text: string) => {
      pattern ??= limited(format, `format ${name}`);
      return pattern.test(text);
    });
  }
  return engine.addFormat('regex', isPattern);
}

/** The reference that led nowhere, where that is what a compiler refused. */
export const missingRefOf = (error: unknown): MissingRefError | undefined =>
  (error as Partial<MissingRefError>).missingSchema === undefined ? undefined : (error as MissingRefError);
