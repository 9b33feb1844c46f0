import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{src,simulator,suites}/**/*.test.ts', 'suites/verdicts.vitest.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
