/** Parses profiles in YAML or JSON. */
import { checkProfile, type Environment } from './check-profile.ts';
import { readYaml } from './read-yaml.ts';
import type { Profile } from './schema.ts';

/** Parses and checks a profile in YAML or JSON; `source` is its name in messages. */
export function parseProfile(
  text: string,
  source: string,
  env: NodeJS.ProcessEnv = process.env,
  unset: Environment['unset'] = 'refuse',
): Profile {
  const { tree, lineOf } = readYaml(text, source);
  return checkProfile(tree, source, { env, unset }, lineOf);
}
