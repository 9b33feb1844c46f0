/** Loading a profile: a bundled name, a YAML or JSON file, or a TypeScript/JavaScript module. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Document, Node } from 'yaml';
import { BUNDLED, checkProfile, type Environment } from './check-profile.ts';
import { oneLine } from './place.ts';
import { ProfileError } from './profile-error.ts';
import type { Profile, ProfileInput } from './schema.ts';

/** For libraries that are loaded when they are first needed. */
const load = createRequire(import.meta.url);

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
 * @param unset what becomes of a variable that is not set: the profile is refused, or its text kept as it is written
 */
export async function loadProfile(
  source: string,
  env: NodeJS.ProcessEnv = process.env,
  unset: Environment['unset'] = 'refuse',
): Promise<Profile> {
  const settings = { env, unset };
  if (source === 'empty') return checkProfile({ name: 'empty' }, 'bundled:empty', settings);
  const bundled = join(BUNDLED, `${source}.yaml`);
  if (/^[\w-]+$/.test(source) && existsSync(bundled)) return loadBundled(bundled, `bundled:${source}`, settings);
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
    return checkProfile(await importDefault(path, source), source, settings);
  if (['.yaml', '.yml', '.json'].includes(kind)) return parseProfile(readFileSync(path, 'utf8'), source, env, unset);
  throw new ProfileError(`${source}: a profile is a .yaml, .json, .ts or .js file`);
}

/** Loads a bundled profile; the package holds its tree beside it, for reading YAML takes a fifth of a short run. */
function loadBundled(file: string, source: string, settings: Environment): Profile {
  const tree = file.replace(/\.yaml$/, '.json');
  if (existsSync(tree)) {
    try {
      return checkProfile(JSON.parse(readFileSync(tree, 'utf8')), source, settings);
    } catch (error) {
      // Only the YAML shows the line.
      if (!(error instanceof ProfileError)) throw error;
    }
  }
  return parseProfile(readFileSync(file, 'utf8'), source, settings.env, settings.unset);
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
export function parseProfile(
  text: string,
  source: string,
  env: NodeJS.ProcessEnv = process.env,
  unset: Environment['unset'] = 'refuse',
): Profile {
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
  return checkProfile(tree ?? {}, source, { env, unset }, (path) => `:${lines.linePos(offsetOf(document, path)).line}`);
}

/** Where the key of a path begins; what is missing is sought where it would stand. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  const { isAlias, isMap, isScalar, isSeq } = load('yaml') as typeof import('yaml');
  let node: unknown = document.contents;
  let offset = 0;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    const pair = isMap(node)
      ? node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === step)
      : undefined;
    const key = (pair?.key ?? (isSeq(node) ? node.items[Number(step)] : undefined)) as Node | null | undefined;
    if (!key?.range) break;
    offset = key.range[0];
    node = pair ? pair.value : key;
  }
  return offset;
}
