import { z } from 'zod';
import type { Message } from '../../platform/mail/mail-message.ts';
import { isOpenByCode, liveCode, type MailCodes, makeCode, takeMailedCode } from '../../platform/mail/mailed-codes.ts';
import type { MailBuilder } from '../../platform/mail/outbox.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { html } from '../../web/html.ts';
import { htmlDocument } from '../../web/html-document.ts';
import { recipientState } from '../mail/recipients.ts';
import { queueMail } from '../mail/shop-mails.ts';
import { writeServiceActs } from '../trail/service-acts.ts';
import { type LinkDeps, type MonthLink, readLink, shopOfRecipient } from './month-link.ts';

/** The mail with a code, which opens all companies of its recipient in one browser. */
export const CODE_MAIL = 'month-code';

const linkCodes: MailCodes = { schema: 'compliance', owner: 'link' };

type Now = Pick<LinkDeps, 'pool' | 'now'>;

function codeOf({ now }: Now, { id, recipient }: MonthLink, browser: string) {
  return { ownerId: id, mailbox: hashOf(recipient), browser, at: now() };
}

/** Mails a code to the recipient of a link, unless enough were mailed to them within an hour. */
export async function requestCode(deps: Now, link: MonthLink, browser: string): Promise<void> {
  const now = deps.now();
  const mail = { kind: CODE_MAIL, shopId: link.shopId, now };
  await makeCode(deps.pool, linkCodes, {
    ...codeOf(deps, link, browser),
    isConfirmed: true,
    mail: (tx, codeId) => queueMail(tx, { ...mail, ref: { codeId }, dedupKey: `${CODE_MAIL}/${codeId}` }),
  });
}

const codeRef = z.object({ codeId: z.string() });

/** It goes to the address of the link, while the code works and the shop names that address. */
export function codeMail(deps: LinkDeps & Pick<Message, 'replyTo'>): MailBuilder {
  return async (ref) => {
    const live = await liveCode(deps.pool, linkCodes, { id: codeRef.parse(ref).codeId, at: deps.now() });
    const link = live && (await readLink(deps.pool, live.ownerId));
    const reached = link && (await shopOfRecipient(deps, link, link.shopId));
    if (live === null || link === null || reached === null || !(await recipientState(deps.pool, { shopId: link.shopId, address: reached.address })).isOpen)
      return null;
    const to = [reached.address];
    return { to, write: async () => message(live.code, { to, replyTo: deps.replyTo }) };
  };
}

function message(code: string, sent: Pick<Message, 'to' | 'replyTo'>): Message {
  const subject = 'Код за месеците на всичките ви фирми';
  const shown = `${code.slice(0, 4)} ${code.slice(4)}`;
  const words = 'С този код се отварят месеците на всички фирми, които ги изпращат на този адрес. Важи веднъж, 15 минути, в браузъра, от който е поискан.';
  const caution = 'Ако не сте го поискали, не правете нищо и не го казвайте на никого.';
  const english =
    'This code opens the months of all companies that send them to this address: once, for 15 minutes, in the browser that asked for it. If you did not ask for it, do nothing, and tell it to nobody.';
  const body = html`<p><b>${shown}</b></p>
<p>${words}</p>
<p>${caution}</p>
<p lang="en">${english}</p>`;
  const content = { html: htmlDocument({ lang: 'bg', title: subject, body }).markup, text: `${[shown, words, caution, english].join('\n\n')}\n` };
  return { ...sent, ...content, subject, senderName: null, attachments: [], images: [] };
}

/** What was typed opens all companies of the link's recipient in this browser, for a while. False: no matter what is wrong with it. */
export async function takeCode(deps: Now, link: MonthLink, { browser, typed }: { browser: string; typed: string }): Promise<boolean> {
  const isTaken = await takeMailedCode(deps.pool, linkCodes, {
    ...codeOf(deps, link, browser),
    typed,
    async act(tx, { isFirst }) {
      if (isFirst) await writeServiceActs(tx, [{ who: `link:${link.id}`, act: 'link.opened', subject: link.id }]);
      return true;
    },
  });
  return isTaken ?? false;
}

/** Did this browser give a code of this link a while ago at most? */
export function isOpened(deps: Now, link: MonthLink, browser: string): Promise<boolean> {
  return isOpenByCode(deps.pool, linkCodes, codeOf(deps, link, browser));
}
