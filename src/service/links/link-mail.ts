import { z } from 'zod';
import type { Message } from '../../platform/mail/mail-message.ts';
import type { MailBuilder, Reader } from '../../platform/mail/outbox.ts';
import { html } from '../../web/html.ts';
import { htmlDocument } from '../../web/html-document.ts';
import { monthText } from '../bulgarian/day-text.ts';
import { shopOfRecipient } from './link-recipients.ts';
import { linkUrl } from './link-url.ts';
import { type LinkDeps, readLink } from './month-link.ts';

/** The mail with a new link in place of an expired one. */
export const LINK_MAIL = 'month-link';

const linkRef = z.object({ linkId: z.string() });

/** It goes to the address of the expired link, and to nobody if the shop no longer names that address. */
export function linkMail(deps: LinkDeps & Pick<Message, 'replyTo'>): MailBuilder {
  return async (ref) => {
    const link = await readLink(deps.pool, linkRef.parse(ref).linkId);
    const reached = link === null ? null : await shopOfRecipient(deps, link, link.shopId);
    if (link === null || reached === null) return null;
    const { shop } = reached;
    const write = async ({ address }: Reader): Promise<Message | null> => {
      const url = await linkUrl(deps, { shopId: link.shopId, month: link.month, address });
      return url === null ? null : message({ to: address, replyTo: deps.replyTo, shop: shop.details.name, month: link.month, url });
    };
    return { to: [reached.address], write };
  };
}

type Written = Pick<Message, 'replyTo'> & { to: string; shop: string; month: string; url: string };

function message({ to, replyTo, shop, month, url }: Written): Message {
  const subject = `${shop}: нова връзка към месец ${monthText(month)}`;
  const words = `Поискана беше нова връзка към страницата за ${monthText(month)} на „${shop}“. Предишната е изтекла.`;
  const caution = 'Който има връзката, може да вижда и отбелязва месеците на магазина: не я препращайте на друг. Ако не сте я поискали, не правете нищо.';
  const english = `A new link to the page of ${month} of this shop was requested: the one before has expired. Whoever has the link can see and mark the shop’s months: do not forward it.`;
  const body = html`<p>${words}</p>
<p><a href="${url}">${url}</a></p>
<p>${caution}</p>
<p lang="en">${english}</p>`;
  return {
    to: [to],
    replyTo,
    senderName: shop,
    subject,
    html: htmlDocument({ lang: 'bg', title: subject, body }).markup,
    text: `${[words, url, caution, english].join('\n\n')}\n`,
    attachments: [],
    images: [],
  };
}
