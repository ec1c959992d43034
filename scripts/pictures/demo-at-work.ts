import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { Browser, Page } from 'playwright-core';
import { runDemo } from '../../src/demo/run-demo.ts';

/** The demo as it waits for its reader, who is signed in. */
export type DemoAtWork = { origin: string; cookie: string; text(path: string): Promise<string> } & AsyncDisposable;

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const root = join(import.meta.dirname, '../..');

/** Plays the demo in this process, and signs in where it says. */
export async function openDemo(): Promise<DemoAtWork> {
  const stop = new AbortController();
  const printed = new Printed();
  const { PATH } = process.env;
  const context = { args: [], env: { PATH, PORT: '0' }, cwd: root, stdin: Readable.from([]), stdout: printed, stderr: printed, signal: stop.signal };
  const over = runDemo(context, { once: false });
  const origin = await Promise.race([printed.origin, over.then(() => Promise.reject(new Error(printed.text)))]);
  const entered = await fetch(`${origin}/console/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ way: 'demo', to: '/console' }),
    headers: { 'sec-fetch-site': 'same-origin', 'user-agent': FIREFOX },
    redirect: 'manual',
  });
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`the demo let nobody in: ${entered.status}`);
  return {
    origin,
    cookie,
    text: async (path) => (await fetch(`${origin}${path}`, { headers: { cookie } })).text(),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await over;
    },
  };
}

/** Begins the story as the demo’s text says: its answer is tried on one order. The address of the issue with the result. */
export function checkOne(browser: Browser, demo: DemoAtWork): Promise<string> {
  return onPage(browser, demo, async (page) => {
    await page.goto(`${demo.origin}/console/review`);
    await page.getByRole('row', { name: 'econt_pay' }).getByRole('link', { name: 'Choose' }).click();
    await page.getByLabel('Payment type in the tax record').selectOption('POSTAL_PAYMENT');
    await page.getByRole('button', { name: 'Save and record one order' }).click();
    await said(page, /Order \S+ is recorded/);
  });
}

/** Finishes the story. The address of the page that says what became of the other orders. */
export function releaseOthers(browser: Browser, demo: DemoAtWork, issue: string): Promise<string> {
  return onPage(browser, demo, async (page) => {
    await page.goto(issue);
    await page.getByRole('button', { name: 'Release the other 11' }).click();
    await said(page, /11 recorded/);
  });
}

async function onPage(browser: Browser, { origin, cookie }: DemoAtWork, work: (page: Page) => Promise<void>): Promise<string> {
  const [name = '', value = ''] = cookie.split('=');
  const context = await browser.newContext();
  await context.addCookies([{ name, value, url: origin }]);
  const page = await context.newPage();
  await work(page);
  const url = page.url();
  await context.close();
  return url;
}

async function said(page: Page, words: RegExp): Promise<void> {
  await page.getByText(words).first().waitFor({ timeout: 60_000 });
}

/** What the demo prints, and where its console is. */
class Printed extends Writable {
  text = '';
  readonly #found = Promise.withResolvers<string>();
  readonly origin = this.#found.promise;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    const [, origin] = /^ {2}(http:\S+)\/console$/m.exec(this.text) ?? [];
    if (origin !== undefined) this.#found.resolve(origin);
    done();
  }
}
