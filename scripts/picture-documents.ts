import { mkdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';

/** Pictures of HTML documents as people see them: node scripts/picture-documents.ts OUTPUT_FOLDER FILE.html… (CHROMIUM: the browser's program) */
const [out, ...files] = process.argv.slice(2);
if (out === undefined || files.length === 0) {
  console.error('usage: node scripts/picture-documents.ts OUTPUT_FOLDER FILE.html…');
  process.exit(64);
}

const WIDTHS = { phone: 360, desktop: 1280 };
const HIGHEST_ROLL_MM = 3_000;
const MARGIN_MM = 3;

await mkdir(out, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
for (const file of files) await picture(browser, file, out);
await browser.close();

async function picture(from: Browser, file: string, folder: string): Promise<void> {
  const address = pathToFileURL(resolve(file)).href;
  const name = join(folder, basename(file, '.html'));
  for (const [device, width] of Object.entries(WIDTHS)) {
    const page = await from.newPage({ viewport: { width, height: 800 }, deviceScaleFactor: 2, javaScriptEnabled: false });
    await page.goto(address);
    await page.screenshot({ path: `${name}-${device}.png`, fullPage: true });
    await page.close();
  }
  const page = await from.newPage();
  await page.goto(address);
  await page.pdf({ path: `${name}-a4.pdf`, format: 'A4', preferCSSPageSize: false, printBackground: true });
  await page.pdf({ path: `${name}-80mm.pdf`, width: '80mm', height: `${await rollLength(page)}mm`, printBackground: true });
  await page.close();
  console.log(name);
}

// A roll is as long as what is printed on it.
async function rollLength(page: Awaited<ReturnType<Browser['newPage']>>): Promise<number> {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: Math.round(((80 - 2 * MARGIN_MM) / 25.4) * 96), height: 100 });
  const pixels = await page.evaluate('document.documentElement.scrollHeight');
  return Math.min(HIGHEST_ROLL_MM, Math.ceil((Number(pixels) / 96) * 25.4) + 2 * MARGIN_MM + 2);
}
