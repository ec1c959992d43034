import { z } from 'zod';
import { monthName } from '../../contract/local-text.ts';
import { shownCode } from '../../contract/mail-words.ts';
import type { Message } from '../../platform/mail/mail-message.ts';
import { mailboxMark } from '../../platform/mail/mailboxes.ts';
import { isOpenByCode, liveCode, type MailCodes, makeCode, takeMailedCode } from '../../platform/mail/mailed-codes.ts';
import type { MailBuilder, Reader } from '../../platform/mail/outbox.ts';
import { inTransaction } from '../../platform/postgres/postgres.ts';
import { html } from '../../web/html.ts';
import { htmlDocument } from '../../web/html-document.ts';
import { readAuditShop } from '../audit/month/shop-of-month.ts';
import { WAY_OUT, wayOutOf } from '../audit/summary/ways-to-act.ts';
import { writeServiceActs } from '../audit-log/service-acts.ts';
import { monthOf, sofiaDay } from '../law/calendar.ts';
import { recipientState, recipientsOf } from '../mail/recipients.ts';
import { queueMail, senderOf } from '../mail/shop-mails.ts';
import { type LinkDeps, linkUrl, type MonthLink, readLink, shopOfRecipient } from './month-link.ts';

/** The mail with a new link in place of an expired one. */
export const LINK_MAIL = 'month-link';

const linkRef = z.object({ linkId: z.string() });

type MailDeps = LinkDeps & Pick<Message, 'replyTo'>;

/** Where mails of a link go: to its address, while the shop names that and mails may go there. */
async function openLink(deps: LinkDeps, id: string) {
  const link = await readLink(deps.pool, id);
  const reached = link && (await shopOfRecipient(deps, link, link.shopId));
  const isOpen = reached !== null && (await recipientState(deps.pool, { shopId: reached.shop.id, address: reached.address })).isOpen;
  return link !== null && reached !== null && isOpen ? { link, ...reached } : null;
}

/** It goes to the address of the expired link. */
export function linkMail(deps: MailDeps): MailBuilder {
  return async (ref) => {
    const open = await openLink(deps, linkRef.parse(ref).linkId);
    if (open === null) return null;
    const { shopId, month } = open.link;
    const { name: shop } = open.shop.details;
    const named = monthName(month, 'bg');
    const write = async ({ address }: Reader): Promise<Message | null> => {
      const url = await linkUrl(deps, { shopId, month, address });
      if (url === null) return null;
      return letterOf(deps, {
        ...{ to: address, shop, subject: `${shop}: нова връзка към месец ${named}` },
        lines: [
          `Поискана беше нова връзка към страницата за ${named} на „${shop}“. Предишната е изтекла.`,
          url,
          'Който има връзката, може да вижда и отбелязва месеците на магазина: не я препращайте на друг. Ако не сте я поискали, не правете нищо.',
          `${WAY_OUT.title} ${WAY_OUT.words}: ${wayOutOf(url)}`,
        ],
        english: `A new link to the page of ${month} of this shop was requested: the one before has expired. Anyone who has the link can see and mark the shop’s months: do not forward it.`,
      });
    };
    return { to: [open.address], write };
  };
}

const recipientRef = z.object({ shopId: z.string(), mark: z.string() });

/** Asks a recipient whether they want a shop's months, by the link that opens them once they do. */
export function recipientMail(deps: MailDeps): MailBuilder {
  return async (ref) => {
    const { shopId, mark } = recipientRef.parse(ref);
    const details = (await readAuditShop(deps.pool, shopId))?.details;
    const address = details && recipientsOf(details).find((one) => mailboxMark(deps.pool, one).toString('hex') === mark);
    if (details === undefined || address === undefined) return null;
    // They may have said it since it was queued.
    const { isOpen, isRefused } = await recipientState(deps.pool, { shopId, address });
    if (isOpen || isRefused) return null;
    const month = monthOf(sofiaDay(deps.now().toISOString()));
    const write = async (): Promise<Message | null> => {
      const url = await linkUrl(deps, { shopId, month, address });
      if (url === null) return null;
      return letterOf(deps, {
        ...{ to: address, shop: details.name, subject: `${details.name}: да ви изпращаме ли файла за НАП всеки месец?` },
        lines: [
          `Този адрес е посочен като получател на месечния файл за НАП на онлайн магазина „${details.name}“. Ако го искате, потвърдете тук:`,
          url,
          'Ако магазинът не е ваш, кажете го на същата страница или не правете нищо: тогава тук няма да дойде нищо друго.',
        ],
        english:
          'This address was given for the monthly file of an online shop. Confirm it on that page, or say there that the shop is not yours. If you do nothing, nothing else comes here.',
      });
    };
    return { to: [address], write };
  };
}

