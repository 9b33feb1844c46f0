import { expect, test } from 'vitest';
import { configSchema } from './schema.ts';
import { settle } from './settle.ts';

const data = configSchema.parse({
  baseUrl: 'https://all.example',
  safety: 'read',
  groups: ['A'],
  limits: { maxRequests: 10, timeoutMs: 1000 },
  secrets: ['SHARED'],
  targets: { staging: { recording: 'acme', safety: 'job', limits: { maxRequests: 20 }, secrets: ['OWN'] } },
});

const held = (flags: object, target?: string) =>
  settle(flags, { data }, target).map(({ key, member, value, origin }) => [
    member === undefined ? key : `${key}.${member}`,
    value,
    origin,
  ]);

test('flags win over the target, the target over the top level', () => {
  expect(held({}, 'staging')).toEqual([
    ['groups', ['A'], 'top level'],
    ['safety', 'job', 'target'],
    ['recording', 'acme', 'target'],
    ['secrets', ['OWN'], 'target'],
    ['secrets', ['SHARED'], 'top level'],
    ['limits.maxRequests', 20, 'target'],
    ['limits.timeoutMs', 1000, 'top level'],
  ]);
  expect(held({ simulator: true, safety: 'write', groups: ['C'] }, 'staging').slice(0, 3)).toEqual([
    ['simulator', true, 'flag'],
    ['groups', ['C'], 'flag'],
    ['safety', 'write', 'flag'],
  ]);
});

test('a value has the location that a message names', () => {
  expect(settle({}, { data }, 'staging').map(({ path }) => path.join('.'))).toContain(
    'targets.staging.limits.maxRequests',
  );
});
