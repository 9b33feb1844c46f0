/** What normally ends a server: a signal, the end of the program that started it, or of its standard input. */
import { listenForInterrupts } from './interrupts.ts';

const PARENT_CHECK_MS = 250;

/** Whether the parent process is the shell that npx starts for this command only. */
const isStartedByNpx = ({
  npm_lifecycle_event: event,
  npm_lifecycle_script: script = '',
}: NodeJS.ProcessEnv): boolean => event === 'npx' && /^['"]?mdwi/.test(script);

/** Calls back when the parent process has ended: npm 10 and 11 pass SIGTERM to their shell only, which ends without its child. */
function onParentEnd(callback: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, PARENT_CHECK_MS).unref();
}

/**
 * Waits for the normal end of a server: SIGINT or SIGTERM, the end of the shell of `npx mdwi`, and with
 * `--exit-on-stdin-close` the end of standard input, which the system closes when the program at its other side ends.
 */
export async function untilEnded(flags: { readonly 'exit-on-stdin-close'?: boolean | undefined }): Promise<void> {
  const { signal } = listenForInterrupts();
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    if (isStartedByNpx(process.env)) onParentEnd(resolve);
    if (!flags['exit-on-stdin-close']) return;
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, () => resolve());
    process.stdin.resume();
  });
  // An open pipe would keep the process running.
  if (flags['exit-on-stdin-close']) process.stdin.destroy();
}