/** `shop`: in whose name it goes; null: in nobody's. `lines`: paragraphs, of which one may be a link. */
type Written = Pick<Message, 'subject'> & { to: string; shop: string | null; lines: readonly string[]; english: string };

function letterOf({ replyTo }: Pick<Message, 'replyTo'>, { to, shop, subject, lines, english }: Written): Message {
  const shown = (line: string) => (line.startsWith('http') ? html`<a href="${line}">${line}</a>` : line);
  const body = html`${lines.map((line) => html`<p>${shown(line)}</p>\n`)}<p lang="en">${english}</p>`;
  const words = { subject, html: htmlDocument({ lang: 'bg', title: subject, body }).markup, text: `${[...lines, english].join('\n\n')}\n` };
  return { to: [to], replyTo, senderName: shop === null ? null : senderOf(shop), ...words, attachments: [], images: [] };
}

/** A new link is mailed at most once in so many minutes. */
const PAUSE_MINUTES = 15;

// Of two at once the second waits, and sees that the first one mailed.
const LOCK = `select from compliance.month_links o where (o.shop_id, o.month, o.recipient) = (select l.shop_id, l.month, l.recipient from compliance.month_links l where l.id = $1)
  order by o.id for update`;

/** Mails a new link to the address that this one was mailed to, unless one was mailed just now, or the shop no longer names that address. */
export async function renewLink({ pool, now }: Pick<LinkDeps, 'pool' | 'now'>, { id, shopId, month }: MonthLink): Promise<void> {
  const at = now();
  await inTransaction(pool, async (tx) => {
    await tx.query(LOCK, [id]);
    const { rowCount } = await tx.query(
      `update compliance.month_links l set renewed_at = $2 where id = $1 and not exists (
         select from compliance.month_links o where o.shop_id = l.shop_id and o.month = l.month and o.recipient = l.recipient
           and o.renewed_at > $2::timestamptz - interval '${PAUSE_MINUTES} minutes')`,
      [id, at],
    );
    if (rowCount !== 1) return;
    await queueMail(tx, { kind: LINK_MAIL, ref: { linkId: id }, shopId, dedupKey: `${LINK_MAIL}/${id}/${at.toISOString()}`, now: at });
    await writeServiceActs(tx, [{ who: `link:${id}`, act: 'link.renewed', subject: `${shopId} ${month}` }]);
  });
}

/** The mail with a code, which opens all companies of its recipient in one browser. */
export const CODE_MAIL = 'month-code';

const linkCodes: MailCodes = { schema: 'compliance', owner: 'link' };

type Now = Pick<LinkDeps, 'pool' | 'now'>;

function codeOf({ now }: Now, { id, recipient }: MonthLink, browser: string) {
  return { ownerId: id, mailbox: Buffer.from(recipient), browser, at: now() };
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

/** It goes to the address of the link, while the code works. */
export function codeMail(deps: MailDeps): MailBuilder {
  return async (ref) => {
    const live = await liveCode(deps.pool, linkCodes, { id: codeRef.parse(ref).codeId, at: deps.now() });
    const open = live && (await openLink(deps, live.ownerId));
    if (live === null || open === null) return null;
    const { address: to, link } = open;
    const write = async () => {
      const url = await linkUrl(deps, { ...link, address: to });
      return letterOf(deps, {
        ...{ to, shop: null, subject: 'Код за месеците на всичките ви фирми' },
        lines: [
          shownCode(live.code),
          'С този код се отварят месеците на всички фирми, които ги изпращат на този адрес. Важи веднъж, 15 минути, в браузъра, от който е поискан.',
          'Ако не сте го поискали, не правете нищо и не го казвайте на никого.',
          ...(url === null ? [] : [`„${open.shop.details.name}“ не е ваш магазин? ${WAY_OUT.words}: ${wayOutOf(url)}`]),
        ],
        english:
          'This code opens the months of all companies that send them to this address: once, for 15 minutes, in the browser that asked for it. If you did not ask for it, do nothing, and tell it to nobody.',
      });
    };
    return { to: [to], write };
  };
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
