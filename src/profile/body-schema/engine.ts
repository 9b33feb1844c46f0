/** JSON Schema compilers, one per draft. They are loaded on first use, because few runs need them. */
import type { Ajv, MissingRefError, Options } from 'ajv';
import { requireFrom } from '../../builtin-module.ts';
import { compilePattern, type Pattern } from '../pattern/index.ts';

export const SCHEMA_DIALECTS = {
  '2020-12': /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/,
  'draft-07': /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/,
} as const;
export type SchemaDialect = keyof typeof SCHEMA_DIALECTS;

/** Patterns are ECMAScript with the flag u; patterns that are valid only without it are common, and accepted. */
const lenient = (pattern: string): RegExp => {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
};

/** @throws PatternLimitError when a test takes too long */
const limited = ({ source, flags }: RegExp, key: string) => compilePattern(source, { flags, key });

const OPTIONS: Options = {
  // Unknown keywords are annotations (JSON Schema, section 6.5); schemas are validated when they are added.
  strict: false,
  validateSchema: false,
  logger: false,
  // JSON numbers may exceed a double, and 0.07 / 0.01 is not an integer in binary floating point.
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

/** Whether a member of a schema has an invalid regular expression. */
export const isBadPattern = (key: string, value: unknown): boolean =>
  (key === 'pattern' && typeof value === 'string' && !isPattern(value)) ||
  (key === 'patternProperties' &&
    typeof value === 'object' &&
    value !== null &&
    !Object.keys(value).every((pattern) => isPattern(pattern)));

const load = (library: string): unknown => requireFrom(import.meta.url, library);

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

/** The unresolved reference, if that is the compiler's error. */
export const missingRefOf = (error: unknown): MissingRefError | undefined =>
  (error as Partial<MissingRefError>).missingSchema === undefined ? undefined : (error as MissingRefError);
