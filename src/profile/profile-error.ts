/** A profile that cannot be used; the message is one sentence: file, place, what is wrong, what is allowed. */
export class ProfileError extends Error {}
