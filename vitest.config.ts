import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { VARIABLE_NAMES } from './src/config/settings.ts';

const TARGET_VARIABLES: Record<string, string | undefined> = Object.fromEntries(
  [...VARIABLE_NAMES, 'TARGET'].map((name) => [name, process.env[name]]),
);

/** The browser of the browser tests: `CHROMIUM`, or a Chromium on the path. */
function findChromium(): string | undefined {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const places = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return places.find((place) => existsSync(place));
}

// Many tests start the command line in a process of its own: Node compiles its modules once for all of them.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compile');

const chromium = findChromium();
// CI sets CHROMIUM, so that the tests are never left out there.
if (chromium === undefined)
  process.stderr.write(
    'No Chromium is found, so the tests of the HTML report in a browser do not run: set CHROMIUM.\n',
  );

/** The files that take longest. Last in the queue, each would keep one core busy while the others wait. */
const LONG_FILES =
  /(src\/(selftest\/every-trial|commands\/silent-service|command-blocks|cli\/offline)|\.matrix)\.test\.ts$/;

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isShort = ({ moduleId }: TestSpecification): number => (LONG_FILES.test(moduleId) ? 0 : 1);
    return (await super.sort(files)).sort((a, b) => isShort(a) - isShort(b));
  }
}

export default defineConfig({
  test: {
    // Many tests wait for processes they start: more workers than cores keep the cores busy.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Files share a worker and the modules it has loaded: what a test changes of them it puts back.
    isolate: false,
    // Node runs the sources as they are, as it does for the command line: no file is transformed, and no import is a getter.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Concurrent tests of a file wait for time-outs, not for the processor.
    maxConcurrency: 10,
    sequence: { sequencer: LongFilesFirst },
    globalSetup: 'scripts/bundle-checkout.ts',
    // Only a test that hangs takes so long, however busy the machine is.
    testTimeout: 1_800_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 600_000 } },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{src,simulator,suites}/**/*.test.ts'],
          exclude: ['**/*.{browser,matrix}.test.ts'],
        },
      },
      // Dialects times faults and oddities, and all pages of docs: `npm run test:all`.
      { test: { name: 'matrix', include: ['{src,simulator,suites}/**/*.matrix.test.ts'] } },
      ...(chromium === undefined
        ? []
        : [{ test: { name: 'browser', include: ['src/**/*.browser.test.ts'], provide: { chromium } } }]),
      {
        // The examples import the package by its name, which Vite resolves.
        resolve: {
          alias: [
            { find: /^mdwi-conformance$/, replacement: join(import.meta.dirname, 'src/api/index.ts') },
            { find: /^mdwi-conformance\/msw$/, replacement: join(import.meta.dirname, 'src/api/msw.ts') },
            { find: /^mdwi-conformance\/vitest$/, replacement: join(import.meta.dirname, 'src/api/vitest.ts') },
          ],
        },
        test: { name: 'examples', include: ['examples/**/*.test.ts'], experimental: { viteModuleRunner: true } },
      },
      {
        test: {
          name: 'conformance',
          include: ['suites/**/*.conformance.ts'],
          // Each file makes a run of its own: a live service gets one at a time, within the limits of its profile.
          fileParallelism: TARGET_VARIABLES.BASE_URL === undefined && TARGET_VARIABLES.TARGET === undefined,
          // Read here, because vitest sets BASE_URL to a value of its own inside a test. An empty value is passed on and
          // refused there.
          provide: {
            mdwiTarget: JSON.parse(JSON.stringify(TARGET_VARIABLES)),
          },
        },
      },
    ],
  },
});
