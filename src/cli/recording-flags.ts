/** Flags of the commands that record. */
import { RecordingError } from '../recording/format/schema.ts';
import { LeakError } from '../recording/record/quarantine.ts';
import { EXIT } from '../run/exit-codes.ts';
import { notify } from '../terminal/notify.ts';

/** Formats `--scrub` as flags of a command line. */
export const scrubFlags = (scrub: readonly string[] = []): string[] => scrub.flatMap((each) => ['--scrub', each]);

/** Reports why a recording could not be closed and returns the exit code. */
export function failRecording(command: string, error: unknown): number {
  if (!(error instanceof RecordingError)) throw error;
  notify(command, error.message);
  return error instanceof LeakError ? EXIT.secrecy : EXIT.ownError;
}
