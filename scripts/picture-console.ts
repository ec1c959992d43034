import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startChromium } from '../test/support/servers/chromium.ts';
import { checkOne, openDemo, releaseOthers } from './pictures/demo-at-work.ts';
import { pictureEntry } from './pictures/entry-world.ts';
import { pictureMerchant } from './pictures/merchant-world.ts';
import { type Shot, shotsOf } from './pictures/shots.ts';

/**
 * Pictures of the console with the demo’s data, on a phone and a desktop, and of merchants’ pages: `npm run pictures`, or
 * `npm run pictures -- --out FOLDER --only month`; `--of connect` makes those of merchants alone.
 */
const { values } = parseArgs({ options: { out: { type: 'string' }, only: { type: 'string' }, of: { type: 'string' } } });

const DEVICES = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } } as const;

const browser = await startChromium();
try {
  if (values.of !== 'connect') await pictureConsole();
  if (values.of !== 'console') await pictureMerchant((shot) => picture(browser, shot));
} finally {
  await browser.close();
}

async function pictureConsole(): Promise<void> {
  await using demo = await openDemo();
  for (const shot of await shotsOf(demo)) await picture(browser, shot);
  const { cookie } = demo;
  const issue = await checkOne(browser, demo);
  await picture(browser, { name: 'issue-checked', url: issue, cookie });
  const run = await releaseOthers(browser, demo, issue);
  await picture(browser, { name: 'bulk-action', url: run, cookie });
  await picture(browser, { name: 'live', url: `${demo.origin}/console/live`, cookie });
  await pictureEntry((shot) => picture(browser, shot));
}

async function picture(
  from: Browser,
  { name, folder = 'console', url, cookie, lang = 'en', theme = 'light', devices = ['desktop', 'phone'], press }: Shot,
): Promise<void> {
  if (values.only !== undefined && !name.includes(values.only)) return;
  const out = values.out ?? `docs/${folder}`;
  await mkdir(out, { recursive: true });
  for (const device of devices) {
    const context = await from.newContext({
      viewport: DEVICES[device],
      colorScheme: theme,
      locale: lang === 'bg' ? 'bg-BG' : 'en-GB',
      timezoneId: 'Europe/Sofia',
    });
    try {
      if (cookie !== null) await signIn(context, { cookie, url, lang });
      const page = await context.newPage();
      await page.goto(url);
      await press?.(page);
      await shoot(page, join(out, `${name}-${device}.png`));
    } finally {
      await context.close();
    }
  }
}

async function signIn(context: BrowserContext, { cookie, url, lang }: { cookie: string; url: string; lang: string }): Promise<void> {
  const [cookieName = '', value = ''] = cookie.split('=');
  const { origin } = new URL(url);
  await context.addCookies([{ name: cookieName, value, url: origin }]);
  await context.request.post(`${origin}/console/language`, { form: { lang, at: '/console' }, headers: { 'sec-fetch-site': 'same-origin' }, maxRedirects: 0 });
}

async function shoot(page: Page, path: string): Promise<void> {
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  console.log(`${path}${shrink(path) ? '' : ' (large: pngquant is not installed)'}`);
}

/** Few colours are enough for pages, and make a third of the size. */
function shrink(path: string): boolean {
  return (
    spawnSync('pngquant', ['--strip', '--nofs', '--speed', '1', '--quality', '60-90', '--skip-if-larger', '--force', '--output', path, path]).error ===
    undefined
  );
}
