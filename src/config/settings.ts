/**
 * Every setting of a run, one row each: its flag and line of help, its key and schema in the configuration file, the option of a
 * program, and the environment variable of the suites. Parsing, help, the schema of the file, `docs/settings.md`, the types of
 * values and the options of a program follow from the rows.
 */
import type { ZodType } from 'zod';
import { DEPTHS, type Depth, type Group, type OperationKey, SAFETY_LADDER, type Safety } from '../contract/index.ts';
import type { ProfileData, ProfileInput } from '../profile/schema.ts';
import { FORMAT_NAMES } from '../report/formats.ts';
import type { Run } from '../run/types.ts';
import type { Waiver } from '../run/waiver-types.ts';
import type { WaiverData } from '../waivers/waiver-schema.ts';
import { type FlagValues, type Taken, type TypeOf, typeOf } from './flag.ts';
import type * as types from './schema-types.ts';

type Types = typeof types;

/** The limits of a run. */
export type LimitValues = NonNullable<ProfileData['limits']>;

/** A part of the help. `flagsIn` in `src/cli/usage/` says which commands take it; `run` takes all. */
export type Section =
  | 'target'
  | 'filter'
  | 'extent'
  | 'recording'
  | 'verdict'
  | 'report'
  | 'baseline'
  | 'secret'
  | 'network'
  | 'limits'
  | 'host'
  | 'config';

interface SettingFlag {
  /** Its flag, without dashes. */
  readonly flag: string;
  /** What help calls its value; `…`: it may be repeated. */
  readonly takes?: string;
  readonly help: string;
}

interface Setting extends SettingFlag {
  readonly section: Section;
  /** Of a map: the flags of its members. */
  readonly members?: Readonly<Record<string, SettingFlag & { readonly unit: 'count' | 'rate' | 'duration' }>>;
  /** Its key in the configuration file: the schema, and where it may be; default: in a target, or at the top level for all. */
  readonly schema?: (types: Types) => ZodType;
  readonly in?: 'the top level';
  readonly states?: string;
  /** What `--print-config` shows if it is not given. */
  readonly byDefault?: string;
  /** A file or folder, relative to the configuration; `exists`: it must be there. */
  readonly file?: 'exists' | 'may be missing';
  /** Of several values the first `wins`; all are `added`; or those of a map win `by member`. */
  readonly merge?: 'added' | 'by member';
  /** One of the settings that say what is judged: only the most specific place that names one counts. */
  readonly place?: true;
  /** A command that lacks the flag refuses it, because ignoring it would change what is sent or what gates. */
  readonly needsFlag?: true;
  /** The option of a program, under the key of the row. */
  readonly option?: TypeOf<unknown>;
  /** The values of flag, configuration and option together, if they are not those of the flag. */
  readonly value?: TypeOf<unknown>;
  /** The environment variable of the entries of `suites/`. */
  readonly variable?: string;
}

