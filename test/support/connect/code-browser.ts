import { plainTextOf } from '../samples/mail-parts.ts';
import type { SmtpHandle } from '../servers/smtp-server.ts';
import { until } from '../worlds/settled.ts';
import type { Merchant, MerchantPage } from './merchant.ts';

/** A browser that keeps what it is given, as another one of the same merchant does not. */
export type CodeBrowser = {
  get(path: string): Promise<MerchantPage>;
  post(path: string, fields: Record<string, string>): Promise<MerchantPage>;
  /** What it would send. */
  cookie(): string;
};

export function codeBrowser(merchant: Merchant, cookie = ''): CodeBrowser {
  let kept = cookie;
  const keep = (page: MerchantPage): MerchantPage => {
    kept = page.headers.get('set-cookie')?.split(';')[0] ?? kept;
    return page;
  };
  return {
    get: async (path) => keep(await merchant.get(path, { cookie: kept })),
    post: async (path, fields) => keep(await merchant.post(path, fields, { cookie: kept, 'sec-fetch-site': 'same-origin' })),
    cookie: () => kept,
  };
}

/** The code in the mail with this number to a mailbox. */
export async function mailedCode({ taken }: SmtpHandle, mailbox: string, nth = 1): Promise<string> {
  const mails = () => taken.filter(({ to }) => to.includes(mailbox));
  await until(() => mails().length >= nth, { what: `mail ${nth} to ${mailbox}` });
  return /\b(\d{4} \d{4})\b/.exec(plainTextOf(mails()[nth - 1] ?? { text: '' }))?.[1] ?? '';
}

/** Asks for a code and gives it. */
export async function openByCode(browser: CodeBrowser, smtp: SmtpHandle, [mailbox, nth]: [mailbox: string, nth: number]): Promise<MerchantPage> {
  await browser.get('/status/code');
  await browser.post('/status/code', { act: 'send' });
  return browser.post('/status/code', { act: 'open', code: await mailedCode(smtp, mailbox, nth) });
}
