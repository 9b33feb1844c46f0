/** Every complete profile in the documentation loads. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseProfile } from './parse-profile.ts';

const root = join(import.meta.dirname, '..', '..');

for (const document of ['README.md', 'docs/profile.md']) {
  const text = readFileSync(join(root, document), 'utf8');
  const whole = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)]
    .map(([, yaml = '']) => yaml)
    .filter((yaml) => /^name:/m.test(yaml));

  test(`the profiles of ${document} load`, () => {
    expect(whole.length).toBeGreaterThan(0);
    for (const yaml of whole) expect(parseProfile(yaml, document, { ACME_KEY: 'k' }).data.name).toBe('acme');
  });
}

test('the fragments of docs/profile.md are valid in a profile', () => {
  const text = readFileSync(join(root, 'docs/profile.md'), 'utf8');
  const fragments = [...text.matchAll(/```yaml\n((?:jobs):[\s\S]*?)```/g)].map(([, yaml = '']) => yaml);
  expect(fragments.length).toBe(1);
  for (const yaml of fragments)
    expect(parseProfile(`name: x\n${yaml}`, 'docs/profile.md').data.jobs?.drive?.start).toBe('POST /webservices/drive');
});