/** In the order in which help and `--print-config` show them. */
export const SETTINGS = {
  baseUrl: {
    flag: 'base-url',
    section: 'target',
    takes: 'URL',
    help: 'the address of the service; every path is appended to it',
    schema: ({ nonEmpty }) => nonEmpty,
    states: 'The address of the service; every path is appended to it.',
    place: true,
    variable: 'BASE_URL',
  },
  simulator: {
    flag: 'simulator',
    section: 'target',
    help: 'judges the built-in simulator, in the dialect of the profile; default with a bundled profile or\nnone, if --safety is not given',
    schema: ({ z }) => z.literal(true),
    states: 'Judges the built-in simulator.',
    place: true,
  },
  /**
   * The name of a bundled profile, the path of a file, or a profile of `defineProfile`. Default: that of the recording;
   * `reference` for the simulator; otherwise `empty`, which leaves everything open.
   */
  profile: {
    flag: 'profile',
    section: 'target',
    takes: 'NAME|FILE',
    help: 'the profile: what the document leaves open, filled in for this service (default: empty)',
    schema: ({ nonEmpty }) => nonEmpty,
    states: 'The name of a bundled profile, or a file relative to this one.',
    byDefault: 'empty, or reference for the simulator',
    file: 'exists',
    option: typeOf<string | ProfileInput>(),
    variable: 'PROFILE',
  },
  /** Default: all groups, operations and rules. */
  groups: {
    flag: 'group',
    section: 'filter',
    takes: 'A|B|C|D…',
    help: 'only these groups (may be repeated)',
    schema: ({ z, groupKey }) => z.array(groupKey).min(1),
    states: 'Only these groups.',
    byDefault: 'all',
    option: typeOf<readonly Group[]>(),
  },
  operations: {
    flag: 'operation',
    section: 'filter',
    takes: 'KEY…',
    help: 'only these operations, e.g. "GET /PLATFORMAPI/prodRef/v1/allProducts"',
    schema: ({ z, operationKey }) => z.array(operationKey).min(1),
    states: 'Only these operations.',
    byDefault: 'all',
    option: typeOf<readonly OperationKey[]>(),
  },
  /** Ids of rules, e.g. `C.upc-12-digits`, or patterns with `*`. */
  rules: {
    flag: 'rule',
    section: 'filter',
    takes: 'ID…',
    help: "only these rules, e.g. C.upc-12-digits or 'C.delta-*'; mdwi rules lists them (may be repeated)",
    schema: ({ nonEmptyTexts }) => nonEmptyTexts.min(1),
    states: 'Only these rules.',
    byDefault: 'all',
    option: typeOf<readonly string[]>(),
  },
  /** All rules but these. */
  skipRules: {
    flag: 'skip-rule',
    section: 'filter',
    takes: 'ID…',
    help: 'all rules but these (may be repeated)',
    schema: ({ nonEmptyTexts }) => nonEmptyTexts,
    states: 'All rules but these.',
    needsFlag: true,
    option: typeOf<readonly string[]>(),
  },
  /** Only the checks that failed in an earlier run: its `run.json`, or the run. */
  failed: {
    flag: 'failed',
    section: 'filter',
    takes: 'FILE',
    help: 'only the checks that failed in the run.json of an earlier run; 3 if one is not decided now',
    option: typeOf<string | Run>(),
    value: typeOf<string | Run>(),
  },
  /** How much a request may change. Default: `read`; `all` for the simulator; that of the recording. */
  safety: {
    flag: 'safety',
    section: 'extent',
    takes: 'CLASS',
    help: 'which requests may be sent: read (default with --base-url), job, write, all',
    schema: ({ z }) => z.enum(Object.keys(SAFETY_LADDER) as Safety[]),
    states: 'Which requests may be sent; default: read for a service.',
    byDefault: 'read, or all for the simulator',
    option: typeOf<Safety>(),
    variable: 'SAFETY',
  },
  /** How many products, names and items are requested. Default: `standard`; that of the recording. */
  depth: {
    flag: 'depth',
    section: 'extent',
    takes: 'DEPTH',
    help: 'how many products, names and items are requested: quick, standard (default), thorough (all)',
    schema: ({ z }) => z.enum(DEPTHS),
    states: 'How many products, names and items are requested; default: standard.',
    option: typeOf<Depth>(),
  },
  /** The seed of the draws; `auto`: another one in each run. Default: 1; that of the recording. */
  sampleSeed: {
    flag: 'sample-seed',
    section: 'extent',
    takes: 'N|auto',
    help: 'the seed of the draws (default 1); auto: another one in each run, which is printed',
    schema: ({ z }) => z.union([z.int().min(0).max(4_294_967_295), z.literal('auto')]),
    states: 'The seed of the draws; auto: another one in each run. Default: 1.',
    option: typeOf<number | 'auto'>(),
    value: typeOf<string | number>(),
  },
  recording: {
    flag: 'recordings',
    section: 'recording',
    takes: 'NAME',
    help: 'judges a recording, offline, with the profile and the safety class of the recording unless they are\ngiven; a check that needs a request the recording does not contain is untested',
    schema: ({ nonEmpty }) => nonEmpty,
    states: 'The name of a recording, which is judged offline.',
    place: true,
    variable: 'RECORDING',
  },
  recordingsDir: {
    flag: 'recordings-dir',
    section: 'recording',
    takes: 'DIR',
    help: 'the folder of all recordings (default recordings, then those of the package)',
    schema: ({ nonEmpty }) => nonEmpty,
    states: 'The folder of all recordings; default: recordings beside this file.',
    file: 'may be missing',
  },
  /** Advisory rules gate, too. */
  strict: {
    flag: 'strict',
    section: 'verdict',
    help: 'advisory checks (http, plausible) gate, too',
    option: typeOf<boolean>(),
  },
  /** Inconclusive gating checks do not make the run undetermined. */
  allowInconclusive: {
    flag: 'allow-inconclusive',
    section: 'verdict',
    help: 'an inconclusive gating check does not end the run with 3',
    option: typeOf<boolean>(),
  },
  /** Untested checks make the run undetermined. */
  requireConformant: {
    flag: 'require',
    section: 'verdict',
    takes: 'conformant',
    help: 'a partial outcome ends the run with 3',
    option: typeOf<boolean>(),
  },
  /** Known failures that do not gate: a file, or a list. */
  waivers: {
    flag: 'waivers',
    section: 'verdict',
    takes: 'FILE',
    help: 'known failures that do not gate; mdwi waive writes them (default: waivers.yaml, if it exists)',
    schema: ({ z, nonEmpty, waiverSchema }) => z.union([nonEmpty, z.array(waiverSchema)]),
    in: 'the top level',
    states: 'Known failures, or the file that lists them.',
    file: 'exists',
    needsFlag: true,
    option: typeOf<string | readonly WaiverData[]>(),
    value: typeOf<string | readonly Waiver[]>(),
    variable: 'WAIVERS',
  },
  /** The version to which the rule set is pinned, e.g. `0.1.0`: later demands are advice. */
  ruleSet: {
    flag: 'rule-set',
    section: 'verdict',
    takes: 'VERSION',
    help: 'what later versions of the rules demand is advice, e.g. 0.1.0 (default: the latest)',
    schema: ({ z }) => z.string().regex(/^\d+\.\d+\.\d+$/, 'must be a version such as 0.1.0'),
    in: 'the top level',
    states: 'The version of the rules that gate; later ones are advice.',
    needsFlag: true,
    option: typeOf<string>(),
    variable: 'RULE_SET',
  },
  reports: {
    flag: 'report',
    section: 'report',
    takes: 'FORMAT=FILE…',
    help: `writes a report (may be repeated): ${FORMAT_NAMES.join(', ')};\nFILE - is standard output and replaces the console report`,
    schema: ({ reports }) => reports,
    in: 'the top level',
    states: 'Reports of a run: a file for each format.',
    merge: 'by member',
  },
  vitest: {
    flag: 'vitest',
    section: 'report',
    takes: 'REPORTER',
    help: 'shows the verdicts as tests in a vitest reporter (tree, verbose, tap, …, or the path or package of\nanother); reporters write files to .vitest/ in the working directory',
  },
  summary: {
    flag: 'summary',
    section: 'report',
    help: 'shows one line: outcome, numbers of checks, requests, target, exit code',
  },
  quiet: { flag: 'quiet', section: 'report', help: 'shows the outcome only, in one line, and no progress' },
  verbose: { flag: 'verbose', section: 'report', help: 'lists every check, and each failure with all details' },
  /** An earlier run to compare with: its `run.json`, or the run. The run then has `comparison`. */
  baseline: {
    flag: 'baseline',
    section: 'baseline',
    takes: 'FILE',
    help: 'compares with the run.json of an earlier run',
    schema: ({ nonEmpty }) => nonEmpty,
    states: 'The run.json of an earlier run to compare with.',
    file: 'may be missing',
    needsFlag: true,
    option: typeOf<string | Run>(),
    value: typeOf<string | Run>(),
  },
  /** Failures that the baseline has do not set the exit code; a lost proof does. */
  failOnNew: {
    flag: 'fail-on-new',
    section: 'baseline',
    help: 'ends with 1 for a failure that the earlier run does not have, and with 3 if a gating check passed\nthen and is not decided now; a failure that it has does not set the exit code',
    option: typeOf<boolean>(),
  },
  history: {
    flag: 'history',
    section: 'baseline',
    takes: 'FOLDER',
    help: 'stores a digest of the run, and reports since when checks fail, which are flaky, and the trend',
    schema: ({ nonEmpty }) => nonEmpty,
    in: 'the top level',
    states: 'The folder of earlier runs.',
    file: 'may be missing',
    needsFlag: true,
  },
  /** Values that must not appear in the run, besides the credentials of the profile. */
  secrets: {
    flag: 'secret',
    section: 'secret',
    takes: 'VALUE…',
    help: 'one more value to hide in reports (may be repeated)',
    schema: ({ z }) =>
      z.array(z.string().regex(/^[A-Za-z_]\w*$/, 'must be the name of an environment variable, not its value')),
    states: 'Names of environment variables whose values are hidden in everything written.',
    merge: 'added',
    option: typeOf<readonly string[]>(),
  },
  /** The HTTP proxy to the service. Default: HTTP_PROXY, HTTPS_PROXY and NO_PROXY of the environment. */
  proxy: {
    flag: 'proxy',
    section: 'network',
    takes: 'URL',
    help: 'the HTTP proxy to the service; default: HTTP_PROXY, HTTPS_PROXY and NO_PROXY',
    schema: ({ nonEmpty }) => nonEmpty,
    states: 'The HTTP proxy for requests to the service.',
    needsFlag: true,
    option: typeOf<string>(),
  },
  /** A file of certificate authorities (PEM) to trust in addition. */
  ca: {
    flag: 'ca',
    section: 'network',
    takes: 'FILE',
    help: 'certificate authorities (PEM) to trust besides those of Node and NODE_EXTRA_CA_CERTS',
    schema: ({ nonEmpty }) => nonEmpty,
    states: 'A file of certificate authorities (PEM) to trust in addition.',
    file: 'exists',
    needsFlag: true,
    option: typeOf<string>(),
  },
  /** Hosts, besides that of the service, to which redirects are followed. Default: none. */
  followTo: {
    flag: 'follow-to',
    section: 'network',
    takes: 'HOST…',
    help: 'follows redirects to this host, too; else only to that of the service (may be repeated)',
    schema: ({ hosts }) => hosts,
    states: 'Hosts, besides that of the service, to which redirects are followed.',
    merge: 'added',
    option: typeOf<readonly string[]>(),
  },
  /** Limits that replace those of the profile, one by one. */
  limits: {
    flag: 'limits',
    section: 'limits',
    help: '',
    members: {
      maxRequests: {
        flag: 'max-requests',
        takes: 'N',
        unit: 'count',
        help: 'sends no more than N requests (default: limits.maxRequests of the profile, or 10 000; 200 000 at\ndepth thorough)',
      },
      maxSubjects: {
        flag: 'max-subjects',
        takes: 'N',
        unit: 'count',
        help: 'at depth thorough, draws no more than N products, names or items at once (default: limits.maxSubjects,\nor 10 000)',
      },
      requestsPerSecond: {
        flag: 'max-requests-per-second',
        takes: 'N',
        unit: 'rate',
        help: 'sends no more than N requests per second (default: limits.requestsPerSecond, or no limit)',
      },
      maxDurationMs: {
        flag: 'max-duration',
        takes: 'TIME',
        unit: 'duration',
        help: 'sends nothing after this time, e.g. 20m: what is open then is inconclusive',
      },
      retryForMs: {
        flag: 'retry-for',
        takes: 'TIME',
        unit: 'duration',
        help: 'waits once for a service that stops responding in mid-run, e.g. 60s, and repeats interrupted reads',
      },
    },
    schema: ({ limits }) => limits,
    states: 'Limits that replace those of the profile, one by one.',
    byDefault: 'those of the profile',
    merge: 'by member',
    option: typeOf<LimitValues>(),
    value: typeOf<LimitValues>(),
  },
  /** Hosts to which an unattended run may send more than `read`, e.g. `staging.example`; the loopback interface is always allowed. */
  allowHosts: {
    flag: 'allow-target-host',
    section: 'host',
    takes: 'HOST…',
    help: 'lets an unattended run (CI, or no terminal) send more than read to this host (may be repeated)',
    schema: ({ hosts }) => hosts,
    in: 'the top level',
    states: 'Hosts to which a run without a terminal may send more than the safety class read.',
    merge: 'added',
    option: typeOf<readonly string[]>(),
    variable: 'ALLOW_TARGET_HOST',
  },
  /** The configuration file. Default: none, or with `target` the one that is found from the working directory upwards. */
  config: {
    flag: 'config',
    section: 'config',
    takes: 'FILE',
    help: 'the configuration (default: mdwi.config.yaml, .yml or .mts here or in a folder above)',
    option: typeOf<string>(),
  },
  printConfig: {
    flag: 'print-config',
    section: 'config',
    help: 'prints each setting with its value and where it comes from, and sends nothing',
  },
} as const satisfies Record<string, Setting>;

