/** What `mdwi run` judges when no base address is given. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const MAIN = join(import.meta.dirname, 'main.ts');

test.each(['reference', 'hypermedia'])(
  'the simulator speaks the dialect %s that a bundled profile describes',
  async (name) => {
    const args = [MAIN, 'run', '--profile', name, '--group', 'C', '--require', 'conformant'];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    expect(stdout).toMatch(new RegExp(`profile +${name} `));
    expect(stdout).toMatch(/outcome +conformant \(C, all\)/);
  },
);
