import { expect, test } from 'vitest';
import { formatKeysPage, unstatedKeys } from './keys-page.test.support.ts';
import { NEW_KEYS } from './new-keys.ts';

test('the page of the documentation is the one that is generated', async () => {
  await expect(formatKeysPage()).toMatchFileSnapshot('../../../docs/profile-keys.md');
});

test('each key has a statement in the schema', () => {
  expect(unstatedKeys()).toEqual([]);
});

test('the page has each key of 0.2.0 with the rules that judge it', () => {
  const lines = formatKeysPage().split('\n');
  for (const key of Object.keys(NEW_KEYS))
    expect(
      lines.find((line) => line.includes(`\`${key}\`¹`)),
      key,
    ).toMatch(/`[A-Za-z]+\.[a-z-]+`(?:, `[^`]+`)* \|$|\d+ rules \|$/);
});