type Settings = typeof SETTINGS;
type Key = keyof Settings;

/** The settings of the configuration file. */
export type SettingKey = { [K in Key]: Settings[K] extends { readonly schema: unknown } ? K : never }[Key];

/** A setting as its row says it, with all that a row may have. */
export const settingOf = (key: Key): Setting => SETTINGS[key];

const KEYS = Object.keys(SETTINGS) as Key[];

/** The key of the setting with a flag. */
export const keyOfFlag = (flag: string): Key | undefined => KEYS.find((key) => SETTINGS[key].flag === flag);

export const SETTING_KEYS = KEYS.filter((key): key is SettingKey => settingOf(key).schema !== undefined);

type ValueOf<S> = S extends { readonly value: TypeOf<infer T> }
  ? T
  : S extends { readonly takes: infer V }
    ? Taken<V>
    : boolean;

/** The values of settings, under the names of their flags. Files are relative to the working directory. */
export type SettingValues = { [K in Key as Settings[K]['flag']]?: ValueOf<Settings[K]> | undefined } & FlagValues<
  FlagsIn<'limits'>
>;

type OptionKey = { [K in Key]: Settings[K] extends { readonly option: unknown } ? K : never }[Key];

/** The settings that a program can give. */
export type SettingOptions = {
  readonly [K in keyof Settings as K extends OptionKey ? K : never]?: Settings[K] extends {
    readonly option: TypeOf<infer T>;
  }
    ? T
    : never;
};

