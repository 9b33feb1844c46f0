/** A failure that the baseline has is no red test; each group below is one test. */
import type { RequestListener } from 'node:http';
import { describeConformance } from '../api/vitest.ts';
import { defineProfile } from '../profile/load.ts';
import { runConformance } from './run-conformance.ts';

const OPERATION = 'GET /RetailMeasurement/v1/CategoryPerformance';
const app: RequestListener = (request, response) => {
  response.writeHead(request.url === OPERATION.slice('GET '.length) ? 500 : 404, {
    'content-type': 'application/json',
  });
  response.end('{}');
};
const profile = defineProfile({
  name: 'list',
  implements: [OPERATION],
  operations: { [OPERATION]: { request: {}, response: { rows: '$.rows[*]', fields: {} } } },
});
const options = { app, profile, operations: [OPERATION], rules: ['every.s*'] } as const;

const before = await runConformance(options);
if (before.exitCode !== 1) throw new Error(`the app must fail, but: ${before.reason}`);
const gate = { ...options, baseline: before, failOnNew: true };
await describeConformance({ ...gate, tests: 'group' });
await describeConformance({ run: await runConformance(gate), rules: ['every.s*'], tests: 'group' });
