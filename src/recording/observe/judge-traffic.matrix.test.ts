import { test } from 'vitest';
import { DIALECT_NAMES } from '../../../simulator/dialects/names.ts';
import { expectNoFailures, expectSameVerdicts } from './clients.test.support.ts';

test.each(DIALECT_NAMES)('a conforming service of the dialect %s has nothing to fear of odd clients', (dialect) =>
  expectNoFailures(dialect),
);

// It has pages, headers and credentials of its own.
test('the suites’ own traffic is judged as the suites judge it', () => expectSameVerdicts('hypermedia'));
