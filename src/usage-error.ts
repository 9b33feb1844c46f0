/** The error of a wrong command line or argument. */

/** A command line that cannot be carried out; the message is one sentence. Nothing has been sent. */
export class UsageError extends Error {}
