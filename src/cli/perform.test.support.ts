import { vi } from 'vitest';
import { main } from './command.ts';

/** The exit code of a command line, and what it wrote. */
export interface Performed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process, in a folder if one is named. */
export async function perform(args: readonly string[], folder?: string): Promise<Performed> {
  const written = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    vi.spyOn(process[stream], 'write').mockImplementation((text, ...rest) => {
      written[stream] += text;
      const callback = rest.at(-1);
      if (typeof callback === 'function') (callback as () => void)();
      return true;
    }),
  );
  const before = process.cwd();
  try {
    if (folder !== undefined) process.chdir(folder);
    return { code: await main([...args]), ...written };
  } finally {
    process.chdir(before);
    for (const each of spies) each.mockRestore();
  }
}
