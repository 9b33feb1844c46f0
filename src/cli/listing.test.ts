import { describe, expect, test } from 'vitest';
import { FAULTS, faultNamed } from '../../simulator/faults/index.ts';
import { ODDITIES } from '../../simulator/oddities/index.ts';
import { operationsOf, statementOf } from '../contract/index.ts';
import { UsageError } from '../usage-error.ts';
import { describeFault, describeOddity, operationsNamedIn, printListing } from './listing.ts';
import { USAGE } from './usage.ts';

const faults = FAULTS.map(describeFault);
const oddities = ODDITIES.map(describeOddity);
const namesIn = (text: string) => [...text.matchAll(/^ {4}([\w-]+)/gm)].map(([, name]) => name);

describe('the listings', () => {
  test('hold every fault and every oddity once', () => {
    expect(namesIn(printListing('faults', faults)).sort()).toEqual(FAULTS.map(({ name }) => name).sort());
    expect(namesIn(printListing('oddities', oddities)).sort()).toEqual(ODDITIES.map(({ name }) => name).sort());
  });

  test('go by statement and operation', () => {
    expect(printListing('faults', faults, 'catalogue-ignored-dimensions')).toBe(
      `B.catalogue-id (section 4.2): ${statementOf('B.catalogue-id').says}\n` +
        '  POST /data-access/v1/Catalogue/LogicalDimensions\n' +
        `    catalogue-ignored-dimensions: ${faultNamed('catalogue-ignored-dimensions')?.says}\n` +
        `\n1 of ${FAULTS.length} faults\n`,
    );
  });

  test.each<[string, string, string]>([
    ['a name', 'BULK-upc-11', 'bulk-upc-11-digits'],
    ['a sentence', 'returns the data of one catalogue', 'catalogue-ignored'],
    ['a statement', 'D.market', 'foreign-market'],
    ['an operation', 'POST /webservices/drive', 'wrong-method-drive'],
    ['any text for a star', 'post*mapexport', 'not-found-map-export'],
  ])('find by %s', (_, pattern, name) => {
    const found = namesIn(printListing('faults', faults, pattern));
    expect(found).toContain(name);
    expect(found.length).toBeLessThan(faults.length);
  });

  test.each(['no-such-thing', '.', '(', 'bulk.upc'])('refuse %j, which is no part of any, in a sentence', (pattern) => {
    const entries = oddities.filter(({ says }) => !says.includes(pattern)).map((each) => ({ ...each, section: 's' }));
    const list = () => printListing('oddities', entries, pattern);
    expect(list).toThrow(UsageError);
    expect(list).toThrow(/mdwi oddities lists all$/);
  });
});

test('a sentence names operations by the end of their path, and a whole path names one only', () => {
  const keys = operationsOf('B');
  const values = '/data-access/v1/Catalogue/Hierarchy/Level/Values';
  expect(operationsNamedIn(`POST ${values} is not there.`, keys)).toEqual([`POST ${values}`]);
  expect(operationsNamedIn('Hierarchy/Level/Values is empty.', keys)).toEqual([`POST ${values}`]);
  expect(operationsNamedIn('All of them are empty.', keys)).toEqual(keys);
});

test('the help of simulate fits a screen', () => {
  expect(USAGE.simulate.usage.split('\n').length).toBeLessThan(24);
});
