/** The profiles of all strangers. */
import { expect, test } from 'vitest';
import { FILES, testStrangers } from './strangers.test.support.ts';

test('there are seven profiles', () => expect(FILES).toHaveLength(7));
testStrangers((name) => name !== 'kontrast');
