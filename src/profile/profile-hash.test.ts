import { expect, test } from 'vitest';
import { parseProfile } from './parse-profile.ts';
import { profileHash } from './profile-hash.ts';

const hashOf = (text: string, env: NodeJS.ProcessEnv = {}): string => profileHash(parseProfile(text, 'acme.yaml', env));

test('two profiles with the same data have the same hash, whatever the order in the file', () => {
  const hash = hashOf('name: a\nimplements: [C]');
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(hashOf('implements: [C]\nname: a')).toBe(hash);
  expect(hashOf('name: a\nimplements: [C, D]')).not.toBe(hash);
});

test('credentials, limits and values of the environment do not count', () => {
  const text = `name: a\nexamples: { catalogueId: ["$\{ID}"] }\nauth: { scheme: bearer, token: "$\{TOKEN}" }`;
  const hash = hashOf(text, { ID: '1', TOKEN: 'x' });
  expect(hashOf(text, { ID: '2', TOKEN: 'y' })).toBe(hash);
  expect(hashOf(`${text}\nlimits: { maxRequests: 9 }`, { ID: '1', TOKEN: 'x' })).toBe(hash);
  expect(hashOf(text.replace('"]', '", b]'), { ID: '1', TOKEN: 'x' })).not.toBe(hash);
});
