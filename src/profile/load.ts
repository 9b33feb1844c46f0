/** Loading a profile: a bundled name, a YAML or JSON file, or a TypeScript/JavaScript module. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { z } from 'zod';
import { compileBodySchemas } from './body-schema/index.ts';
import { isStandardSchema } from './body-schema/types.ts';
import { ProfileError } from './profile-error.ts';
import { type Profile, type ProfileData, type ProfileInput, profileSchema } from './schema.ts';

/** For libraries that are loaded when they are first needed. */
const load = createRequire(import.meta.url);

const BUNDLED = join(import.meta.dirname, 'bundled');
const MAX_BYTES = 1 << 20;

/** Names of the profiles that come with the suite. `empty` is always one of them: it leaves everything open. */
export function bundledProfiles(): string[] {
  const files = readdirSync(BUNDLED).filter((file) => extname(file) === '.yaml');
  return ['empty', ...files.map((file) => basename(file, '.yaml'))];
}

/** Types a profile written in TypeScript: `export default defineProfile({ name: 'acme', … })`. */
export function defineProfile(profile: ProfileInput): ProfileInput {
  return profile;
}

/**
 * Loads and checks a profile. Throws ProfileError.
 * @param source a bundled name (`reference`, `empty`) or the path of a .yaml, .yml, .json, .ts, .mts, .js or .mjs file
 * @param env where `${NAME}` is looked up; every value found there is a secret
 */
export async function loadProfile(source: string, env: NodeJS.ProcessEnv = process.env): Promise<Profile> {
  if (source === 'empty') return checkProfile({ name: 'empty' }, 'bundled:empty', env);
  const bundled = join(BUNDLED, `${source}.yaml`);
  if (/^[\w-]+$/.test(source) && existsSync(bundled))
    return parseProfile(readFileSync(bundled, 'utf8'), `bundled:${source}`, env);
  const path = resolve(source);
  if (!existsSync(path)) {
    throw new ProfileError(
      `${source}: there is no such file and no bundled profile of that name (bundled: ${bundledProfiles().join(', ')})`,
    );
  }
  if (statSync(path).isDirectory()) throw new ProfileError(`${source}: is a folder; name the profile’s file`);
  if (statSync(path).size > MAX_BYTES)
    throw new ProfileError(`${source}: is larger than ${MAX_BYTES} bytes; a profile is a small text file`);
  const kind = extname(path);
  if (['.ts', '.mts', '.js', '.mjs'].includes(kind))
    return checkProfile(await importDefault(path, source), source, env);
  if (['.yaml', '.yml', '.json'].includes(kind)) return parseProfile(readFileSync(path, 'utf8'), source, env);
  throw new ProfileError(`${source}: a profile is a .yaml, .json, .ts or .js file`);
}

async function importDefault(path: string, source: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(path).href)) as { default?: unknown };
    if (module.default === undefined)
      throw new Error('it has no default export; write `export default defineProfile({ … })`');
    return module.default;
  } catch (error) {
    const { message } = error as Error;
    // Node takes .ts and .js for CommonJS unless the nearest package.json says otherwise.
    const advice = /outside a module|Unexpected token 'export'/.test(message)
      ? '; name the file .mts (or .mjs), which is always a module'
      : '';
    throw new ProfileError(`${source}: cannot be loaded: ${oneLine(message)}${advice}`);
  }
}

/** Checks a profile given as YAML or JSON text; `source` names it in messages. */
export function parseProfile(text: string, source: string, env: NodeJS.ProcessEnv = process.env): Profile {
  const { LineCounter, parseDocument } = load('yaml') as typeof import('yaml');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [wrong] = document.errors;
  if (wrong) throw new ProfileError(`${source}:${lines.linePos(wrong.pos[0]).line}: ${oneLine(wrong.message)}`);
  let tree: unknown;
  try {
    tree = document.toJS({ maxAliasCount: 50 });
  } catch (error) {
    throw new ProfileError(`${source}: ${oneLine((error as Error).message)}`);
  }
  const lineOf = (path: readonly PropertyKey[]): string => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true) as { range?: [number, number, number] } | undefined;
      if (node?.range) return `:${lines.linePos(node.range[0]).line}`;
    }
    return '';
  };
  return checkProfile(tree ?? {}, source, env, lineOf);
}

function checkProfile(
  tree: unknown,
  source: string,
  env: NodeJS.ProcessEnv,
  lineOf: (path: readonly PropertyKey[]) => string = () => '',
): Profile {
  const secrets = new Set<string>();
  const resolved = resolveEnv(tree, [], (name, path) => {
    const value = env[name];
    if (value === undefined || value === '') {
      throw new ProfileError(
        `${source}${lineOf(path)}: ${show(path)} needs the environment variable ${name}, which is not set`,
      );
    }
    secrets.add(value);
    return value;
  });
  const result = profileSchema.safeParse(resolved);
  if (!result.success) {
    const issues = result.error.issues.map((issue) => sharpest(issue, []));
    const [first] = issues;
    const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
    throw new ProfileError(
      `${source}${lineOf(first?.path ?? [])}: ${show(first?.path ?? [])}: ${first?.message}${more}`,
    );
  }
  return {
    data: withSamples(result.data, source, lineOf),
    source,
    secrets: [...secrets],
    bodySchemas: compileBodySchemas(
      result.data,
      fileOf(source),
      (place, why) => new ProfileError(`${source}${lineOf(place)}: ${show(place)}: ${oneLine(why)}`),
    ),
  };
}

