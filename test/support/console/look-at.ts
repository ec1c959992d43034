import axe from 'axe-core';
import type { Browser, BrowserContext, BrowserContextOptions, Page, Response } from 'playwright-core';
import { IS_LONG, SEED } from '../run-size.ts';
import { chromiumOfWorker } from '../servers/chromium.ts';

/** How a page is looked at. `theme`: what the system prefers. */
export type Way = { width: number; theme: 'light' | 'dark'; lang: 'en' | 'bg'; script: boolean };

type Load = Pick<Way, 'lang' | 'script'>;
type Look = Pick<Way, 'width' | 'theme'> & { axe: boolean };

const DESKTOP = 1440;
/** The narrowest phone that is sold in numbers. */
const PHONE = 360;

/**
 * A page is loaded in a language, with or without script; then its window and the system's theme change. Six of sixteen: each width with each theme, and
 * both languages, script and none at each width and in each theme. English without script is left out: the server writes the same words for both, and
 * Bulgarian ones are longer. Axe looks at the two that differ in all that it judges: language, width and colours. `npm test` loads each page in one of
 * the three ways, which the seed draws: a page differs from another in what it says, and the three in what all pages share.
 */
const usual: readonly (Load & { looks: readonly Look[] })[] = [
  { lang: 'en', script: true, looks: [look(DESKTOP, 'light', true), look(PHONE, 'dark')] },
  { lang: 'bg', script: true, looks: [look(DESKTOP, 'light'), look(PHONE, 'dark', true)] },
  { lang: 'bg', script: false, looks: [look(DESKTOP, 'dark'), look(PHONE, 'light')] },
];

const OF_AXE = new Set([DESKTOP, PHONE]);
const every = [true, false].flatMap((script) =>
  (['en', 'bg'] as const).map((lang) => ({
    ...{ lang, script },
    looks: [DESKTOP, 1024, 390, PHONE].flatMap((width) => (['light', 'dark'] as const).map((theme) => look(width, theme, script && OF_AXE.has(width)))),
  })),
);

/** In `npm run test:long` all ways at four widths, and axe in the eight with script at two of them. */
const loads: typeof usual = IS_LONG ? every : usual;

function look(width: number, theme: Way['theme'], axe = false): Look {
  return { width, theme, axe };
}

type Opened = { page: Page; context: BrowserContext; problems: string[] } & AsyncDisposable;
/** `cookie` empty: nobody is signed in. `browser`: the worker's if absent. */
type Visitor = { url: string; cookie: string; browser?: Browser };

type Free = { context: BrowserContext; page: Page };

/** Those that nobody has now, by what cannot be changed in them: each costs a process. */
const free = new Map<string, Free[]>();

/** A page of a signed-in browser, watched for what it must never do. `cookie`: as its header says it. */
export async function openAs({ url, cookie, browser }: Visitor, { width, theme, script, lang = 'en' }: Omit<Way, 'lang'> & Partial<Way>): Promise<Opened> {
  const made = { locale: lang === 'bg' ? 'bg-BG' : 'en-GB', javaScriptEnabled: script };
  const pool = browser === undefined ? poolOf(JSON.stringify(made)) : [];
  const taken = pool.pop() ?? (await freshPage(browser ?? (await chromiumOfWorker()), made));
  const { context, page } = taken;
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: theme });
  const [name = '', value = ''] = cookie.split('=');
  if (name !== '') await context.addCookies([{ name, value, url }]);
  return {
    ...{ page, context, problems: watched(page) },
    async [Symbol.asyncDispose]() {
      // A page that goes on to another one just now can't be left.
      const isFree = browser === undefined && (await leave(taken).catch(() => false));
      if (isFree) pool.push(taken);
      else await context.close();
    },
  };
}

function poolOf(key: string): Free[] {
  const pool = (free.get(key) ?? []).filter(({ page }) => !page.isClosed());
  free.set(key, pool);
  return pool;
}

async function freshPage(browser: Browser, options: BrowserContextOptions): Promise<Free> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(60_000);
  return { context, page: await context.newPage() };
}

