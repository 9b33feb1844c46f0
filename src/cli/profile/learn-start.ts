/** What `mdwi profile learn` knows before it sends anything: the start of the profile, its credentials, the description. */
import { existsSync, readFileSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { mergedProfile } from '../../learn/write/merge.ts';
import { bundledPath } from '../../profile/bundled.ts';
import { loadOffline } from '../../profile/load.ts';
import { draftAuth } from '../../profile/openapi/auth.ts';
import { type Description, DescriptionError } from '../../profile/openapi/description.ts';
import { createDraftNotes } from '../../profile/openapi/draft-notes.ts';
import { loadDescription } from '../../profile/openapi/load.ts';
import { findDescribedOperations } from '../../profile/openapi/operations.ts';
import { isPlainObject, objectAt, type PlainObject, textAt } from '../../profile/plain-object.ts';
import { formatLocation } from '../../profile/profile-location.ts';
import { readYaml } from '../../profile/read-yaml.ts';
import type { Profile, ProfileInput } from '../../profile/schema.ts';
import { UsageError } from '../../usage-error.ts';

/** Loads the description of the service. Throws UsageError. */
export function descriptionOf(file: string | undefined): Description | undefined {
  if (file === undefined) return undefined;
  try {
    return loadDescription(file);
  } catch (error) {
    if (error instanceof DescriptionError) throw new UsageError(error.message);
    throw error;
  }
}

/** The text of a profile that can be a start: the YAML of a file or of a bundled profile. Throws UsageError or ProfileError. */
async function textOf(name: string, otherwise = ''): Promise<string> {
  const { source } = await loadOffline(name).catch((error) => {
    if (otherwise !== '' && error instanceof Error) error.message = `${error.message}${otherwise}`;
    throw error;
  });
  const path = source.startsWith('bundled:') ? bundledPath(`${name}.yaml`) : name;
  if (!existsSync(path)) return '';
  if (!['.yaml', '.yml', '.json'].includes(extname(path)))
    throw new UsageError(`${name}: a start is a YAML or JSON file, because what is learned is added to it`);
  return readFileSync(path, 'utf8');
}

const treeOf = (text: string, source: string): PlainObject => {
  const { tree } = readYaml(text, source);
  return isPlainObject(tree) ? tree : {};
};

export interface Start {
  /** The start as an author writes it. */
  readonly tree: PlainObject;
  /** What the existing file states; it wins over the start and over what is learned. */
  readonly own: PlainObject;
  /** What `--profile` states. */
  readonly given: PlainObject;
  /** The text that is extended: that of the existing file, else that of the start. */
  readonly text: string;
  readonly profile: Profile;
}

export interface StartFiles {
  /** The file that is extended, if it exists. */
  readonly out: string | undefined;
  /** The profile to start from. */
  readonly given: string | undefined;
  readonly description: Description | undefined;
  /** Whether nothing is sent, so that credentials need no values. */
  readonly isOffline?: boolean;
}

/** The credentials that the description requires. */
function describedAuth(description: Description): PlainObject {
  const { found } = findDescribedOperations(description);
  return { ...draftAuth(description, found, createDraftNotes()) };
}

/**
 * Reads the start: what an existing file states, then what `--profile` states.
 * @throws UsageError, ProfileError if a file is no profile, or a variable that it names is not set
 */
export async function readStart({ out, given, description, isOffline }: StartFiles): Promise<Start> {
  const own =
    out !== undefined && existsSync(out)
      ? await textOf(out, '; what is learned is added to this file: name another one, or give --force to replace it')
      : '';
  const isSame = given !== undefined && out !== undefined && resolve(given) === resolve(out);
  const start = given === undefined || (isSame && own !== '') ? '' : await textOf(given);
  const [ownTree, startTree] = [treeOf(own, out ?? ''), treeOf(start, given ?? '')];
  const known = mergedProfile(ownTree, startTree);
  const hasAuth = known.auth !== undefined || known.authFor !== undefined;
  const title = description && textAt(objectAt(description.root, 'info'), 'title');
  const tree = {
    name: title?.trim() || 'my-service',
    ...known,
    ...(description && !hasAuth && describedAuth(description)),
  };
  const profile = await loadOffline(tree as unknown as ProfileInput);
  const [first] = profile.unset ?? [];
  if (first && !isOffline) {
    const names = [...new Set((profile.unset ?? []).map(({ name }) => name))].join(', ');
    const from = hasAuth ? '' : `, as ${description?.source} describes`;
    throw new UsageError(
      `${formatLocation(first.path)}${from} needs ${names}: set it in the environment first; nothing was sent`,
    );
  }
  return { tree, own: ownTree, given: startTree, text: own.trim() === '' ? start : own, profile };
}
