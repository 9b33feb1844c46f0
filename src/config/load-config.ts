/** Finds and loads the configuration file. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { ProfileError } from '../profile/profile-error.ts';
import { UsageError } from '../usage-error.ts';
import type { ConfigData, ConfigInput } from './schema.ts';

/** The names of a configuration file, of which a folder holds one. */
export const CONFIG_FILES = ['mdwi.config.yaml', 'mdwi.config.yml', 'mdwi.config.mts'] as const;

const MAX_BYTES = 1 << 20;

/** The file of waivers where none is named: beside the configuration, or in the working directory. Relative to the latter. */
export const defaultWaivers = (config?: Pick<Config, 'folder'>): string =>
  nameOf(join(resolve(config?.folder ?? ''), 'waivers.yaml'));

/** A loaded configuration. */
export interface Config {
  readonly data: ConfigData;
  /** The file in messages, relative to the working directory. */
  readonly source: string;
  /** The folder that the file names in it are relative to. */
  readonly folder: string;
  /** `FILE:LINE: KEY` of a location, for messages. */
  readonly locationOf: (path: readonly PropertyKey[]) => string;
  /** `FILE:LINE` of a location, or only the file where lines are unknown. */
  readonly lineOf: (path: readonly PropertyKey[]) => string;
}

/** Types a configuration written in TypeScript: `export default defineConfig({ targets: { … } })`. */
export function defineConfig(config: ConfigInput): ConfigInput {
  return config;
}

/**
 * Finds the configuration file in a folder or the nearest one above it.
 * @throws UsageError if one folder holds two
 */
export function findConfig(from = process.cwd()): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const [found, other] = CONFIG_FILES.map((name) => join(folder, name)).filter((file) => existsSync(file));
    if (found !== undefined && other !== undefined)
      throw new UsageError(
        `${nameOf(found)} and ${nameOf(other)}: delete one of them, or name one with --config FILE (config in the API)`,
      );
    if (found !== undefined || folder === dirname(folder)) return found;
  }
}

const nameOf = (file: string): string => relative(process.cwd(), file) || file;

/**
 * Loads and checks a configuration file.
 * @throws UsageError with file, line, key and what is allowed
 */
export async function loadConfig(file: string): Promise<Config> {
  const source = nameOf(resolve(file));
  try {
    return await load(resolve(file), source);
  } catch (error) {
    throw error instanceof ProfileError ? new UsageError(error.message) : error;
  }
}

async function load(path: string, source: string): Promise<Config> {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new UsageError(`${source}: there is no such configuration file`);
  if (stats.size > MAX_BYTES) throw new UsageError(`${source}: is larger than ${MAX_BYTES} bytes`);
  const { tree, lineIn } = await treeOf(path, source);
  const { configSchema } = await import('./schema.ts');
  const { formatLocation } = await import('../profile/profile-location.ts');
  const lineOf = (at: readonly PropertyKey[]): string => `${source}${lineIn(at)}`;
  const result = configSchema.safeParse(tree, { reportInput: true });
  if (!result.success) {
    const { describeIssues } = await import('../profile/first-issue.ts');
    const mistakes = describeIssues(configSchema, result.error.issues).map(
      ({ path: at, key, sentence }) => `${lineOf(key)}: ${formatLocation(at, 'the configuration')}: ${sentence}`,
    );
    throw new UsageError(mistakes.join('\n'));
  }
  return {
    data: result.data,
    source,
    folder: dirname(path),
    lineOf,
    locationOf: (at) => `${lineOf(at)}: ${formatLocation(at)}`,
  };
}

type Tree = { readonly tree: unknown; readonly lineIn: (path: readonly PropertyKey[]) => string };

async function treeOf(path: string, source: string): Promise<Tree> {
  const kind = extname(path);
  if (['.yaml', '.yml', '.json'].includes(kind)) {
    const { readYaml } = await import('../profile/read-yaml.ts');
    const { tree, lineOf } = readYaml(readFileSync(path, 'utf8'), source);
    return { tree, lineIn: lineOf };
  }
  if (!['.mts', '.ts', '.mjs', '.js'].includes(kind))
    throw new UsageError(`${source}: a configuration is a .yaml, .yml, .json, .mts or .mjs file`);
  const { importDefault } = await import('../profile/import-default.ts');
  return { tree: await importDefault(path, source, 'defineConfig'), lineIn: () => '' };
}