/** Nobody is signed in, no stream is open, and nothing is listened to or answered in the server's place. */
async function leave({ context, page }: Free): Promise<boolean> {
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll();
  await context.unrouteAll();
  await page.goto('about:blank');
  for (const event of ['console', 'pageerror', 'request', 'requestfailed'] as const) page.removeAllListeners(event);
  await context.clearCookies();
  return true;
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

/** Short words of the page that stand in two lines, but for parts of addresses and names of codes. */
const brokenWords = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const broken = new Set();
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      if (text.parentElement.closest('pre, code, textarea, script, noscript') !== null) continue;
      for (const { 0: word, index } of text.data.matchAll(/(?<![\\p{L}\\d@._/-])\\p{L}{2,12}(?![\\p{L}\\d@_/-]|\\.\\p{L})/gu)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top))).size > 1) broken.add(word);
      }
    }
    return [...broken];
  })()`);

/** Breaches of the rules of accessibility. */
export async function breaches(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate<axe.Result[]>(`axe.run({ resultTypes: ['violations'] }).then((seen) => seen.violations)`);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** The answer of a form: what the form of the page `from` sends to `path`, with other fields than it has. */
export type Posted = { from: string; path: string; fields?: Readonly<Record<string, string>>; status?: number };

/** Sends it as the browser sends a form, with and without script. */
async function posted(page: Page, url: string, { from, path, fields = {} }: Posted): Promise<Response> {
  await page.goto(`${url}${from}`);
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'POST'),
    page.evaluate(`(({ path, fields }) => {
      const kept = [...document.querySelectorAll('main form[method=post]')].find((one) => one.getAttribute('action') === path)?.querySelectorAll('input[type=hidden]') ?? [];
      const form = Object.assign(document.createElement('form'), { method: 'post', action: path });
      for (const [name, value] of [...[...kept].filter(({ name }) => !(name in fields)).map(({ name, value }) => [name, value]), ...Object.entries(fields)]) {
        form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
      }
      document.body.append(form);
      HTMLFormElement.prototype.submit.call(form);
    })(${JSON.stringify({ path, fields })})`),
  ]);
  await page.waitForLoadState();
  return answer;
}

/** What is wrong with pages and answers of forms, in each way. `status`: of the answers. */
export async function wrongIn(visitor: Visitor & { status?: number }, ...steps: (string | Posted)[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const { load, looked } of visits(steps)) {
    await using opened = await openAs(visitor, { width: DESKTOP, theme: 'light', ...load });
    await opened.context.request.post(`${visitor.url}/console/language`, {
      form: { lang: load.lang, at: '/console' },
      headers: { 'sec-fetch-site': 'same-origin' },
      maxRedirects: 0,
    });
    for (const step of looked) wrong.push(...(await wrongAt(opened, visitor, { ...load, step })));
  }
  return wrong;
}

/** Each load with the steps that are looked at in it. */
function visits<T>(steps: readonly T[]): { load: Looked; looked: T[] }[] {
  const all = loads.map((load, n) => ({ load, looked: steps.filter((_, at) => IS_LONG || (SEED + at) % loads.length === n) }));
  return all.filter(({ looked }) => looked.length > 0);
}

/** The same of pages whose language is the browser's, and whose address is the key. */
export async function wrongForMerchant(given: Omit<Visitor, 'cookie'> & { status?: number }, ...steps: string[]): Promise<string[]> {
  const wrong: string[] = [];
  const visitor = { ...given, cookie: '' };
  for (const { load, looked } of visits(steps)) {
    await using opened = await openAs(visitor, { width: DESKTOP, theme: 'light', ...load });
    for (const step of looked) wrong.push(...(await wrongAt(opened, visitor, { ...load, step })));
  }
  return wrong;
}

type Looked = (typeof usual)[number];

async function wrongAt(
  { page, problems }: Opened,
  visitor: Visitor & { status?: number },
  { step, lang, script, looks }: Looked & { step: string | Posted },
): Promise<string[]> {
  problems.length = 0;
  const { path, status = visitor.status ?? 200 } = typeof step === 'string' ? { path: step } : step;
  const answer = typeof step === 'string' ? await page.goto(`${visitor.url}${step}`) : await posted(page, visitor.url, step);
  const found = [
    ...(answer?.status() === status ? [] : [`status ${answer?.status()}`]),
    ...((await page.getAttribute('html', 'lang')) === lang ? [] : ['in the other language']),
  ];
  for (const { width, theme, axe: isJudged } of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: theme });
    const tooWide = await overflow(page);
    const broken = (await brokenWords(page)).map((word) => `“${word}” is broken`);
    const seen = [...(tooWide > 0 ? [`${tooWide} px too wide`] : []), ...broken, ...(isJudged ? await breaches(page) : [])];
    found.push(...seen.map((words) => `${width} px, ${theme}: ${words}`));
  }
  // The browser reports the status of a page that is meant to be missing as an error.
  found.push(...problems.filter((words) => status === 200 || !words.includes(String(status))));
  return found.map((words) => `${path} in ${lang}${script ? '' : ', without script'}: ${words}`);
}
