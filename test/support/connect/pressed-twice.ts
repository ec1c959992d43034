import { setTimeout as sleep } from 'node:timers/promises';
import { partsOf } from '../../../src/console/live-stream.ts';
import type { Answer } from '../console/entering-browser.ts';
import type { Merchant } from './store-merchant.ts';

type Press = { path: string; fields: Record<string, string | string[]>; delayMs: number };

/** What a merchant sees. `address`: of a page that is loaded; of what a form answered, where the form went. */
export type Seen = { address: string; status: number; text: string };

const MOST_REDIRECTS = 5;

/** Presses a button twice: the browser leaves the first answer, and shows the second one, where that leads. Both are answered when this resolves. */
export async function pressTwice(merchant: Merchant, { path, fields, delayMs }: Press): Promise<Seen> {
  const { browser, base } = merchant;
  const first = browser.post(`${base}${path}`, fields);
  await sleep(delayMs);
  const seen = await follow(merchant, `${base}${path}`, await browser.post(`${base}${path}`, fields));
  await first;
  return seen;
}

async function follow({ browser }: Merchant, address: string, given: Answer): Promise<Seen> {
  let [at, answer] = [address, given];
  for (let n = 0; answer.location !== null && n < MOST_REDIRECTS; n += 1) {
    at = answer.location;
    answer = await browser.get(at);
  }
  return { address: at, status: answer.status, text: answer.text };
}

/** The page as its script renews it: the parts that live, or where it leads by now. One without that script stays as it is. */
export async function renewed(merchant: Merchant, seen: Seen): Promise<Seen> {
  if (!seen.text.includes('data-renew')) return seen;
  const now = await follow(merchant, seen.address, await merchant.browser.get(seen.address));
  if (now.address !== seen.address) return now;
  const fresh = new Map(partsOf(now.text).map(({ id, markup }) => [id, markup]));
  const text = partsOf(seen.text).reduce((page, { id, markup }) => page.replace(markup, () => fresh.get(id) ?? markup), seen.text);
  return { ...seen, text };
}
