import { describe, expect, test } from 'vitest';
import fc from '../seeded-fast-check.test.support.ts';
import { redactor } from './redact.ts';

const secret = `p&s'w"rd ü/+`;

describe('a secret is hidden', () => {
  test.each([
    ['as it is', secret],
    ['in a URL', encodeURIComponent(secret)],
    ['in a URL with small hex digits', encodeURIComponent(secret).replace(/%../g, (each) => each.toLowerCase())],
    ['in a form', new URLSearchParams({ s: secret }).toString().slice(2)],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64url', Buffer.from(secret).toString('base64url')],
    ['in JSON', JSON.stringify(secret).slice(1, -1)],
    ['in JSON within JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
    ['in XML', secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
    ['in a shell word', secret.replaceAll("'", `'\\''`)],
  ])('%s', (_, form) => {
    const text = redactor([secret])(`before ${form} after`);
    expect(text).toMatch(/^before \*\*\*=* after$/);
  });

  test('as the password of Basic credentials, whatever user stands before it', () => {
    for (const user of ['', 'a', 'ab', 'abc', 'somebody']) {
      const encoded = Buffer.from(`${user}:hunter2hunter2`).toString('base64');
      const text = redactor(['hunter2hunter2'])(encoded);
      expect(text).toContain('***');
      expect(Buffer.from(text.split('***')[1] ?? '', 'base64').toString()).not.toContain('hunter');
    }
  });

  test('every time it stands there', () => {
    expect(redactor(['abcd'])('abcd-abcd')).toBe('***-***');
  });

  test('whole, where it contains another', () => {
    expect(redactor(['secret', 'secret-longer'])('secret-longer secret')).toBe('*** ***');
  });

  test('whatever characters it is made of', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 4, maxLength: 30 }).filter((each) => !each.includes('*')),
        (any) => {
          const redact = redactor([any]);
          expect(redact(`<<${any}>>`)).not.toContain(any);
          expect(redact(JSON.stringify({ a: any }))).not.toContain(JSON.stringify(any).slice(1, -1));
        },
      ),
    );
  });
});

test('other text is left alone, and so are values too short to be secrets', () => {
  expect(redactor([])('text')).toBe('text');
  expect(redactor(['', 'a', 'abc'])('abc text')).toBe('abc text');
  expect(redactor(['hidden'])('nothing here')).toBe('nothing here');
});
