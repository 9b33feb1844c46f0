import type { OpeningId } from '../contract/index.ts';

/** One sentence: file, location, problem, allowed values. */
export interface ProfileMistake {
  readonly message: string;
  /** The opening that the invalid part would fill, if there is one. */
  readonly opening?: OpeningId | undefined;
}

/** An invalid profile. The message has a line for each mistake. */
export class ProfileError extends Error {
  readonly mistakes: readonly ProfileMistake[];
  constructor(wrong: string | readonly ProfileMistake[]) {
    const mistakes = typeof wrong === 'string' ? [{ message: wrong }] : wrong;
    super(mistakes.map(({ message }) => message).join('\n'));
    this.mistakes = mistakes;
  }

  /** That of the first mistake. */
  get opening(): OpeningId | undefined {
    return this.mistakes[0]?.opening;
  }
}
