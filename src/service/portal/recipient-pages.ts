import { type MailboxState, mailboxMark } from '../../platform/mail/mailboxes.ts';
import { button, formTo } from '../../web/forms.ts';
import { html, nothing } from '../../web/html.ts';
import { formToken, type LinkDeps, shopOfRecipient } from '../links/month-link.ts';
import { recipientState, sayOfShop } from '../mail/recipients.ts';
import { unknownLink, type Visitor } from './enter.ts';
import { type PortalReply, plainPage } from './page-document.ts';
import { foreignForm, formOf, isOwnForm, type PortalDeps } from './page-replies.ts';

/** Whose mails they are; null: the shop names this recipient no more. */
async function mailsOf(links: LinkDeps, { link }: Visitor) {
  const reached = await shopOfRecipient(links, link, link.shopId);
  if (reached === null) return null;
  const key = { shopId: link.shopId, address: reached.address };
  return { key, name: reached.shop.details.name, state: await recipientState(links.pool, key) };
}

/** Of a recipient who has not confirmed that they want a shop's mails, or refused them, nothing else is opened. Null: it may be. */
export async function unconfirmedReply({ links }: PortalDeps, visitor: Visitor): Promise<PortalReply | null> {
  const mails = visitor.isExpired ? null : await mailsOf(links, visitor);
  return mails === null || mails.state.isOpen ? null : { goTo: visitor.paths.mails };
}

/** Whether a shop's mails come to the recipient, and what they can say of it. */
export async function mailsReply({ links }: PortalDeps, visitor: Visitor): Promise<PortalReply> {
  const mails = await mailsOf(links, visitor);
  return mails === null ? unknownLink(visitor.words) : { status: 200, page: mailsPage(links, visitor, mails) };
}

function mailsPage({ sealing }: LinkDeps, { words, paths, link }: Visitor, { name, state }: { name: string; state: MailboxState }): string {
  const { mails: say } = words;
  const form = (verb: string, press: string) => formTo(paths.mails, { hidden: { form: formToken(sealing, link.id), says: verb }, buttons: [button(press)] });
  const line = state.isRefused ? say.refused(name) : state.isOpen ? say.come(name) : say.asked(name);
  const action = state.isRefused
    ? form('resumed', say.mine)
    : html`${state.isOpen ? nothing : form('confirmed', say.yes)}${form('refused', say.notMine)}<p>${say.notMineHint}</p>`;
  return plainPage(words, { title: say.title, words: [line] }, action);
}

/** What they said. Wanted mails lead to the month, to which the link belongs. */
export async function sayReply({ links }: PortalDeps, visitor: Visitor): Promise<PortalReply> {
  if (!isOwnForm(visitor, links)) return foreignForm(visitor);
  const { words, paths, link } = visitor;
  const what = (['confirmed', 'refused', 'resumed'] as const).find((one) => one === formOf(visitor)['says']);
  const mails = await mailsOf(links, visitor);
  if (mails === null || what === undefined) return unknownLink(words);
  const isSaid = await sayOfShop(links.pool, { shopId: link.shopId, mailbox: mailboxMark(links.pool, mails.key.address), says: what, by: `link:${link.id}` });
  const { isRefused } = await recipientState(links.pool, mails.key);
  // Pressed twice, it is so already; pressed to and fro, it takes a while.
  if (!isSaid && isRefused !== (what === 'refused'))
    return { status: 429, page: plainPage(words, { title: words.mails.title, words: [words.mails.wait] }), headers: { 'retry-after': '60' } };
  return { goTo: what === 'confirmed' ? paths.link : paths.mails };
}
