/** `mdwi init`: writes a configuration, a profile draft and a CI file, and judges the target for the first time. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { writeNamedFile } from '../atomic-write.ts';
import { configure } from '../commands/configure.ts';
import { baseUrlOf } from '../commands/selection.ts';
import { CONFIG_FILES } from '../config/load-config.ts';
import { TARGET_NAME, TARGET_NAME_RULE } from '../config/target-name.ts';
import { printable, printableLines } from '../exchange/printable.ts';
import { loadOffline } from '../profile/load.ts';
import { EXIT } from '../run/exit-codes.ts';
import { oneOf, UsageError } from '../usage-error.ts';
import { type Ask, openQuestions } from './init/ask.ts';
import { CI_CHOICES, CI_FILES, type CiSystem, configText, type Starter } from './init/starter-files.ts';
import { type Command, parse } from './parse-flags.ts';
import { judgeAndReport, runValuesOf } from './run.ts';
import { INIT_FLAGS } from './usage/other.ts';

type Values = ReturnType<typeof parse<typeof INIT_FLAGS>>['values'];

const [CONFIG_FILE] = CONFIG_FILES;

/** The checks of an answer or a flag; each throws UsageError. */
const CHECKS = {
  'base-url': (text: string) => void (text === '' || baseUrlOf(text)),
  name(text: string) {
    if (!TARGET_NAME.test(text)) throw new UsageError(`the name “${text}” of the target ${TARGET_NAME_RULE}`);
  },
  openapi(text: string) {
    if (text !== '' && !existsSync(text)) throw new UsageError(`there is no file ${text}`);
  },
  ci: (text: string) => void oneOf('--ci', text, CI_CHOICES),
};

/** The answers of a terminal, or of flags alone. */
async function answersOf(values: Values, ask: Ask | undefined) {
  const answer = async (flag: keyof typeof CHECKS, text: string, fallback?: string): Promise<string> => {
    const given = values[flag];
    if (given === undefined && ask)
      return ask({ text, check: CHECKS[flag], ...(fallback !== undefined && { fallback }) });
    CHECKS[flag](given ?? fallback ?? '');
    return given ?? fallback ?? '';
  };
  const base = values.simulator
    ? ''
    : await answer('base-url', 'Base address of the service (empty: the built-in simulator)');
  return {
    baseUrl: base === '' ? undefined : baseUrlOf(base),
    name: await answer('name', 'Name of this target', base === '' ? 'simulator' : 'staging'),
    openapi: await answer('openapi', 'OpenAPI description of the service, a file (empty: none)'),
    ci: (await answer('ci', `CI file: ${CI_CHOICES.join(', ')}`, existsSync('.gitlab-ci.yml') ? 'gitlab' : 'github')) as
      | CiSystem
      | 'none',
  };
}

async function ask(values: Values): Promise<Awaited<ReturnType<typeof answersOf>>> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    if (values['base-url'] === undefined && !values.simulator)
      throw new UsageError(
        '--base-url URL is missing (or --simulator, while there is no service): questions need a terminal',
      );
    return answersOf(values, undefined);
  }
  const questions = openQuestions(process.stdin, process.stdout);
  try {
    return await answersOf(values, questions.ask);
  } finally {
    questions.close();
  }
}

/** The root of the repository, where CI reads its file; without a repository, the working directory. */
function repositoryRoot(): string {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (folder === dirname(folder)) return process.cwd();
  }
}

function isDependency(): boolean {
  if (!existsSync('package.json') || !existsSync('package-lock.json')) return false;
  return /"mdwi-conformance"\s*:/.test(readFileSync('package.json', 'utf8'));
}

/** Writes the profile draft. Returns what is left to do. */
async function writeProfile(profile: string, openapi: string, baseUrl: string | undefined, force: boolean) {
  if (openapi !== '') {
    const { draftFromOpenapi } = await import('./profile/from-openapi.ts');
    return draftFromOpenapi([openapi, '--out', profile, ...(force ? ['--force'] : [])]);
  }
  const { text } = await (await import('./profile/init.ts')).initProfile(profile, {});
  const learn = baseUrl && `or learn it: npx mdwi profile learn --base-url ${baseUrl} --out ${profile} --force\n`;
  return `${text}${learn ?? ''}`;
}

export const init: Command = async (args) => {
  const { values } = parse(args, INIT_FLAGS);
  if (values.simulator && values['base-url'] !== undefined)
    throw new UsageError('--base-url and --simulator: only one of them can be the target');
  const { profile = 'profile.yaml', force = false } = values;
  if (!['.yaml', '.yml'].includes(extname(profile)))
    throw new UsageError(`--profile ${profile}: the draft is commented YAML; name a .yaml file`);
  const { baseUrl, name, openapi, ci } = await ask(values);
  const root = repositoryRoot();
  const ciFile = ci === 'none' ? undefined : relative('', join(root, CI_FILES[ci].file));
  const written = [CONFIG_FILE, profile, ...(ciFile === undefined ? [] : [ciFile])];
  const other = CONFIG_FILES.find((file) => file !== CONFIG_FILE && existsSync(file));
  if (other !== undefined)
    throw new UsageError(`${other} exists already, and a folder has one configuration: remove it first`);
  const existing = written.find((file) => existsSync(file));
  if (existing !== undefined && !force)
    throw new UsageError(`${existing} exists already; give --force to replace ${written.join(', ')}`);
  const rest = await writeProfile(profile, openapi, baseUrl, force);
  const { variables = [], unset = [] } = await loadOffline(profile);
  const starter: Starter = {
    name,
    baseUrl,
    profile,
    variables: [...new Set([...variables, ...unset].map((each) => each.name))],
    folder: relative(root, process.cwd()),
    isDependency: isDependency(),
  };
  await writeNamedFile(CONFIG_FILE, configText(starter));
  process.stdout.write(`${printableLines(rest)}${CONFIG_FILE} written\n`);
  if (ciFile !== undefined && ci !== 'none') {
    await writeNamedFile(ciFile, CI_FILES[ci].text(starter));
    process.stdout.write(`${printable(ciFile)} written${CI_FILES[ci].next ? `; ${CI_FILES[ci].next}` : ''}\n`);
  }
  if (unset.length > 0 && baseUrl !== undefined) {
    const names = [...new Set(unset.map((each) => each.name))].join(', ');
    process.stdout.write(`\nThe profile needs ${names}: set it in the environment, then run: npx mdwi run ${name}\n`);
    return EXIT.ok;
  }
  process.stdout.write(`\nThe first run: npx mdwi run ${name}\n\n`);
  const configured = await configure({ config: CONFIG_FILE }, { target: name });
  return judgeAndReport(runValuesOf(configured));
};