/** The file of a profile, beside which the files it names are sought. */
const fileOf = (source: string): string =>
  source.startsWith('bundled:') ? join(BUNDLED, source.slice('bundled:'.length)) : resolve(source);

/** Sample bodies that are named by their file, read from there. */
function withSamples(data: ProfileData, source: string, lineOf: (path: readonly PropertyKey[]) => string): ProfileData {
  const folder = dirname(fileOf(source));
  const read = (key: string, name: string): unknown => {
    const place = ['operations', key, 'response', 'sample'];
    const fail = (why: string) => new ProfileError(`${source}${lineOf(place)}: ${show(place)}: ${name} ${why}`);
    const path = resolve(folder, name);
    if (extname(path) !== '.json') throw fail('is no .json file, nor a body written here');
    if (!existsSync(path)) throw fail('is not there; it is sought beside the profile');
    if (statSync(path).size > MAX_BYTES) throw fail(`is larger than ${MAX_BYTES} bytes; a few rows are enough`);
    try {
      return JSON.parse(readFileSync(path, 'utf8'));
    } catch (error) {
      throw fail(`is not JSON: ${oneLine((error as Error).message)}`);
    }
  };
  const operations = Object.entries(data.operations ?? {}).map(([key, operation]) => {
    const sample = operation?.response?.sample;
    if (typeof sample !== 'string') return [key, operation];
    return [key, { ...operation, response: { ...operation?.response, sample: read(key, sample) } }];
  });
  return data.operations ? { ...data, operations: Object.fromEntries(operations) } : data;
}

/** Replaces `${NAME}` in every string; `$${` stands for a literal `${`. */
function resolveEnv(
  node: unknown,
  path: readonly PropertyKey[],
  lookUp: (name: string, path: readonly PropertyKey[]) => string,
): unknown {
  if (typeof node === 'string') {
    return node.replace(
      /\$(\$\{)|\$\{([A-Za-z_]\w*)\}/g,
      (_whole, escaped?: string, name?: string) => escaped ?? lookUp(name as string, path),
    );
  }
  if (isStandardSchema(node)) return node;
  if (Array.isArray(node)) return node.map((each, at) => resolveEnv(each, [...path, at], lookUp));
  if (node && typeof node === 'object' && Object.getPrototypeOf(node) === Object.prototype) {
    return Object.fromEntries(
      Object.entries(node).map(([key, each]) => [key, resolveEnv(each, [...path, key], lookUp)]),
    );
  }
  return node;
}

const SPELLING = 'operations are spelled as in the document, e.g. “GET /PLATFORMAPI/prodRef/v1/allProducts”';

/** The issue a writer can act on: of a union's branches, the one that got furthest. */
function sharpest(
  issue: z.core.$ZodIssue,
  above: readonly PropertyKey[],
): { path: readonly PropertyKey[]; message: string } {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const branches = issue.errors.flatMap((branch) => branch.map((each) => sharpest(each, path)));
    const deepest = branches.toSorted((x, y) => y.path.length - x.path.length)[0];
    if (deepest && deepest.path.length > path.length) return deepest;
    return { path, message: [...new Set(branches.map((each) => each.message))].slice(0, 3).join('; or ') };
  }
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => `“${key}”`).join(', ');
    if (path.at(-1) === 'operations') return { path, message: `there is no operation ${keys}; ${SPELLING}` };
    const known = allowedAt(path);
    return { path, message: `unknown key ${keys}${known.length > 0 ? `; allowed: ${known.join(', ')}` : ''}` };
  }
  if (issue.code === 'invalid_key' && issue.issues[0]) return { path, message: oneLine(issue.issues[0].message) };
  return { path, message: oneLine(issue.message) };
}

/** The keys of the object schema at a path, found by walking the schema's shapes. */
function allowedAt(path: readonly PropertyKey[]): string[] {
  // biome-ignore lint/suspicious/noExplicitAny: zod's schema tree is walked structurally.
  let at: any = profileSchema;
  const unwrap = () => {
    while (at?.def && ['optional', 'default', 'pipe', 'nullable'].includes(at.def.type))
      at = at.def.type === 'pipe' ? at.def.in : at.def.innerType;
  };
  for (const step of path) {
    unwrap();
    if (at?.def?.type === 'union')
      at = at.def.options.find((one: { shape?: Record<string, unknown> }) => one.shape && String(step) in one.shape);
    at =
      at?.def?.type === 'record'
        ? at.def.valueType
        : at?.def?.type === 'array'
          ? at.def.element
          : at?.shape?.[String(step)];
  }
  unwrap();
  if (at?.def?.type === 'union') at = at.def.options.find((one: { shape?: unknown }) => one.shape);
  return at?.shape ? Object.keys(at.shape) : [];
}

const show = (path: readonly PropertyKey[]): string =>
  path.length === 0
    ? 'the profile'
    : path
        .map((part, at) =>
          typeof part === 'number'
            ? `[${part}]`
            : /^[\w-]+$/.test(String(part))
              ? `${at > 0 ? '.' : ''}${String(part)}`
              : `["${String(part)}"]`,
        )
        .join('');
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 300);
