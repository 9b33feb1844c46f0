/** The HTML report in a real browser: it loads nothing, runs no text of a service, and is usable by everyone. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import type { Run } from '../../run/types.ts';
import { greenRun, hostileRun, interruptedRun, sampleRun } from '../sample-run.test.support.ts';
import { reportToHtml } from './page.ts';

declare module 'vitest' {
  interface ProvidedContext {
    chromium: string;
  }
}

/** Without these, Chromium opens connections of its own. `--no-sandbox`: CI often runs as root. */
const FLAGS =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';

/** Only a browser that hangs takes so long, however busy the machine is. */
const PATIENCE = 600_000;

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: inject('chromium'), args: FLAGS.split(' '), timeout: PATIENCE });
});
const folder = mkdtempSync(join(tmpdir(), 'mdwi-html-'));
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

interface Opened {
  readonly page: Page;
  /** Console messages, errors, dialogs, and requests other than for the file. */
  readonly incidents: string[];
}

async function open(run: Run, { width = 1280, colorScheme = 'light' as 'light' | 'dark' } = {}): Promise<Opened> {
  const file = join(folder, 'report.html');
  writeFileSync(file, reportToHtml(run));
  const { href } = pathToFileURL(file);
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  page.setDefaultTimeout(PATIENCE);
  onTestFinished(() => page.close());
  const incidents: string[] = [];
  page.on('console', (message) => incidents.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => incidents.push(`error: ${error.message}`));
  page.on('request', (request) => request.url() !== href && incidents.push(`request: ${request.url()}`));
  page.on('dialog', (dialog) => {
    incidents.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(href);
  return { page, incidents };
}

const LOOKS = [
  { width: 1280, colorScheme: 'light' },
  { width: 400, colorScheme: 'dark' },
] as const;
const RUNS: Record<string, Run> = {
  nonconformant: sampleRun,
  hostile: hostileRun,
  conformant: greenRun,
  interrupted: interruptedRun,
};

describe.each(Object.entries(RUNS))('the page of a %s run', (_, run) => {
  test.each(LOOKS)('is accessible, quiet and not too wide at $width px, $colorScheme', async (look) => {
    const { page, incidents } = await open(run, look);
    // Everything is open, so that axe sees it.
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    await page.evaluate(axe.source);
    const violations = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
      const { violations } = await axe.run();
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    });
    expect(violations).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(look.width);
    expect(incidents).toEqual([]);
  });
});

test('no text of a service becomes an element, an attribute or a script', async () => {
  const { page, incidents } = await open(hostileRun);
  expect(await page.evaluate('document.scripts.length')).toBe(1);
  expect(await page.locator('img, iframe, object, b, link, [onerror], [onclick], [style]').count()).toBe(0);
  expect(await page.locator('body').textContent()).toContain('</script><img src=x onerror=alert(1)>');
  expect(incidents).toEqual([]);
});

test('the policy of the page stops scripts and addresses that are added in spite of that', async () => {
  const { page, incidents } = await open(greenRun);
  const refused = page.waitForEvent('requestfailed');
  await page.evaluate(`
    const added = document.createElement('script');
    added.textContent = 'alert(1)';
    document.body.append(added);
    document.body.insertAdjacentHTML('beforeend', '<img src="https://elsewhere.example/x" onerror="alert(2)">');
  `);
  expect((await refused).failure()?.errorText).toBe('csp');
  await expect
    .poll(() => incidents.filter((each) => /Content Security Policy/.test(each)).length)
    .toBeGreaterThanOrEqual(2);
  expect(incidents.filter((each) => each.startsWith('dialog'))).toEqual([]);
});

test('the filter finds checks by rule, operation and verdict; keys and tiles use it', async () => {
  const { page } = await open(sampleRun);
  const shown = () => page.locator('#check-list li:visible').count();
  const count = () => page.locator('#filter-count').textContent();
  const all = sampleRun.results.length;
  expect(await count()).toBe(`${all} of ${all} checks.`);

  await page.keyboard.press('/');
  await page.keyboard.type('updateProducts');
  expect(await count()).toBe(`2 of ${all} checks.`);
  expect(await shown()).toBe(2);
  await page.keyboard.press('Escape');
  expect(await count()).toBe(`${all} of ${all} checks.`);

  await page.locator('#filter input[value=pass]').uncheck();
  expect(await count()).toBe(`${all - 3} of ${all} checks.`);
  await page.keyboard.press('Escape');

  // Another operation begins with the same path.
  await page.locator('.tile a', { hasText: /BrandPerformance(?!\/)/ }).click();
  expect(await count()).toBe(`3 of ${all} checks.`);
  expect(await shown()).toBe(3);
});

test('the keys j and k go through the failures, and each check links to its failure', async () => {
  const { page } = await open(sampleRun);
  const focused = () => page.evaluate('document.activeElement.id');
  const ids = await page.locator('#failures .card').evaluateAll((cards) => cards.map(({ id }) => id));
  expect(ids).toHaveLength(6);
  await page.keyboard.press('j');
  expect(await focused()).toBe(ids[0]);
  await page.keyboard.press('k');
  // The last one is folded, because a cause explains it.
  expect(await focused()).toBe(ids.at(-1));
  const targets = await page
    .locator('#check-list a')
    .evaluateAll((links) => links.map((link) => decodeURIComponent(link.getAttribute('href')?.slice(1) ?? '')));
  expect(targets.sort()).toEqual(ids.sort());
});

test('on paper everything is open and dark on light, and closed again afterwards', async () => {
  const { page } = await open(sampleRun, { colorScheme: 'dark' });
  const colours = () =>
    page.evaluate('[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]');
  expect(await colours()).toEqual(['rgb(228, 231, 234)', 'rgb(19, 22, 25)']);
  await page.emulateMedia({ media: 'print' });
  expect(await colours()).toEqual(['rgb(28, 32, 36)', 'rgb(255, 255, 255)']);
  const closed = () => page.locator('details:not([open])').count();
  const before = await closed();
  expect(before).toBeGreaterThan(0);
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  expect(await closed()).toBe(0);
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  expect(await closed()).toBe(before);
});

test('without scripts the page shows everything but the filter', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  onTestFinished(() => context.close());
  const file = join(folder, 'static.html');
  writeFileSync(file, reportToHtml(sampleRun));
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  await page.goto(pathToFileURL(file).href);
  expect(await page.locator('#failures .card').count()).toBe(6);
  expect(await page.locator('#filter').isVisible()).toBe(false);
});
