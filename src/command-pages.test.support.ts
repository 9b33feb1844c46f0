/** Tests that run the command blocks of pages from the packed package. */
import { globSync } from 'node:fs';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Block, blocksOf, openPage } from './command-blocks.test.support.ts';
import { type PackedPackage, packPackage, ROOT } from './packed-package.test.support.ts';

export const BLOCKS: readonly Block[] = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT }).sort().flatMap(blocksOf);
export const isCommand = ({ info }: Block): boolean => info.split(' ')[0] === 'sh';

/** Defines a test for each selected page with commands. Returns the package, which exists while tests run. */
export function testPages(isSelected: (page: string) => boolean): () => PackedPackage {
  let installed: PackedPackage;
  beforeAll(() => {
    installed = packPackage();
  });
  afterAll(() => installed.remove());

  const pages = new Set(BLOCKS.filter(isCommand).map(({ page }) => page));
  for (const page of [...pages].filter(isSelected))
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
  return () => installed;
}
