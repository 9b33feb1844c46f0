/** Every command block of README and docs is run, from the packed package. */
import { globSync } from 'node:fs';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Block, blocksOf, openPage } from './command-blocks.test.support.ts';
import { type PackedPackage, packPackage, ROOT } from './packed-package.test.support.ts';

const PAGES = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).sort();
const BLOCKS = PAGES.flatMap(blocksOf);
const isCommand = ({ info }: Block): boolean => info.split(' ')[0] === 'sh';

let installed: PackedPackage;
beforeAll(() => {
  installed = packPackage();
});
afterAll(() => installed.remove());

for (const page of new Set(BLOCKS.filter(isCommand).map((each) => each.page)))
  test(`the commands of ${page} do what the page says`, async () => {
    const { run, unprinted, close } = openPage(installed, { ACME_KEY: 'acme-key-of-the-tests' });
    onTestFinished(async () => {
      await close();
    });
    const blocks = BLOCKS.filter((each) => each.page === page);
    for (const block of blocks) await run(block);
    expect(unprinted(blocks)).toEqual([]);
    expect(await close()).toEqual(expect.not.arrayContaining([1, 2, 70]));
  });

test('few commands are not run, each for a reason', () => {
  const notRun = BLOCKS.filter(isCommand).filter(({ info }) => info.includes('not-run'));
  expect(notRun.map(({ page, info }) => `${page}: ${info.slice('sh not-run='.length)}`)).toEqual([]);
  expect(BLOCKS.filter(isCommand).length).toBeGreaterThan(12);
});
