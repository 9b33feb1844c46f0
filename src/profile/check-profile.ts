/** Checks the parsed tree of a profile file and returns the profile. */
import { builtinModule } from '../builtin-module.ts';
import { compileBodySchemas } from './body-schema/index.ts';
import { withSchemasFile } from './body-schema/schemas-file.ts';
import { bundledPath } from './bundled.ts';
import { findUnsendable } from './check-requests.ts';
import { isPublicAddress, resolveVariables, type VariableUse } from './environment.ts';
import { describeIssues } from './first-issue.ts';
import { isDeeperThan } from './plain-object.ts';
import { ProfileError, type ProfileMistake } from './profile-error.ts';
import { type FailAt, formatLocation, MAX_FILE_DEPTH, oneLine, TOO_DEEP } from './profile-location.ts';
import { type Profile, type ProfileData, profileSchema } from './schema.ts';
import { findUnsafeDeclarations } from './unsafe-declarations.ts';

const MAX_BYTES = 1 << 20;

/**
 * Returns the profile with each file name replaced by the body. Throws the error that `fail` creates.
 * @param file returns the path of the profile file, in Node only; names are resolved against its folder
 */
function withSamples(data: ProfileData, file: () => string, fail: FailAt): ProfileData {
  const read = (key: string, name: string): unknown => {
    const wrong = (why: string) => fail(['operations', key, 'response', 'sample'], `${name} ${why}`);
    const { dirname, extname, resolve } = builtinModule('node:path');
    const { existsSync, readFileSync, statSync } = builtinModule('node:fs');
    const path = resolve(dirname(file()), name);
    if (extname(path) !== '.json') throw wrong('is neither a .json file nor an inline body');
    if (!existsSync(path)) throw wrong('does not exist; the path is relative to the folder of the profile');
    if (statSync(path).size > MAX_BYTES) throw wrong(`is larger than ${MAX_BYTES} bytes; a few rows are enough`);
    let sample: unknown;
    try {
      sample = JSON.parse(readFileSync(path, 'utf8'));
    } catch (error) {
      throw wrong(`is not JSON: ${oneLine((error as Error).message)}`);
    }
    if (isDeeperThan(sample, MAX_FILE_DEPTH)) throw wrong(TOO_DEEP);
    return sample;
  };
  const operations = Object.entries(data.operations ?? {}).map(([key, operation]) => {
    const sample = operation?.response?.sample;
    if (typeof sample !== 'string') return [key, operation];
    return [key, { ...operation, response: { ...operation?.response, sample: read(key, sample) } }];
  });
  return data.operations ? { ...data, operations: Object.fromEntries(operations) } : data;
}

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
  const data = withSchemasFile(result.data, file, fail);
  return {
    data: withSamples(data, file, fail),
    source,
    secrets: [...new Set(variables.filter((use) => !isPublicAddress(use, resolved)).map(({ value }) => value))],
    variables,
    unset,
    bodySchemas: compileBodySchemas(data, file, (place, why) => fail(place, oneLine(why))),
    lineOf,
  };
}
