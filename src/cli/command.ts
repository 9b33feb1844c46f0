/** The commands of `mdwi`, one file each, and how they end. */
import { ProfileError } from '../profile/load.ts';
import { EXIT } from '../run/outcome.ts';
import { UsageError } from './options.ts';
import { version } from './version.ts';

/** A command: takes the arguments behind its name, returns the exit code. */
export interface Command {
  readonly says: string;
  readonly usage: string;
  run(args: string[]): Promise<number>;
}

/** Each loaded when it is called for: most of them bring libraries along that the others do without. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  run: async () => (await import('./run.ts')).run,
  plan: async () => (await import('./plan.ts')).plan,
  profile: async () => (await import('./profile.ts')).profile,
  simulate: async () => (await import('./simulate.ts')).simulate,
  faults: async () => (await import('./faults.ts')).listFaults,
  oddities: async () => (await import('./oddities.ts')).listOddities,
  rules: async () => (await import('./rules.ts')).listRules,
  explain: async () => (await import('./explain.ts')).explain,
  demo: async () => (await import('./demo.ts')).demo,
  selftest: async () => (await import('./selftest.ts')).selftest,
  record: async () => (await import('./record.ts')).record,
  replay: async () => (await import('./replay.ts')).replay,
  gateway: async () => (await import('./gateway.ts')).gateway,
  drift: async () => (await import('./drift.ts')).drift,
  fixtures: async () => (await import('./fixtures.ts')).fixtures,
  import: async () => (await import('./import.ts')).importHar,
  judge: async () => (await import('./judge.ts')).judge,
};

const help = async (): Promise<string> => {
  const commands = await Promise.all(
    Object.entries(COMMANDS).map(async ([name, load]) => ({ name, says: (await load()).says })),
  );
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = commands.map(({ name, says }) => `  ${name.padEnd(width)}  ${says}`);
  return `mdwi ${version()}: does this server conform to the Market Data Web Interface?\n\n${lines.join('\n')}\n\nmdwi COMMAND --help tells the flags of one.\n`;
};

/** Runs the command line; never throws. */
export async function main(args: string[]): Promise<number> {
  const [name = '', ...rest] = args;
  if (name === '' || name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(await help());
    return name === '' ? EXIT.usage : EXIT.ok;
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${version()}\n`);
    return EXIT.ok;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load) {
    process.stderr.write(`mdwi: there is no command “${name}”; there are: ${Object.keys(COMMANDS).join(', ')}\n`);
    return EXIT.usage;
  }
  const command = await load();
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
