/** Each format against the schema of those who read it, and against its golden file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import type { Run } from '../run/types.ts';
import { reportToConsole, reportToSummary } from './console.ts';
import { FORMAT_NAMES, FORMATS } from './formats.ts';
import { runJsonSchema } from './run-schema.ts';
import { greenRun, hostileRun, interruptedRun, sampleRun } from './sample-run.test.support.ts';

/** A schema that a package of npm contains. */
function schemaOf(file: string): object {
  // The schema of SARIF names draft 4, of which it uses nothing that later drafts changed except `id`.
  const path = join(import.meta.dirname, '../../node_modules', file);
  const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  return schema;
}
const SARIF = schemaOf('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
const CTRF = schemaOf('ctrf/dist/ctrf-schema-0.0.json');
const RUNS: Record<string, Run> = { nonconformant: sampleRun, conformant: greenRun, interrupted: interruptedRun };
const cases = Object.entries(RUNS);
const hostile: [string, Run] = ['hostile', hostileRun];

/** The errors of a JSON document against a JSON Schema. */
function errorsOf(
  schema: object,
  text: string,
  ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false }),
): unknown[] {
  (addFormats as unknown as (ajv: Ajv) => void)(ajv);
  const validate = ajv.compile(schema);
  validate(JSON.parse(text));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Code Quality of GitLab: what its documentation (ci/testing/code_quality) demands of a report. */
const CODE_QUALITY = {
  type: 'array',
  items: {
    type: 'object',
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    additionalProperties: false,
    properties: {
      description: { type: 'string', minLength: 1 },
      check_name: { type: 'string' },
      fingerprint: { type: 'string', pattern: '^[0-9a-f]{64}$' },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        required: ['path', 'lines'],
        properties: {
          path: { type: 'string', pattern: '^[^./]' },
          lines: { type: 'object', required: ['begin'], properties: { begin: { type: 'integer', minimum: 1 } } },
        },
      },
    },
  },
};

describe.each([...cases, hostile])('the reports of a %s run fit', (_, run) => {
  test('run.json: our schema', async () => {
    const ajv = new Ajv2020({ strict: false });
    expect(errorsOf(runJsonSchema(), await FORMATS.json(run), ajv)).toEqual([]);
  });

  test('SARIF: the schema of OASIS', async () => {
    expect(errorsOf(SARIF, await FORMATS.sarif(run))).toEqual([]);
  });

  test('CTRF: its schema', async () => {
    expect(errorsOf(CTRF, await FORMATS.ctrf(run))).toEqual([]);
  });

  test('JUnit: the schema of Jenkins', async () => {
    const schema = readFileSync(join(import.meta.dirname, '__fixtures__/junit-4.xsd'), 'utf8');
    const { valid, errors } = await validateXML({ xml: await FORMATS.junit(run), schema });
    expect([valid, errors]).toEqual([true, []]);
  });

  test('GitLab: what its documentation demands', async () => {
    const text = await FORMATS.gitlab(run);
    expect(errorsOf(CODE_QUALITY, text)).toEqual([]);
    const prints = (JSON.parse(text) as { fingerprint: string }[]).map(({ fingerprint }) => fingerprint);
    expect(new Set(prints).size).toBe(prints.length);
  });

  test('GitHub: one command per line, none made of a text', async () => {
    const lines = (await FORMATS.github(run)).trimEnd().split('\n');
    for (const line of lines) expect(line).toMatch(/^::(?:error|warning|notice) title=[^:,]+::[^\r\n]*$/);
  });
});

test('the schemas refuse what is wrong', async () => {
  const text = await FORMATS.sarif(sampleRun);
  expect(errorsOf(SARIF, text.replaceAll('"kind": "external"', '"kind": "other"'))).not.toEqual([]);
  const schema = readFileSync(join(import.meta.dirname, '__fixtures__/junit-4.xsd'), 'utf8');
  const xml = (await FORMATS.junit(sampleRun)).replace('<skipped>', '<skipped message="x">');
  expect((await validateXML({ xml, schema })).valid).toBe(false);
});

const SUFFIX: Partial<Record<string, string>> = { markdown: 'md', junit: 'xml', html: 'html', github: 'txt' };

describe.each(cases)('the golden files of a %s run', (name, run) => {
  test.each(FORMAT_NAMES)('%s', async (format) => {
    const file = `__snapshots__/${name}.${format}.${SUFFIX[format] ?? 'json'}`;
    await expect(await FORMATS[format](run)).toMatchFileSnapshot(file);
  });

  test('summary', async () => {
    await expect(reportToSummary(run)).toMatchFileSnapshot(`__snapshots__/${name}.summary.txt`);
    await expect(reportToConsole(run)).toMatchFileSnapshot(`__snapshots__/${name}.console.txt`);
    await expect(reportToConsole(run, { columns: 72 })).toMatchFileSnapshot(`__snapshots__/${name}.console-72.txt`);
  });
});
