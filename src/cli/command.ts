/** The commands of `mdwi`, one file each, and their exit codes. */

import { printable, printableLines } from '../exchange/printable.ts';
import { quotable } from '../exchange/url.ts';
import { ProfileError } from '../profile/profile-error.ts';
import { EXIT, EXIT_MEANINGS, interruptedExitCode } from '../run/exit-codes.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';
import type { Command } from './parse-flags.ts';
import type { CommandName } from './usage.ts';

/** In the order of help. Each command is loaded when it is run: most need libraries that the others do not. */
const COMMANDS: Record<CommandName, () => Promise<Command>> = {
  run: async () => (await import('./run.ts')).run,
  init: async () => (await import('./init.ts')).init,
  plan: async () => (await import('./plan.ts')).plan,
  profile: async () => (await import('./profile.ts')).profile,
  simulate: async () => (await import('./simulate.ts')).simulate,
  openapi: async () => (await import('./openapi.ts')).openapi,
  faults: async () => (await import('./listing.ts')).listFaults,
  oddities: async () => (await import('./listing.ts')).listOddities,
  rules: async () => (await import('./rules.ts')).listRules,
  explain: async () => (await import('./explain.ts')).explain,
  demo: async () => (await import('./demo.ts')).demo,
  selftest: async () => (await import('./selftest.ts')).selftest,
  record: async () => (await import('./record.ts')).record,
  replay: async () => (await import('./replay.ts')).replay,
  gateway: async () => (await import('./gateway.ts')).gateway,
  drift: async () => (await import('./drift.ts')).drift,
  recordings: async () => (await import('./recordings.ts')).recordings,
  import: async () => (await import('./import.ts')).importHar,
  judge: async () => (await import('./judge.ts')).judge,
  strength: async () => (await import('./strength.ts')).strength,
  waive: async () => (await import('./waive.ts')).waive,
  compare: async () => (await import('./compare.ts')).compare,
  history: async () => (await import('./history.ts')).history,
  report: async () => (await import('./report.ts')).report,
  'github-issues': async () => (await import('./github-issues.ts')).githubIssues,
};

/** Former names of commands, not listed in help. */
const ALIASES: Record<string, CommandName> = { fixtures: 'recordings' };

/** Loaded for help only. */
const loadUsage = async () => (await import('./usage.ts')).USAGE;

async function help(): Promise<string> {
  const usage = await loadUsage();
  const names = Object.keys(COMMANDS) as CommandName[];
  const width = Math.max(...names.map((name) => name.length));
  const lines = names.map((name) => `  ${name.padEnd(width)}  ${usage[name].summary}`);
  const codes = EXIT_MEANINGS.map(([code, means]) => `  ${String(code).padStart(width)}  ${means}`);
  return `mdwi ${version()}: does this server conform to the Market Data Web Interface?\n\n${lines.join('\n')}\n\nmdwi help COMMAND lists the flags of a command.\n\nexit codes; if several apply, the first of this list counts:\n${codes.join('\n')}\n`;
}

const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);

const resolveAlias = (name: string): string => (Object.hasOwn(ALIASES, name) && ALIASES[name]) || name;

/** The words that show the help. */
const HELP: readonly string[] = ['help', '--help', '-h'];

async function refuseCommand(name: string): Promise<number> {
  const { didYouMean } = await import('../profile/did-you-mean.ts');
  const known = Object.keys(COMMANDS);
  const meant = didYouMean(name, [...known, ...HELP, '--version']);
  process.stderr.write(
    `mdwi: there is no command “${printable(quotable(name))}”${meant}; there are: ${known.join(', ')}\n`,
  );
  return EXIT.usage;
}

async function showHelpOf(name: string): Promise<number> {
  if (!isCommand(name)) return refuseCommand(name);
  process.stdout.write(`${(await loadUsage())[name].usage}\n`);
  return EXIT.ok;
}

/** Runs the command line; never throws. */
export async function main(args: string[]): Promise<number> {
  const [given = '', ...rest] = args;
  const name = resolveAlias(given);
  if (name === '' || HELP.includes(name)) {
    const command = resolveAlias(rest.find((each) => !each.startsWith('-')) ?? '');
    if (command !== '' && !HELP.includes(command)) return showHelpOf(command);
    process.stdout.write(await help());
    return name === '' ? EXIT.usage : EXIT.ok;
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${version()}\n`);
    return EXIT.ok;
  }
  if (!isCommand(name)) return refuseCommand(name);
  if (rest.includes('--help') || rest.includes('-h')) return showHelpOf(name);
  try {
    return await (await COMMANDS[name]())(rest);
  } catch (error) {
    const [sentence, code] = await endOf(error);
    const { withoutSecrets } = await import('./without-secrets.ts');
    process.stderr.write(`mdwi ${name}: ${printableLines(withoutSecrets(sentence, rest))}\n`);
    return code;
  }
}

/** What is said about an error that ended a command, and the exit code. */
async function endOf(error: unknown): Promise<readonly [sentence: string, code: number]> {
  if (error instanceof UsageError) return [error.message, EXIT.usage];
  if (error instanceof ProfileError) return [await withRules(error), EXIT.usage];
  const { Interrupted } = await import('../terminal/interrupts.ts');
  if (error instanceof Interrupted) return [error.message, interruptedExitCode(error.received)];
  const { systemSentence } = await import('../terminal/system-error.ts');
  const sentence = systemSentence(error);
  if (sentence !== undefined) return [sentence, EXIT.usage];
  return [`our own error, please report it: ${(error as Error).stack ?? error}`, EXIT.ownError];
}

/** The message of a profile error, with the rules that would read each opening. */
async function withRules({ message, mistakes }: ProfileError): Promise<string> {
  if (mistakes.every(({ opening }) => opening === undefined)) return message;
  const { formatRules } = await import('./profile/openings.ts');
  return mistakes.map((each) => `${each.message}${formatRules(each.opening)}`).join('\n');
}
