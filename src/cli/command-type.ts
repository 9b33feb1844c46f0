/** The type of a command. */

/** A command: takes the arguments behind its name, returns the exit code. */
export interface Command {
  run(args: string[]): Promise<number>;
}
