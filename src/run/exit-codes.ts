/** Exit codes of every command: one table, with their meaning and precedence. */
import type { InterruptSignal } from './interruption.ts';

/** The exit codes of all commands. If several apply, `firstToCount` selects one. */
export const EXIT = {
  ok: 0,
  nonconformity: 1,
  usage: 2,
  undetermined: 3,
  staleWaiver: 4,
  drift: 5,
  secrecy: 6,
  ownError: 70,
  oldNode: 78,
  interrupted: 130,
  terminated: 143,
} as const;

/** The meanings of the exit codes, for help. If several apply, the first one counts. */
export const EXIT_MEANINGS: readonly (readonly [code: number, means: string])[] = [
  [EXIT.oldNode, 'this Node is too old'],
  [EXIT.secrecy, 'a secret was found in what was recorded; the recording was set aside'],
  [EXIT.interrupted, 'interrupted by Ctrl-C (SIGINT); reports are partial. It is the normal end of a server: 0'],
  [EXIT.terminated, 'ended by SIGTERM; reports are partial. It is the normal end of a server: 0'],
  [EXIT.ownError, 'an error of mdwi itself'],
  [EXIT.usage, 'the command line, the configuration or the profile is wrong, or the system refused a file or a port'],
  [EXIT.nonconformity, 'a statement of the document, or of the profile, is broken'],
  [EXIT.undetermined, 'undetermined: unreachable, refused, or a gating check inconclusive'],
  [EXIT.staleWaiver, 'a waiver has expired, names no rule or operation there is, or its check passes now: delete it'],
  [EXIT.drift, 'drift: the service differs from its recording in the class of --fail-on, or a worse one'],
  [EXIT.ok, 'nothing gated failed and something was proved'],
];

/**
 * Selects the exit code that counts if several apply.
 * @example firstToCount(EXIT.nonconformity, EXIT.secrecy) // 6
 */
export const firstToCount = (...codes: readonly number[]): number =>
  EXIT_MEANINGS.find(([code]) => codes.includes(code))?.[0] ?? EXIT.ownError;

/** The exit code of a stored run. A code that is in no table is of an unknown version, and never green. */
export const knownCode = (code: number): number =>
  EXIT_MEANINGS.some(([each]) => each === code) ? code : EXIT.undetermined;

/** The exit code of a command that a signal interrupted. */
export const interruptedExitCode = (signal: InterruptSignal): number =>
  signal === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted;
