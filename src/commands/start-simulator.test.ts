import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../resources.test.support.ts';
import { startSimulatorServer } from './start-simulator.ts';

const folder = newFolder(afterAll);
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const BULK = 'GET /PLATFORMAPI/prodRef/v1/allProducts';

/** The first characters of the bulk list. */
async function firstOf(profile?: string): Promise<string> {
  const simulator = await startSimulatorServer({ profile, products: 30 });
  onTestFinished(() => simulator.close());
  const response = await fetch(`${simulator.url}/PLATFORMAPI/prodRef/v1/allProducts`);
  return (await response.text()).slice(0, 28);
}

test('a name is a built-in dialect, a file describes its own', async () => {
  expect(await firstOf()).toMatch(/^\{"asOf":"2026-11-14"/);
  const fields = 'fields: { upc: { at: "@.g", as: gtin14 } }';
  const mine = file('mine.yaml', `name: mine\noperations: { ${BULK}: { response: { rows: $.items, ${fields} } } }`);
  expect(await firstOf(mine)).toBe('{"items":[{"g":"000421000001');
});
