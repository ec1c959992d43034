import { z } from 'zod';
import { monthName } from '../../contract/local-text.ts';
import { mailboxMark } from '../../platform/mail/mail-address.ts';
import type { Message } from '../../platform/mail/mail-message.ts';
import type { MailBuilder, Reader } from '../../platform/mail/outbox.ts';
import { inTransaction } from '../../platform/postgres/postgres.ts';
import { html } from '../../web/html.ts';
import { htmlDocument } from '../../web/html-document.ts';
import { readAuditShop } from '../audit/month/shop-of-month.ts';
import { WAY_OUT, wayOutOf } from '../audit/summary/ways-to-act.ts';
import { monthOf, sofiaDay } from '../law/calendar.ts';
import { recipientState, recipientsOf } from '../mail/recipients.ts';
import { queueMail, senderOf } from '../mail/shop-mails.ts';
import { writeServiceActs } from '../trail/service-acts.ts';
import { type LinkDeps, linkUrl, type MonthLink, readLink, shopOfRecipient } from './month-link.ts';

/** The mail with a new link in place of an expired one. */
export const LINK_MAIL = 'month-link';

const linkRef = z.object({ linkId: z.string() });

/** It goes to the address of the expired link, and to nobody if the shop no longer names that address. */
export function linkMail(deps: LinkDeps & Pick<Message, 'replyTo'>): MailBuilder {
  return async (ref) => {
    const link = await readLink(deps.pool, linkRef.parse(ref).linkId);
    const reached = link === null ? null : await shopOfRecipient(deps, link, link.shopId);
    if (link === null || reached === null || !(await recipientState(deps.pool, { shopId: link.shopId, address: reached.address })).isOpen) return null;
    const { shop } = reached;
    const write = async ({ address }: Reader): Promise<Message | null> => {
      const url = await linkUrl(deps, { shopId: link.shopId, month: link.month, address });
      return url === null ? null : message({ to: address, replyTo: deps.replyTo, shop: shop.details.name, month: link.month, url });
    };
    return { to: [reached.address], write };
  };
}

type Written = { words: readonly string[]; url: string; after: readonly string[]; english: string };

function message({ to, replyTo, shop, month, url }: Pick<Message, 'replyTo'> & { to: string; shop: string; month: string; url: string }): Message {
  return letterOf(
    { to, replyTo, shop, subject: `${shop}: нова връзка към месец ${monthName(month, 'bg')}` },
    {
      words: [`Поискана беше нова връзка към страницата за ${monthName(month, 'bg')} на „${shop}“. Предишната е изтекла.`],
      url,
      after: [
        'Който има връзката, може да вижда и отбелязва месеците на магазина: не я препращайте на друг. Ако не сте я поискали, не правете нищо.',
        `${WAY_OUT.title} ${WAY_OUT.words}: ${wayOutOf(url)}`,
      ],
      english: `A new link to the page of ${month} of this shop was requested: the one before has expired. Anyone who has the link can see and mark the shop’s months: do not forward it.`,
    },
  );
}

const recipientRef = z.object({ shopId: z.string(), mark: z.string() });

/** Asks a recipient whether they want a shop's months, by the link that opens them once they do. */
export function recipientMail(deps: LinkDeps & Pick<Message, 'replyTo'>): MailBuilder {
  return async (ref) => {
    const { shopId, mark } = recipientRef.parse(ref);
    const shop = await readAuditShop(deps.pool, shopId);
    const address = shop === null ? undefined : recipientsOf(shop.details).find((one) => mailboxMark(one).toString('hex') === mark);
    if (shop === null || address === undefined) return null;
    // They may have said it since it was queued.
    const { isOpen, isRefused } = await recipientState(deps.pool, { shopId, address });
    if (isOpen || isRefused) return null;
    const month = monthOf(sofiaDay(deps.now().toISOString()));
    const write = async (): Promise<Message | null> => {
      const url = await linkUrl(deps, { shopId, month, address });
      return url === null ? null : asking({ to: address, replyTo: deps.replyTo, shop: shop.details.name, url });
    };
    return { to: [address], write };
  };
}

function asking({ to, replyTo, shop, url }: Pick<Message, 'replyTo'> & { to: string; shop: string; url: string }): Message {
  return letterOf(
    { to, replyTo, shop, subject: `${shop}: да ви изпращаме ли файла за НАП всеки месец?` },
    {
      words: [`Този адрес е посочен като получател на месечния файл за НАП на онлайн магазина „${shop}“. Ако го искате, потвърдете тук:`],
      url,
      after: ['Ако магазинът не е ваш, кажете го на същата страница или не правете нищо: тогава тук няма да дойде нищо друго.'],
      english:
        'This address was given for the monthly file of an online shop. Confirm it on that page, or say there that the shop is not yours. If you do nothing, nothing else comes here.',
    },
  );
}

type Head = Pick<Message, 'replyTo' | 'subject'> & { to: string; shop: string };

function letterOf({ to, replyTo, shop, subject }: Head, { words, url, after, english }: Written): Message {
  const body = html`${words.map((line) => html`<p>${line}</p>\n`)}<p><a href="${url}">${url}</a></p>
${after.map((line) => html`<p>${line}</p>\n`)}<p lang="en">${english}</p>`;
  return {
    to: [to],
    replyTo,
    senderName: senderOf(shop),
    subject,
    html: htmlDocument({ lang: 'bg', title: subject, body }).markup,
    text: `${[...words, url, ...after, english].join('\n\n')}\n`,
    attachments: [],
    images: [],
  };
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
