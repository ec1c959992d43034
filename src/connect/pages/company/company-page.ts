import type { Form } from '../../../console/base/page.ts';
import { chooseShop, nameAtService, offeredShops, unchooseShop } from '../../../operations/onboarding/choose-shop.ts';
import { COMPANY_FIELDS, isTypedUic, type TypedCompany } from '../../../operations/onboarding/company-fields.ts';
import { confirmLink } from '../../../operations/onboarding/confirm-company.ts';
import { connectAddress } from '../../../operations/onboarding/connect-address.ts';
import { type MadeShop, makeShop } from '../../../operations/onboarding/make-shop.ts';
import { merchantMailWords } from '../../../operations/onboarding/merchant-mail-words.ts';
import { isAskedForMailbox, keepMailbox, mailboxOf } from '../../../operations/onboarding/own-mailbox.ts';
import { type Company, companyOf, saveCompany, typedOf } from '../../../operations/onboarding/own-shop.ts';
import type { ConnectPage, ConnectReply, PageContext } from '../../base/connect-page.ts';
import { type CompanyTried, companyForm, givenView, NOT_TRIED, offeredView, waitsView } from './company-view.ts';
import { knownOfCompany } from './known-of-company.ts';

/** `/connect/{token}/company`: whose sales these are. The company number is asked first; the shop is made once, whatever is pressed twice. */
export const companyPage: ConnectPage = { path: '/company', of: 'company', get: (context) => shown(context, NOT_TRIED), post: act };

async function shown(context: PageContext, tried: CompanyTried): Promise<ConnectReply> {
  const { words, onboarding, base, deps } = context;
  const company = companyOf(onboarding);
  const title = words.company.title;
  if (onboarding.shopId !== null && company.shop === null) {
    const name = (await nameAtService(deps, onboarding.shopId)) ?? words.company.unnamed(onboarding.shopId);
    const chosen = company.chosen === null ? null : { isFinal: onboarding.connectionId !== null };
    // Where his company was mailed before is nothing that he is shown.
    const mailbox = company.mailsAsBefore ? null : mailboxAsked(onboarding, tried);
    return { status: tried.status, title, body: givenView({ words, base, name, mailbox, chosen }, tried.wrong) };
  }
  if (company.waits !== null && tried === NOT_TRIED) {
    const mailbox = canMail(deps) ? mailboxOf(onboarding) : null;
    return { title, body: waitsView({ words, base, company: company.waits.company, mailbox }) };
  }
  const offered = company.shop === null ? await offeredShops(deps, onboarding) : [];
  const typed = typedOf(company, knownOfCompany(onboarding));
  const form = companyForm({
    words,
    base,
    typed,
    ...standingOf(onboarding, company, typed),
    tried,
    mailbox: mailboxAsked(onboarding, tried, typed.customerEmail),
  });
  return { status: tried.status, title, body: offeredView({ words, base, offered, form }) };
}

/** What his form says above it. */
function standingOf({ company: confirmed }: PageContext['onboarding'], { shop, refused, named }: Company, typed: TypedCompany) {
  return { isMade: shop !== null, isRefused: refused, isConfirmed: confirmed !== null && named === null && typed.companyName !== '' };
}

function canMail({ entry, config }: PageContext['deps']): boolean {
  return entry.post !== null && config.publicUrl !== null;
}

async function act(context: PageContext, form: Form): Promise<ConnectReply> {
  if (form.text('verb') === 'choose') {
    await chooseShop(context.deps, context.onboarding, form.text('shop'));
    return { goTo: context.base };
  }
  if (form.text('verb') === 'unchoose') {
    await unchooseShop(context.deps, context.onboarding);
    return { goTo: `${context.base}/company` };
  }
  if (form.text('verb') === 'mail-again') return waits(context);
  if (form.text('verb') === 'unask') {
    await saveCompany(context.deps, context.onboarding.id, () => ({ company: { waits: null } }));
    return { goTo: `${context.base}/company` };
  }
  if (form.text('verb') === 'mail') return keepMail(context, form.text('mailTo'));
  return form.text('verb') === 'uic' ? checkUic(context, form.text('companyUic')) : save(context, form);
}

async function checkUic(context: PageContext, companyUic: string): Promise<ConnectReply> {
  await saveCompany(context.deps, context.onboarding.id, ({ typed }) => ({ company: { typed: { ...typed, companyUic } } }));
  return isTypedUic(companyUic) ? { goTo: `${context.base}/company` } : again(context, { status: 422, wrong: ['companyUic'] }, { companyUic });
}

async function keepMail(context: PageContext, mailTo: string): Promise<ConnectReply> {
  const isKept = await keepMailbox(context.deps, context.onboarding.id, mailTo);
  return isKept ? { goTo: context.base } : shown(context, { status: 422, wrong: ['mailTo'], mailTo });
}

async function save(context: PageContext, form: Form): Promise<ConnectReply> {
  const { deps, onboarding, by, base, words } = context;
  const typed = Object.fromEntries(COMPANY_FIELDS.map((field) => [field, form.text(field)])) as TypedCompany;
  const mailTo = isAskedForMailbox(onboarding) ? form.text('mailTo') : null;
  const made = await makeShop(deps, onboarding, { typed, mailTo, by });
  if (made.is === 'waits') return waits(context);
  return made.is === 'made' ? { goTo: base } : again(context, { ...triedOf(made, words.company), ...(mailTo === null ? {} : { mailTo }) }, typed);
}

/** His mailbox is asked, if there is one: behind the answer, so that nobody learns anything by waiting. */
async function waits({ deps, onboarding, base }: PageContext): Promise<ConnectReply> {
  if (canMail(deps))
    deps.entry.post?.(async () => {
      const link = await confirmLink(deps, onboarding.id);
      if (link === null) return null;
      const { to, company, token } = link;
      return { to, ...merchantMailWords(onboarding.lang).company(company, connectAddress(await deps.stores.base(), token)) };
    });
  return { goTo: `${base}/company` };
}

/** What the field for his mailbox shows; null: it is not there. Until he has answered, the mailbox of his company is proposed. */
function mailboxAsked(onboarding: PageContext['onboarding'], { mailTo }: CompanyTried, proposed = ''): string | null {
  if (!isAskedForMailbox(onboarding)) return null;
  return mailTo ?? onboarding.mailTo ?? (onboarding.done.includes('company') ? '' : proposed);
}

/** The form with what he typed just now. */
function again(context: PageContext, tried: CompanyTried, typed: Partial<TypedCompany>): Promise<ConnectReply> {
  const { onboarding } = context;
  const company = companyOf(onboarding);
  const progress = { ...onboarding.progress, company: { ...company, typed: { ...company.typed, ...typed } } };
  return shown({ ...context, onboarding: { ...onboarding, progress } }, tried);
}

function triedOf(made: Exclude<MadeShop, { is: 'made' | 'waits' }>, say: PageContext['words']['company']): CompanyTried {
  if (made.is === 'wrong') return { status: 422, wrong: made.fields };
  if (made.is === 'refused') return { status: 422, wrong: made.fields, why: say.refused(made.words) };
  if (made.is === 'other-company') return { status: 422, wrong: ['companyUic'], why: say.otherCompany(made.uic) };
  return { status: made.is === 'down' ? 503 : 409, wrong: [], why: say[made.is] };
}
