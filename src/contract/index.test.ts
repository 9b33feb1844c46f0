/** The tables against the document: counts, words and cross-references. */
import { describe, expect, test } from 'vitest';
import {
  FIELD_KINDS,
  FIELD_NAMES,
  FIELDS,
  GROUPS,
  INPUT_NAMES,
  isOperationKey,
  isUpc,
  JOB_STATUS,
  LIMITS,
  MARKET_NAMES,
  OPENINGS,
  OPERATIONS,
  type OperationKey,
  openingById,
  operationNamed,
  operationOf,
  operationsOf,
  optionalParts,
  SAFETY_CLASSES,
  SAFETY_LADDER,
  SALES_FIGURES,
  STATEMENTS,
  statementOf,
} from './index.ts';

const repeated = (list: readonly string[]): string[] => list.filter((each, at) => list.indexOf(each) !== at);

describe('the 41 operations of section 4', () => {
  test('are 21, 13, 4 and 3', () => {
    expect(OPERATIONS.length).toBe(41);
    expect((['A', 'B', 'C', 'D'] as const).map((group) => operationsOf(group).length)).toEqual([21, 13, 4, 3]);
  });

  test('have unique keys and names, and are found by both', () => {
    expect(repeated(OPERATIONS.map((each) => each.key))).toEqual([]);
    expect(repeated(OPERATIONS.map((each) => each.name))).toEqual([]);
    for (const each of OPERATIONS) {
      expect(each.key).toBe(`${each.method} ${each.path}`);
      expect(isOperationKey(each.key)).toBe(true);
      expect(operationOf(each.key)).toBe(each);
      expect(operationNamed(each.name)).toBe(each);
    }
    expect(isOperationKey('GET /webservices/drive')).toBe(false);
  });

  test('have paths below the prefix of their group, with the version segment of section 9', () => {
    for (const { path, group, section } of OPERATIONS) {
      expect(path.startsWith(GROUPS[group].prefix), path).toBe(true);
      expect(path.split('/').filter((segment) => /^v\d+$/.test(segment))).toEqual(group === 'A' ? [] : ['v1']);
      expect(section).toBe({ A: '4.1', B: '4.2', C: '4.3', D: '4.4' }[group]);
    }
  });

  test('use the documented methods: POST throughout B, GET throughout C and D, both in A', () => {
    const methods = (group: 'A' | 'B' | 'C' | 'D') =>
      OPERATIONS.filter((each) => each.group === group).map((each) => each.method);
    expect(new Set(methods('B'))).toEqual(new Set(['POST']));
    expect(new Set([...methods('C'), ...methods('D')])).toEqual(new Set(['GET']));
    expect(methods('A').filter((method) => method === 'GET').length).toBe(11);
  });

  test('are as safe as their names say', () => {
    const of = (safety: string) => OPERATIONS.filter((each) => each.safety === safety).map((each) => each.name);
    expect(of('write')).toEqual(['createlist', 'createSurvey', 'importLocation', 'updateLocation']);
    expect(of('unclear')).toEqual(['getSaveMap', 'getSaveThematicId']);
    expect(of('job')).toEqual([
      'businesscount',
      'drive',
      'executeReport',
      'fileenhancement',
      'mapExport',
      'pullVariable',
    ]);
    expect(OPERATIONS.every((each) => SAFETY_CLASSES.includes(each.safety))).toBe(true);
  });

  test('each step of the safety ladder allows one class more', () => {
    const steps = Object.values(SAFETY_LADDER);
    expect(steps.map((step) => step.length)).toEqual([1, 2, 3, 4]);
    steps.forEach((step, at) => {
      expect(step).toEqual(SAFETY_CLASSES.slice(0, at + 1));
    });
  });
});

