/** Loads a profile: a bundled name, a YAML or JSON file, or a TypeScript/JavaScript module. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, resolve } from 'node:path';
import { bundledPath, bundledProfile, emptyProfile } from './bundled.ts';
import type { Environment } from './check-profile.ts';
import { didYouMean } from './did-you-mean.ts';
import { importDefault } from './import-default.ts';
import { ProfileError } from './profile-error.ts';
import { PROFILE_OBJECT } from './profile-location.ts';
import type { Profile, ProfileInput } from './schema.ts';

const MAX_BYTES = 1 << 20;

/** Names of the bundled profiles. `empty` is always included: it leaves everything open. */
export function bundledProfiles(): string[] {
  const files = readdirSync(bundledPath()).filter((file) => extname(file) === '.yaml');
  return ['empty', ...files.map((file) => basename(file, '.yaml'))];
}

/** Types a profile written in TypeScript: `export default defineProfile({ name: 'acme', … })`. */
export function defineProfile(profile: ProfileInput): ProfileInput {
  return profile;
}

/**
 * Loads and checks a profile. Throws ProfileError.
 * @param source a bundled name (`reference`, `empty`), the path of a .yaml, .yml, .json, .ts, .mts, .js or .mjs file, or the
 *   profile itself, whose relative file names count from the working directory
 * @param env the environment that `${NAME}` is resolved from; every value used is a secret
 * @param unset for a variable that is not set: `refuse` the profile, or `keep` its text as written
 */
export async function loadProfile(
  source: string | ProfileInput,
  env: NodeJS.ProcessEnv = process.env,
  unset: Environment['unset'] = 'refuse',
): Promise<Profile> {
  const settings = { env, unset };
  if (typeof source !== 'string')
    return (await import('./check-profile.ts')).checkProfile(source, PROFILE_OBJECT, settings);
  if (source === 'empty') return emptyProfile();
  const bundled = bundledPath(`${source}.yaml`);
  if (/^[\w-]+$/.test(source) && existsSync(bundled)) return loadBundled(source, bundled);
  const path = resolve(source);
  if (!existsSync(path)) {
    throw new ProfileError(
      `${source}: there is no such file and no bundled profile of that name${didYouMean(source, bundledProfiles())} (bundled: ${bundledProfiles().join(', ')})`,
    );
  }
  if (statSync(path).isDirectory()) throw new ProfileError(`${source}: is a folder; give the path of the profile file`);
  if (statSync(path).size > MAX_BYTES)
    throw new ProfileError(`${source}: is larger than ${MAX_BYTES} bytes; a profile is a small text file`);
  const kind = extname(path);
  if (['.ts', '.mts', '.js', '.mjs'].includes(kind))
    return (await import('./check-profile.ts')).checkProfile(
      await importDefault(path, source, 'defineProfile'),
      source,
      settings,
    );
  if (['.yaml', '.yml', '.json'].includes(kind))
    return (await import('./parse-profile.ts')).parseProfile(readFileSync(path, 'utf8'), source, env, unset);
  throw new ProfileError(`${source}: a profile is a .yaml, .json, .ts or .js file`);
}

/** Loads a bundled profile. The package includes its checked data: YAML and the schema take a third of a short run. */
async function loadBundled(name: string, file: string): Promise<Profile> {
  const { bundledData } = await import('./bundled/index.ts');
  const { readYaml } = await import('./read-yaml.ts');
  const source = `bundled:${name}`;
  return bundledProfile(await bundledData(name), source, (path) =>
    readYaml(readFileSync(file, 'utf8'), source).lineOf(path),
  );
}

/**
 * Loads a profile whose environment variables may be unset, because no request with credentials is sent.
 * @param profile the name of a bundled profile, the path of a file, or the profile itself
 */
export const loadOffline = (profile: string | ProfileInput): Promise<Profile> =>
  loadProfile(profile, process.env, 'keep');
