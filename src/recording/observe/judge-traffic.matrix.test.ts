import { test } from 'vitest';
import { DIALECT_NAMES } from '../../../simulator/dialects/names.ts';
import { expectNoFailures } from './clients.test.support.ts';

test.each(DIALECT_NAMES)('a conforming service of the dialect %s has nothing to fear of odd clients', (dialect) =>
  expectNoFailures(dialect),
);
