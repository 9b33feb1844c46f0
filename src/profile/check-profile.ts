/** Checks the parsed tree of a profile file and returns the profile. */
import { builtinModule } from '../builtin-module.ts';
import { compileBodySchemas } from './body-schema/index.ts';
import { bundledPath } from './bundled.ts';
import { findUnsendable } from './check-requests.ts';
import { isPublicAddress, resolveVariables, type VariableUse } from './environment.ts';
import { describeIssue } from './first-issue.ts';
import { isDeeperThan } from './plain-object.ts';
import { ProfileError } from './profile-error.ts';
import { type FailAt, formatLocation, MAX_FILE_DEPTH, oneLine, TOO_DEEP } from './profile-location.ts';
import { withSamples } from './sample-bodies.ts';
import { type Profile, profileSchema } from './schema.ts';
import { findUnsafeDeclarations } from './unsafe-declarations.ts';

/** How `${NAME}` is resolved. */
export interface Environment {
  readonly env: NodeJS.ProcessEnv;
  /** A variable that is not set: `refuse` the profile, or `keep` its text as written and list it in `unset`. */
  readonly unset: 'refuse' | 'keep';
}

/** The file of a profile; relative file names in the profile are resolved against its folder. */
const fileOf = (source: string): string =>
  source.startsWith('bundled:')
    ? bundledPath(source.slice('bundled:'.length))
    : builtinModule('node:path').resolve(source);

/**
 * Checks a profile’s tree. Throws ProfileError.
 * @param lineOf returns `:LINE` of a location in the file; empty for sources without lines
 */
export function checkProfile(
  tree: unknown,
  source: string,
  { env, unset: onUnset }: Environment,
  lineOf: (path: readonly PropertyKey[]) => string = () => '',
): Profile {
  const messageOf = (path: readonly PropertyKey[], problem: string, at = path): string =>
    `${source}${lineOf(at)}: ${formatLocation(path)}: ${problem}`;
  const fail: FailAt = (...about) => new ProfileError(messageOf(...about));
  if (isDeeperThan(tree, MAX_FILE_DEPTH)) throw new ProfileError(`${source}: ${TOO_DEEP}`);
  const variables: (VariableUse & { readonly value: string })[] = [];
  const unset: VariableUse[] = [];
  const resolved = resolveVariables(tree, (use) => {
    const value = env[use.name];
    if (value !== undefined && value !== '') {
      variables.push({ ...use, value });
      return value;
    }
    if (onUnset === 'refuse') throw fail(use.path, `needs the environment variable ${use.name}, which is not set`);
    unset.push(use);
    return `\${${use.name}}`;
  });
  const unsetAt = (path: readonly PropertyKey[]) =>
    unset.find((use) => formatLocation(use.path) === formatLocation(path));
  const errorAt: FailAt = (path, problem, at) => {
    const missing = unsetAt(path);
    if (missing) return fail(path, `needs the environment variable ${missing.name}, which is not set`);
    const given = variables.filter((use) => formatLocation(use.path) === formatLocation(path)).map(({ name }) => name);
    return fail(
      path,
      `${given.length > 0 ? `the value of the environment variable ${given.join(', ')} ` : ''}${problem}`,
      at,
    );
  };
  const result = profileSchema.safeParse(resolved, { reportInput: true });
  if (!result.success) {
    const { path, key, sentence } = describeIssue(profileSchema, result.error.issues);
    throw errorAt(path, sentence, key);
  }
  for (const { path, problem } of findUnsendable(result.data)) {
    // The text of an unset variable is a placeholder, so its value cannot be checked.
    if (!unsetAt(path)) throw errorAt(path, problem);
  }
  for (const { path, problem, opening } of findUnsafeDeclarations(result.data)) {
    if (!unsetAt(path)) throw new ProfileError(messageOf(path, problem), opening);
  }
  const file = () => fileOf(source);
  return {
    data: withSamples(result.data, file, fail),
    source,
    secrets: [...new Set(variables.filter((use) => !isPublicAddress(use, resolved)).map(({ value }) => value))],
    variables,
    unset,
    bodySchemas: compileBodySchemas(result.data, file, (place, why) => fail(place, oneLine(why))),
    lineOf,
  };
}
