import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** How a page is looked at. `theme`: what the system prefers. */
export type Way = { width: number; theme: 'light' | 'dark'; lang: 'en' | 'bg'; script: boolean };

const both = <T>(...values: T[]) => values;

/** A page is loaded in each language, with and without script; then its window and the system's theme change. */
const loads = both<Way['lang']>('en', 'bg').flatMap((lang) => both(true, false).map((script) => ({ lang, script })));
const looks = both(1280, 390).flatMap((width) => both<Way['theme']>('light', 'dark').map((theme) => ({ width, theme })));

type Opened = { page: Page; context: BrowserContext; problems: string[] } & AsyncDisposable;
/** `cookie` empty: nobody is signed in. */
type Visitor = { url: string; cookie: string };

/** A page of a signed-in browser, watched for what it must never do. `cookie`: as its header says it. */
export async function openAs(
  browser: Browser,
  { url, cookie }: Visitor,
  { width, theme, script, lang = 'en' }: Omit<Way, 'lang'> & Partial<Way>,
): Promise<Opened> {
  const locale = lang === 'bg' ? 'bg-BG' : 'en-GB';
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme, javaScriptEnabled: script, locale });
  const [name = '', value = ''] = cookie.split('=');
  if (name !== '') await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  return { page, context, problems: watched(page), [Symbol.asyncDispose]: () => context.close() };
}

/** Messages of the console (reports of the CSP among them), errors, and requests to another host, as they happen. */
function watched(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => !['127.0.0.1', ''].includes(new URL(request.url()).hostname) && problems.push(`another host: ${request.url()}`));
  return problems;
}

/** How many pixels the page is too wide. */
export const overflow = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Breaches of the rules of accessibility. */
export async function breaches(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/**
 * What is wrong with pages, each in both languages, with and without script, at desktop and phone, light and dark; axe looks once in each theme, at the
 * phone. `status`: of the answers. One context for each language, with and without script: each costs a process.
 */
export async function wrongIn(browser: Browser, visitor: Visitor & { status?: number }, ...paths: string[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const load of loads) {
    await using opened = await openAs(browser, visitor, { width: 1280, theme: 'light', ...load });
    await opened.context.request.post(`${visitor.url}/console/language`, {
      form: { lang: load.lang, at: '/console' },
      headers: { 'sec-fetch-site': 'same-origin' },
      maxRedirects: 0,
    });
    for (const path of paths) wrong.push(...(await wrongAt(opened, visitor, { ...load, path })));
  }
  return wrong;
}

/** The same of pages whose language is the browser's, and whose address is the key. */
export async function wrongForMerchant(browser: Browser, given: Omit<Visitor, 'cookie'> & { status?: number }, ...paths: string[]): Promise<string[]> {
  const wrong: string[] = [];
  const visitor = { ...given, cookie: '' };
  for (const load of loads) {
    await using opened = await openAs(browser, visitor, { width: 1280, theme: 'light', ...load });
    for (const path of paths) wrong.push(...(await wrongAt(opened, visitor, { ...load, path })));
  }
  return wrong;
}

type Load = Pick<Way, 'lang' | 'script'> & { path: string };

async function wrongAt({ page, problems }: Opened, { url, status = 200 }: Visitor & { status?: number }, { path, lang, script }: Load): Promise<string[]> {
  problems.length = 0;
  const answer = await page.goto(`${url}${path}`);
  const found = [
    ...(answer?.status() === status ? [] : [`status ${answer?.status()}`]),
    ...((await page.getAttribute('html', 'lang')) === lang ? [] : ['in the other language']),
  ];
  for (const { width, theme } of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: theme });
    const tooWide = await overflow(page);
    const seen = [...(tooWide > 0 ? [`${tooWide} px too wide`] : []), ...(script && lang === 'en' && width < 1000 ? await breaches(page) : [])];
    found.push(...seen.map((words) => `${width} px, ${theme}: ${words}`));
  }
  // The browser reports the status of a page that is meant to be missing as an error.
  found.push(...problems.filter((words) => status === 200 || !words.includes(String(status))));
  return found.map((words) => `${path} in ${lang}${script ? '' : ', without script'}: ${words}`);
}
