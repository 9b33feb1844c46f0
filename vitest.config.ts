import { defineConfig } from 'vitest/config';

const { BASE_URL, PROFILE, SAFETY } = process.env;

export default defineConfig({
  test: {
    include: ['{src,simulator,suites}/**/*.test.ts', 'suites/verdicts.vitest.ts'],
    // Only a test that hangs takes so long, however busy the machine is.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // Read here: inside a test vitest sets BASE_URL to a value of its own.
    // An empty one is handed on, to be refused.
    provide: { mdwiTarget: JSON.parse(JSON.stringify({ BASE_URL, PROFILE, SAFETY })) },
  },
});
