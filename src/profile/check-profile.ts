/** Checks the parsed tree of a profile file and returns the profile. */
import { builtinModule } from '../builtin-module.ts';
import { compileBodySchemas } from './body-schema/index.ts';
import { bundledPath } from './bundled.ts';
import { findUnsendable } from './check-requests.ts';
import { isPublicAddress, resolveVariables, type VariableUse } from './environment.ts';
import { describeIssues } from './first-issue.ts';
import { isDeeperThan } from './plain-object.ts';
import { ProfileError, type ProfileMistake } from './profile-error.ts';
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
    unset.push(use);
    return `\${${use.name}}`;
  });
  const unsetAt = (path: readonly PropertyKey[]) =>
    unset.find((use) => formatLocation(use.path) === formatLocation(path));
  const mistakes: ProfileMistake[] = [];
  const addUnset = ({ path, name }: VariableUse) =>
    mistakes.push({ message: messageOf(path, `needs the environment variable ${name}, which is not set`) });
  const addMistake = (path: readonly PropertyKey[], problem: string, at?: readonly PropertyKey[]) => {
    const given = variables.filter((use) => formatLocation(use.path) === formatLocation(path)).map(({ name }) => name);
    const variable = given.length > 0 ? `the value of the environment variable ${given.join(', ')} ` : '';
    mistakes.push({ message: messageOf(path, `${variable}${problem}`, at) });
  };
  if (onUnset === 'refuse') unset.forEach(addUnset);
  const result = profileSchema.safeParse(resolved, { reportInput: true });
  for (const { path, key, sentence } of describeIssues(profileSchema, result.error?.issues ?? [])) {
    const missing = unsetAt(path);
    if (!missing) addMistake(path, sentence, key);
    else if (onUnset === 'keep') addUnset(missing);
  }
  // The text of an unset variable is a placeholder, so its value cannot be checked.
  for (const { path, problem } of result.success ? findUnsendable(result.data) : [])
    if (!unsetAt(path)) addMistake(path, problem);
  for (const { path, problem, opening } of result.success ? findUnsafeDeclarations(result.data) : [])
    if (!unsetAt(path)) mistakes.push({ message: messageOf(path, problem), opening });
  if (!result.success || mistakes.length > 0) throw new ProfileError(mistakes);
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