describe('openings', () => {
  test('have unique ids and are found by them', () => {
    expect(repeated(OPENINGS.map((each) => each.id))).toEqual([]);
    for (const each of OPENINGS) expect(openingById(each.id)).toBe(each);
  });

  test('have a description, a section and a key of the profile', () => {
    for (const { id, asks, fill, section } of OPENINGS) {
      expect(asks.length, id).toBeGreaterThan(10);
      expect(fill, id).not.toBe('');
      expect(section, id).toMatch(/^[1-9](\.[1-4])?$/);
    }
  });

  test('exist for the request and the rows of every operation', () => {
    const ids = new Set<string>(OPENINGS.map((each) => each.id));
    for (const { name } of OPERATIONS)
      expect([ids.has(`${name}.request`), ids.has(`${name}.rows`)], name).toEqual([true, true]);
  });

  test('refer to known fields and inputs only', () => {
    for (const { inputs, fields } of OPERATIONS) {
      expect(inputs.filter((each) => !INPUT_NAMES.includes(each))).toEqual([]);
      expect(fields.filter((each) => !FIELD_NAMES.includes(each))).toEqual([]);
      expect([...repeated(inputs), ...repeated(fields)]).toEqual([]);
    }
    for (const { kind } of Object.values(FIELDS)) expect(FIELD_KINDS).toContain(kind);
  });

  test('give every operation of group B a catalogue id (section 4.2)', () => {
    for (const key of operationsOf('B')) expect(operationOf(key).inputs, key).toContain('catalogueId');
  });

  test('allow an implementation to lack only what the document does not require', () => {
    const lacking = (key: OperationKey) => optionalParts(key);
    expect(lacking('GET /PLATFORMAPI/prodRef/v1/allProducts')).toContain('fields.market');
    expect(lacking('GET /PLATFORMAPI/prodRef/v1/allProducts')).not.toContain('fields.upc');
    expect(lacking('GET /PLATFORMAPI/prodRef/v1/products/{upc}')).not.toContain('fields.characteristics');
    expect(lacking('GET /PLATFORMAPI/prodRef/v1/updateProducts')).not.toContain('inputs.window');
    for (const path of ['CategoryPerformance', 'BrandPerformance'] as const) {
      const parts = lacking(`GET /RetailMeasurement/v1/${path}`);
      expect(parts).toContain('fields.manufacturer');
      expect(parts.filter((part) => SALES_FIGURES.some((figure) => part === `fields.${figure}`))).toEqual([]);
    }
    expect(lacking('GET /webservices/testService')).toEqual([]);
  });
});

describe('statements', () => {
  test('have unique ids and are found by them', () => {
    expect(repeated(STATEMENTS.map((each) => each.id))).toEqual([]);
    for (const each of STATEMENTS) expect(statementOf(each.id)).toBe(each);
  });

  test('are whole sentences that cite a section', () => {
    for (const { id, says, section } of STATEMENTS) {
      expect(says, id).toMatch(/^[A-Za-z].*\.$/);
      expect(section, id).toMatch(/^\d(\.\d)?$/);
    }
  });

  test('have a reason if no response could violate them', () => {
    const hidden = STATEMENTS.filter((each) => !each.observable);
    expect(hidden.map((each) => each.id)).toEqual([
      'base.appended',
      'A.areas',
      'purpose.A',
      'shapes',
      'states',
      'auth',
      'events',
      'errors',
      'limits.open',
      'version.open',
    ]);
    expect(hidden.every((each) => each.why.length > 0)).toBe(true);
  });
});

describe('limits of section 8', () => {
  test('are the document’s', () => {
    expect(LIMITS).toEqual({
      historyWeeks: 52,
      deltaWeeks: [1, 4, 13],
      upcDigits: 12,
      salesWeeks: [4, 12, 52],
    });
    expect(MARKET_NAMES).toEqual({ performance: 'Total US', products: 'US' });
  });

  test.each([
    ['012345678905', true],
    // The check digit is not part of the rule.
    ['012345678900', true],
    ['000000000000', true],
    ['01234567890', false],
    ['0123456789012', false],
    ['01234567890a', false],
    ['0123456789٠٥', false],
    ['０１２３４５６７８９０５', false],
    [' 01234567890', false],
    ['012345678905\n', false],
    ['+12345678905', false],
    ['', false],
  ])('%j is a UPC: %s', (text, is) => {
    expect(isUpc(text)).toBe(is);
  });
});

test('each of the seven job kinds of section 2 has its own status operation', () => {
  const statuses: string[] = Object.values(JOB_STATUS);
  expect(statuses.length).toBe(7);
  expect(repeated(statuses)).toEqual([]);
  const documented = operationsOf('A').filter((key) => key.endsWith('JobStatus'));
  expect(statuses.sort()).toEqual(documented.sort());
});