/** The options of a program under the names of the flags. */
export const valuesOfOptions = (options: SettingOptions): SettingValues =>
  Object.fromEntries(
    Object.entries(options).flatMap(([key, value]) =>
      Object.hasOwn(SETTINGS, key) && settingOf(key as Key).option
        ? [[settingOf(key as Key).flag, Array.isArray(value) ? [...value] : value]]
        : [],
    ),
  );

/** The variables of the environment that set something for the entries of `suites/`. */
export type SettingVariables = {
  readonly [K in Key as Settings[K] extends { readonly variable: infer V extends string } ? V : never]?: string;
};

/** The options that variables of the environment set; a list has one member. */
export const optionsOfVariables = (
  variables: SettingVariables,
): SettingOptions & { baseUrl?: string; recording?: string } =>
  Object.fromEntries(
    KEYS.flatMap((key) => {
      const { variable, takes } = settingOf(key);
      const text = variables[variable as keyof SettingVariables];
      return text === undefined ? [] : [[key, takes?.endsWith('…') ? [text] : text]];
    }),
  );

/** The names of these variables. */
export const VARIABLE_NAMES = KEYS.flatMap((key) => settingOf(key).variable ?? []);

type Limits = Settings['limits']['members'];
type KeyedFlag<R> = R extends { readonly flag: infer N extends string; readonly takes: infer V extends string }
  ? `${N} ${V}`
  : R extends { readonly flag: infer N extends string }
    ? N
    : never;
