/** Judges the app in-process: `npx vitest run`. */
import { describeConformance } from 'mdwi-conformance/vitest';
import { app } from './app.ts';
import { profile } from './profile.ts';

await describeConformance({ app, profile });
