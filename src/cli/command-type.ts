/** The type of a command. */

/** A command: takes the arguments after its name and returns the exit code. */
export interface Command {
  run(args: string[]): Promise<number>;
}
