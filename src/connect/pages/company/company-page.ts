import type { Form } from '../../../console/base/page.ts';
import { chooseShop, nameAtService, offeredShops, unchooseShop } from '../../../operations/onboarding/choose-shop.ts';
import { COMPANY_FIELDS, isTypedUic, type TypedCompany } from '../../../operations/onboarding/company-fields.ts';
import { type MadeShop, makeShop } from '../../../operations/onboarding/make-shop.ts';
import { isAskedForMailbox, keepMailbox } from '../../../operations/onboarding/own-mailbox.ts';
import { companyOf, saveCompany, typedOf } from '../../../operations/onboarding/own-shop.ts';
import type { ConnectPage, ConnectReply, Visit } from '../../base/connect-page.ts';
import { type CompanyTried, companyForm, givenView, NOT_TRIED, offeredView } from './company-view.ts';
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
  const offered = company.shop === null ? await offeredShops(deps, onboarding) : [];
  const typed = typedOf(company, knownOfCompany(onboarding));
  const form = companyForm({ words, base, typed, isMade: company.shop !== null, tried, mailbox: mailboxAsked(onboarding, tried, typed.customerEmail) });
  return { status: tried.status, title, body: offeredView({ words, base, offered, form }) };
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
  return made.is === 'made' ? { goTo: base } : again(visit, { ...triedOf(made, words.company), ...(mailTo === null ? {} : { mailTo }) }, typed);
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

function triedOf(made: Exclude<MadeShop, { is: 'made' }>, say: Visit['words']['company']): CompanyTried {
  if (made.is === 'wrong') return { status: 422, wrong: made.fields };
  if (made.is === 'refused') return { status: 422, wrong: made.fields, why: say.refused(made.words) };
  return { status: made.is === 'down' ? 503 : 409, wrong: [], why: say[made.is] };
}
