import { emailAddress } from '../../../contract/email-address.ts';
import { allGrantableApps } from '../../../operations/apps/grantable-apps.ts';
import { isTypedUic, plainUic } from '../../../operations/onboarding/company-fields.ts';
import { connectAddress } from '../../../operations/onboarding/connect-address.ts';
import { type Invitation, inviteMerchant, listInvitations } from '../../../operations/onboarding/invitations.ts';
import { merchantMailWords } from '../../../operations/onboarding/merchant-mail-words.ts';
import { type NamedShop, namedShops } from '../../../operations/people/named-shops.ts';
import { html, nothing } from '../../../web/html.ts';
import type { Form, Page, PageContext, Reply, Shown } from '../../base/page.ts';
import { type Inviting, invitationsView } from './invitations-view.ts';

/** `/console/stores/invitations`: who may connect a store by a link; an owner invites others. */
export const invitationsPage: Page = {
  path: '/stores/invitations',
  right: 'stores.change',
  get: (context) => shown(context, null),
  post: { right: 'stores.change', act: invite },
};

async function invite(context: PageContext, form: Form): Promise<Reply> {
  const { deps, by } = context;
  const typed = { email: form.text('email'), shop: form.text('shop'), company: form.text('company'), app: form.text('app'), lang: form.text('lang') };
  const wrong = [
    ...(typed.email !== '' && !emailAddress.safeParse(typed.email).success ? (['email'] as const) : []),
    ...(typed.company !== '' && !isTypedUic(typed.company) ? (['company'] as const) : []),
  ];
  if (wrong.length > 0) return { ...(await shown(context, { ...typed, wrong })), status: 422 };
  const lang = typed.lang === 'bg' || typed.lang === 'en' ? typed.lang : null;
  const email = typed.email === '' ? null : typed.email;
  const shopId = typed.shop === '' ? null : typed.shop;
  // Of a shop that is given the company is known.
  const company = shopId !== null || typed.company === '' ? null : plainUic(typed.company);
  const { token, others } = await inviteMerchant(deps, { email, shopId, company, app: typed.app === '' ? null : typed.app, lang, by });
  return handOver(context, { email, lang, token }, others);
}

/** The link, shown once, and mailed if there is a mail server. It is in no address of a page. */
export async function handOver(
  { deps, words }: PageContext,
  { email, lang, token }: Pick<Invitation, 'email' | 'lang'> & { token: string },
  others: readonly string[] = [],
): Promise<Shown> {
  const url = connectAddress(await deps.stores.base(), token);
  const isMailed = email !== null && canMail(deps);
  if (isMailed) deps.entry.post?.(async () => ({ to: email, ...merchantMailWords(lang).invited(url) }));
  const { invitations: say } = words;
  return {
    title: say.linkTitle,
    place: 'stores',
    body: html`<p role="status">${isMailed ? say.linkMailed : say.link}</p>
<p class="link"><code>${url}</code></p>
${others.length === 0 ? nothing : html`<p class="notice">${say.others(others.join(', '))}</p>\n`}<p><a href="/console/stores/invitations">${say.back}</a></p>`,
  };
}

function canMail({ entry, config }: PageContext['deps']): boolean {
  return entry.post !== null && config.publicUrl !== null;
}

async function shown(context: PageContext, tried: Inviting | null): Promise<Shown> {
  const { deps, words } = context;
  const [invitations, shops, apps] = await Promise.all([listInvitations(deps), freeShops(context), allGrantableApps(deps)]);
  const body = invitationsView({ words, invitations, shops, apps: apps.map(({ id }) => id), isOurs: deps.service !== null, canMail: canMail(deps), tried });
  return { title: words.invitations.title, place: 'stores', body };
}

/** A shop has one store. */
async function freeShops({ deps }: PageContext): Promise<NamedShop[]> {
  const [shops, connections] = await Promise.all([namedShops(deps), deps.connections.list()]);
  const taken = new Set(connections.flatMap(({ shopId, closedAt }) => (closedAt === null ? [shopId] : [])));
  return shops.filter(({ id }) => !taken.has(id));
}
