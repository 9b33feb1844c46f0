/** The reports of real runs: `schemas.test.ts` has the formats of a made one. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { judgeSimulation } from '../../suites/judge-in-process.test.support.ts';
import { loadProfile } from '../profile/load.ts';
import { reportToConsole } from './console.ts';
import { jsonText } from './json-text.ts';
import { runJsonSchema } from './run-schema.ts';

test.each([
  ['green', 'reference', undefined, 'conformant (C, all, standard)'],
  ['red', 'reference', 'bulk-upc-11-digits', 'row 59'],
  ['open', 'empty', undefined, 'operations["GET /PLATFORMAPI/prodRef/v1/allProducts"].request'],
])('a %s run fits the published schema, and says what is wrong or open', async (_, name, fault, says) => {
  const selection = { safety: 'all', groups: ['C'] } as const;
  const run = await judgeSimulation(
    { products: 60, ...(fault && { fault }) },
    { profile: await loadProfile(name), selection },
  );
  const ajv = new Ajv2020({ strict: false });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  const fits = ajv.compile(runJsonSchema());
  fits(JSON.parse(jsonText(run)));
  expect(fits.errors ?? []).toEqual([]);
  expect(reportToConsole(run)).toContain(says);
});
