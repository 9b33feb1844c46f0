import type { OpeningId } from '../contract/index.ts';

/** A profile that cannot be used; the message is one sentence: file, place, what is wrong, what is allowed. */
export class ProfileError extends Error {
  /** The opening it is about, where rules would read what is wrong. */
  readonly opening: OpeningId | undefined;
  constructor(message: string, opening?: OpeningId) {
    super(message);
    this.opening = opening;
  }
}