type FlagsIn<S extends Section> = {
  readonly [K in Key as Settings[K]['section'] extends Exclude<S, 'limits'> ? KeyedFlag<Settings[K]> : never]: string;
} & ('limits' extends S ? { readonly [M in keyof Limits as KeyedFlag<Limits[M]>]: string } : unknown);

/**
 * The flags of the settings in some sections, in the order of the table.
 * @example flagsIn('host') // { 'allow-target-host HOST…': 'lets an unattended run …' }
 */
export const flagsIn = <S extends Section>(...sections: readonly S[]): FlagsIn<S> =>
  Object.fromEntries(
    KEYS.map(settingOf)
      .filter(({ section }) => (sections as readonly Section[]).includes(section))
      .flatMap((row): readonly SettingFlag[] => (row.members ? Object.values(row.members) : [row]))
      .map(({ flag, takes, help }) => [takes === undefined ? flag : `${flag} ${takes}`, help]),
  ) as FlagsIn<S>;

/** The name of an option, by its flag without dashes. */
export type OptionName = (flag: string) => string;

/** Values of options that come from a command line or from a program. */
export interface NamedOptions {
  /** What the user calls an option in the sentence of a refusal; default: its flag. */
  readonly nameOf?: OptionName | undefined;
}

export const flagName: OptionName = (flag) => `--${flag}`;

/** The name in a program: the key of the configuration, else the flag in camel case. */
export const memberName: OptionName = (flag) =>
  keyOfFlag(flag) ?? flag.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
