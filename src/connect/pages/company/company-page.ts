import type { Form } from '../../../console/base/page.ts';
import { chooseShop, nameAtService, offeredShops, unchooseShop } from '../../../operations/onboarding/choose-shop.ts';
import { COMPANY_FIELDS, isTypedUic, type TypedCompany } from '../../../operations/onboarding/company-fields.ts';
import { confirmLink } from '../../../operations/onboarding/confirm-company.ts';
import { connectAddress } from '../../../operations/onboarding/connect-address.ts';
import { type MadeShop, makeShop } from '../../../operations/onboarding/make-shop.ts';
import { merchantMailWords } from '../../../operations/onboarding/merchant-mail-words.ts';
import { isAskedForMailbox, keepMailbox, mailboxOf } from '../../../operations/onboarding/own-mailbox.ts';
import { type Company, companyOf, saveCompany, typedOf } from '../../../operations/onboarding/own-shop.ts';
import type { ConnectPage, ConnectReply, Visit } from '../../base/connect-page.ts';
import { type CompanyTried, companyForm, givenView, NOT_TRIED, offeredView, waitsView } from './company-view.ts';
import { knownOfCompany } from './known-of-company.ts';

/** `/connect/{token}/company`: whose sales these are. The company number is asked first; the shop is made once, whatever is pressed twice. */
export const companyPage: ConnectPage = { path: '/company', of: 'company', get: (visit) => shown(visit, NOT_TRIED), post: act };

async function shown(visit: Visit, tried: CompanyTried): Promise<ConnectReply> {
  const { words, onboarding, base, deps } = visit;
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
function standingOf({ company: confirmed }: Visit['onboarding'], { shop, refused, named }: Company, typed: TypedCompany) {
  return { isMade: shop !== null, isRefused: refused, isConfirmed: confirmed !== null && named === null && typed.companyName !== '' };
}

function canMail({ entry, config }: Visit['deps']): boolean {
  return entry.post !== null && config.publicUrl !== null;
}

async function act(visit: Visit, form: Form): Promise<ConnectReply> {
  if (form.text('verb') === 'choose') {
    await chooseShop(visit.deps, visit.onboarding, form.text('shop'));
    return { goTo: visit.base };
  }
  if (form.text('verb') === 'unchoose') {
    await unchooseShop(visit.deps, visit.onboarding);
    return { goTo: `${visit.base}/company` };
  }
  if (form.text('verb') === 'mail-again') return waits(visit);
  if (form.text('verb') === 'unask') {
    await saveCompany(visit.deps, visit.onboarding.id, () => ({ company: { waits: null } }));
    return { goTo: `${visit.base}/company` };
  }
  if (form.text('verb') === 'mail') return keepMail(visit, form.text('mailTo'));
  return form.text('verb') === 'uic' ? checkUic(visit, form.text('companyUic')) : save(visit, form);
}

async function checkUic(visit: Visit, companyUic: string): Promise<ConnectReply> {
  await saveCompany(visit.deps, visit.onboarding.id, ({ typed }) => ({ company: { typed: { ...typed, companyUic } } }));
  return isTypedUic(companyUic) ? { goTo: `${visit.base}/company` } : again(visit, { status: 422, wrong: ['companyUic'] }, { companyUic });
}

async function keepMail(visit: Visit, mailTo: string): Promise<ConnectReply> {
  const isKept = await keepMailbox(visit.deps, visit.onboarding.id, mailTo);
  return isKept ? { goTo: visit.base } : shown(visit, { status: 422, wrong: ['mailTo'], mailTo });
}

async function save(visit: Visit, form: Form): Promise<ConnectReply> {
  const { deps, onboarding, by, base, words } = visit;
  const typed = Object.fromEntries(COMPANY_FIELDS.map((field) => [field, form.text(field)])) as TypedCompany;
  const mailTo = isAskedForMailbox(onboarding) ? form.text('mailTo') : null;
  const made = await makeShop(deps, onboarding, { typed, mailTo, by });
  if (made.is === 'waits') return waits(visit);
  return made.is === 'made' ? { goTo: base } : again(visit, { ...triedOf(made, words.company), ...(mailTo === null ? {} : { mailTo }) }, typed);
}

/** His mailbox is asked, if there is one: behind the answer, so that nobody learns anything by waiting. */
async function waits({ deps, onboarding, base }: Visit): Promise<ConnectReply> {
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
function mailboxAsked(onboarding: Visit['onboarding'], { mailTo }: CompanyTried, proposed = ''): string | null {
  if (!isAskedForMailbox(onboarding)) return null;
  return mailTo ?? onboarding.mailTo ?? (onboarding.done.includes('company') ? '' : proposed);
}

/** The form with what he typed just now. */
function again(visit: Visit, tried: CompanyTried, typed: Partial<TypedCompany>): Promise<ConnectReply> {
  const { onboarding } = visit;
  const company = companyOf(onboarding);
  const progress = { ...onboarding.progress, company: { ...company, typed: { ...company.typed, ...typed } } };
  return shown({ ...visit, onboarding: { ...onboarding, progress } }, tried);
}

function triedOf(made: Exclude<MadeShop, { is: 'made' | 'waits' }>, say: Visit['words']['company']): CompanyTried {
  if (made.is === 'wrong') return { status: 422, wrong: made.fields };
  if (made.is === 'refused') return { status: 422, wrong: made.fields, why: say.refused(made.words) };
  if (made.is === 'other-company') return { status: 422, wrong: ['companyUic'], why: say.otherCompany(made.uic) };
  return { status: made.is === 'down' ? 503 : 409, wrong: [], why: say[made.is] };
}
