/** The commands of `mdwi`, one file each, and how they end. */
import { ProfileError } from '../profile/load.ts';
import { EXIT } from '../run/outcome.ts';
import { demo } from './demo.ts';
import { explain } from './explain.ts';
import { UsageError } from './options.ts';
import { plan } from './plan.ts';
import { profile } from './profile.ts';
import { listRules } from './rules.ts';
import { run } from './run.ts';
import { selftest } from './selftest.ts';
import { simulate } from './simulate.ts';
import { version } from './version.ts';

/** A command: takes the arguments behind its name, returns the exit code. */
export interface Command {
  readonly says: string;
  readonly usage: string;
  run(args: string[]): Promise<number>;
}

const COMMANDS: Record<string, Command> = { run, plan, profile, simulate, rules: listRules, explain, demo, selftest };

const help = (): string => {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = Object.entries(COMMANDS).map(([name, { says }]) => `  ${name.padEnd(width)}  ${says}`);
  return `mdwi ${version()}: does this server conform to the Market Data Web Interface?\n\n${lines.join('\n')}\n\nmdwi COMMAND --help tells the flags of one.\n`;
};

/** Runs the command line; never throws. */
export async function main(args: string[]): Promise<number> {
  const [name = '', ...rest] = args;
  if (name === '' || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(help());
    return name === '' ? EXIT.usage : EXIT.ok;
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${version()}\n`);
    return EXIT.ok;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    process.stderr.write(`mdwi: there is no command “${name}”; there are: ${Object.keys(COMMANDS).join(', ')}\n`);
    return EXIT.usage;
  }
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(`${command.usage}\n`);
    return EXIT.ok;
  }
  try {
    return await command.run(rest);
  } catch (error) {
    if (error instanceof UsageError || error instanceof ProfileError) {
      process.stderr.write(`mdwi ${name}: ${error.message}\n`);
      return EXIT.usage;
    }
    process.stderr.write(`mdwi ${name}: our own error, please report it: ${(error as Error).stack ?? error}\n`);
    return EXIT.ownError;
  }
}
