/** What an action of `mdwi profile` prints to standard output, and its exit code. */
export interface PrintedAction {
  readonly text: string;
  readonly code: number;
}
