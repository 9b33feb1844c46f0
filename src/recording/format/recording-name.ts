/** Names of recordings: each is one folder on every system. */

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** What a valid name of a recording looks like, for messages. */
export const RECORDING_NAME_RULE =
  'starts with a letter or digit and contains only letters, digits, dots, dashes and underscores, at most 100 characters';

/** Whether a text is a valid name of a recording. */
export const isRecordingName = (name: string): boolean => NAME.test(name);
