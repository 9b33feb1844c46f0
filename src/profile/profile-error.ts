import type { OpeningId } from '../contract/index.ts';

/** An invalid profile. The message is one sentence: file, location, problem, allowed values. */
export class ProfileError extends Error {
  /** The opening that the invalid part would fill, if there is one. */
  readonly opening: OpeningId | undefined;
  constructor(message: string, opening?: OpeningId) {
    super(message);
    this.opening = opening;
  }
}
