import { expect, test } from 'vitest';
import { FAULTS } from '../../simulator/faults/index.ts';
import { RULES } from '../../suites/index.ts';
import { STATEMENTS } from '../contract/index.ts';
import { formatMatrix } from './rules.ts';

test('the page of the documentation is the one that is generated', async () => {
  await expect(formatMatrix()).toMatchFileSnapshot('../../docs/matrix.md');
});

test('every statement, rule and fault is in it', () => {
  const page = formatMatrix();
  for (const { id } of STATEMENTS) expect(page).toContain(`### ${id} `);
  for (const { id } of RULES) expect(page).toContain(`\`${id}\``);
  for (const { name } of FAULTS) expect(page).toContain(`\`${name}\``);
});

test('every observable statement has a fault that breaks it', () => {
  const broken = new Set<string>(FAULTS.map(({ statement }) => statement));
  expect(STATEMENTS.filter(({ id, observable }) => observable && !broken.has(id)).map(({ id }) => id)).toEqual([]);
});
