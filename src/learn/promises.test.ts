import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { PROMISES } from '../contract/index.ts';
import { bundledPath } from '../profile/bundled.ts';
import { checkProfile } from '../profile/check-profile.ts';
import type { PlainObject } from '../profile/plain-object.ts';
import { PROMISE_KEYS, promisesIn, withoutPromises } from './promises.ts';

const KEYS = Object.keys(PROMISE_KEYS);
const PAGE = readFileSync(new URL('../../docs/profile-keys.md', import.meta.url), 'utf8');

/** Promises of the contract without which a response cannot be read, and what a description states. */
const BOUND = ['response.paging', 'operations.….response.schemas'];

test('the promises of the contract are promises here', () => {
  const isListed = (name: string): boolean => KEYS.some((key) => name === key || name.startsWith(`${key}.`));
  expect(Object.keys(PROMISES).filter((name) => !isListed(name))).toEqual(BOUND);
});

test.each(KEYS)('%s is a key of profiles', (key) => {
  // Examples have the names of inputs.
  expect(PAGE).toMatch(new RegExp(`\`${key.replace(/^examples\./, '').replaceAll('.', '\\.')}[\`.]`));
});

test('a profile without its promises is valid and keeps its bindings', () => {
  const profile = parse(readFileSync(bundledPath('reference.yaml'), 'utf8')) as PlainObject;
  const stripped = withoutPromises(profile);
  expect(promisesIn(profile).map((path) => path.join(' '))).toContain('jobs drive final');
  expect(promisesIn(stripped)).toEqual([]);
  const { data } = checkProfile(stripped, 'stripped', { env: {}, unset: 'refuse' });
  expect(data.jobs?.drive).toEqual({ start: 'POST /webservices/drive' });
  expect(data.operations?.['GET /webservices/getAllProspectFilters']).toMatchObject({
    request: {},
    response: { rows: '$.items[*]', fields: { id: { at: '@.id' } } },
  });
});
