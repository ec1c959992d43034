import { z } from 'zod';
import { withoutEndSlashes } from '../../bridge/storefronts/store-host.ts';
import type { Form } from '../../console/base/page.ts';
import { momentName } from '../../console/frame/parts.ts';
import { chooseShop, nameAtService, type OfferedShop, offeredShops, unchooseShop } from '../../operations/onboarding/choose-shop.ts';
import { confirmLink, isAskedForMailbox, keepMailbox, mailboxOf } from '../../operations/onboarding/confirm-company.ts';
import { type MadeShop, makeShop } from '../../operations/onboarding/make-shop.ts';
import { canMail, merchantMail } from '../../operations/onboarding/merchant-mail.ts';
import { connectAddress, type Onboarding } from '../../operations/onboarding/onboarding.ts';
import {
  COMPANY_FIELDS,
  type Company,
  type CompanyField,
  companyOf,
  isTypedUic,
  saveCompany,
  type TypedCompany,
  typedOf,
} from '../../operations/onboarding/own-company.ts';
import { onboardingOf } from '../../operations/onboarding/store.ts';
import { attributes } from '../../web/attributes.ts';
import { button, choices, field, formTo } from '../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../web/html.ts';
import type { ConnectContext, ConnectPage, ConnectReply } from '../base/connect-page.ts';
import type { Words } from '../messages/messages.ts';

const completions: Partial<Record<CompanyField, string>> = { companyName: 'organization', customerPhone: 'tel', customerEmail: 'email' };

const text = z.string().nullable().catch(null);
const store = z.object({ home: text, url: text, name: text }).catch({ home: null, url: null, name: null });
const NOT_TRIED: CompanyTried = { status: 200, wrong: [] };

/** `/connect/{token}/company`: whose sales these are. The company number is asked first; the shop is made once, whatever is pressed twice. */
export const companyPage: ConnectPage = { path: '/company', of: 'company', code: 'started', get: (context) => shown(context, NOT_TRIED), post: act };

async function shown(context: ConnectContext, tried: CompanyTried): Promise<ConnectReply> {
  const { words, onboarding, base, deps } = context;
  const company = companyOf(onboarding);
  const title = words.company.title;
  if (onboarding.shopId !== null && company.shop === null) {
    const name = (await nameAtService(deps, onboarding.shopId)) ?? words.company.unnamed(onboarding.shopId);
    const chosen = company.chosen === null ? null : { isFinal: onboarding.connectionId !== null };
    // Where their company was mailed before is nothing that they are shown.
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

/** What their form says above it. */
function standingOf({ company: confirmed }: ConnectContext['onboarding'], { shop, refused, named }: Company, typed: TypedCompany) {
  return { isMade: shop !== null, isRefused: refused, isConfirmed: confirmed !== null && named === null && typed.companyName !== '' };
}

async function act(context: ConnectContext, form: Form): Promise<ConnectReply> {
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

async function checkUic(context: ConnectContext, companyUic: string): Promise<ConnectReply> {
  await saveCompany(context.deps, context.onboarding.id, ({ typed }) => ({ company: { typed: { ...typed, companyUic } } }));
  return isTypedUic(companyUic) ? { goTo: `${context.base}/company` } : again(context, { status: 422, wrong: ['companyUic'] }, { companyUic });
}

async function keepMail(context: ConnectContext, mailTo: string): Promise<ConnectReply> {
  const isKept = await keepMailbox(context.deps, context.onboarding.id, mailTo);
  if (!isKept) return shown(context, { status: 422, wrong: ['mailTo'], mailTo });
  askMailbox(context);
  return { goTo: context.base };
}

async function save(context: ConnectContext, form: Form): Promise<ConnectReply> {
  const { deps, onboarding, by, base, words } = context;
  const typed = Object.fromEntries(COMPANY_FIELDS.map((field) => [field, form.text(field)])) as TypedCompany;
  const mailTo = isAskedForMailbox(onboarding) ? form.text('mailTo') : null;
  const made = await makeShop(deps, onboarding, { typed, mailTo, by });
  if (made.is === 'waits') return waits(context);
  if (made.is === 'made') askMailbox(context);
  return made.is === 'made' ? { goTo: base } : again(context, { ...triedOf(made, words.company), ...(mailTo === null ? {} : { mailTo }) }, typed);
}

function waits(context: ConnectContext): ConnectReply {
  askMailbox(context);
  return { goTo: `${context.base}/company` };
}

/** Their mailbox is asked, if it has something to confirm: behind the answer, so that nobody learns anything by waiting. */
function askMailbox({ deps, onboarding }: ConnectContext): void {
  if (!canMail(deps)) return;
  deps.entry.post?.(async () => {
    const link = await confirmLink(deps, onboarding.id);
    if (link === null) return null;
    const { to, company, token } = link;
    const address = connectAddress(await deps.stores.base(), token);
    return { to, ...merchantMail(onboarding.lang, (words) => (company === null ? words.mailbox(address) : words.company(company, address))) };
  });
}

/** What the field for their mailbox shows; null: it is not there. Until they have answered, the mailbox of their company is proposed. */
function mailboxAsked(onboarding: ConnectContext['onboarding'], { mailTo }: CompanyTried, proposed = ''): string | null {
  if (!isAskedForMailbox(onboarding)) return null;
  return mailTo ?? onboarding.mailTo ?? (onboarding.done.includes('company') ? '' : proposed);
}

/** The form with what they typed just now. */
function again(context: ConnectContext, tried: CompanyTried, typed: Partial<TypedCompany>): Promise<ConnectReply> {
  const { onboarding } = context;
  const company = companyOf(onboarding);
  const progress = { ...onboarding.progress, company: { ...company, typed: { ...company.typed, ...typed } } };
  return shown({ ...context, onboarding: { ...onboarding, progress } }, tried);
}

function triedOf(made: Exclude<MadeShop, { is: 'made' | 'waits' }>, say: ConnectContext['words']['company']): CompanyTried {
  if (made.is === 'wrong') return { status: 422, wrong: made.fields };
  if (made.is === 'refused') return { status: 422, wrong: made.fields, why: say.refused(made.words) };
  if (made.is === 'other-company') return { status: 422, wrong: ['companyUic'], why: say.otherCompany(made.uic) };
  return { status: made.is === 'down' ? 503 : 409, wrong: [], why: say[made.is] };
}

/** What came of the form. `why`: beside what is wrong with fields. `mailTo`: what they typed as their mailbox. */
type CompanyTried = { status: number; wrong: readonly (CompanyField | 'mailTo')[]; why?: string; mailTo?: string };

type Place = { words: Words; base: string };

/** `chosen`: they chose it themselves; `isFinal`: their store is connected to it by now. `mailbox` null: they are not asked for one. */
type CompanyFormState = Place & { name: string; mailbox: string | null; chosen: { isFinal: boolean } | null };

function givenView({ words, base, name, mailbox, chosen }: CompanyFormState, wrong: CompanyTried['wrong'] = []): Html {
  const { company: say } = words;
  const to = `${base}/company`;
  const unchoose = formTo(to, { class: 'verbs', buttons: [button(say.chooseAgain, { class: 'second', name: 'verb', value: 'unchoose' })] });
  return html`<p>${say.given(name)}</p>
<p class="soft">${chosen === null ? say.givenHint : chosen.isFinal ? say.chosenFinal : say.chosen}</p>
${chosen === null || chosen.isFinal ? nothing : unchoose}${
  mailbox === null
    ? html`<p class="verbs"><a class="verb" href="${base}">${say.next}</a></p>`
    : formTo(to, { body: mailboxField({ words, mailbox, wrong }), buttons: [button(say.next, { name: 'verb', value: 'mail' })] })
}`;
}

/** No matter who has the company, they see the same. `mailbox`: where they are written to; null: they can't be. */
function waitsView({ words: { company: say }, base, company, mailbox }: Place & { company: string; mailbox: string | null }): Html {
  const verb = (value: string, text: string) => button(text, { class: 'second', name: 'verb', value });
  const buttons = [...(mailbox === null ? [] : [verb('mail-again', say.waits.again)]), verb('unask', say.waits.change)];
  return html`<p role="status">${say.waits.words(company)}</p>
<p>${mailbox === null ? say.waits.unmailed : say.waits.mailed(mailbox)}</p>
<p class="verbs"><a class="verb" href="${base}/company">${say.waits.look}</a></p>
<p class="soft">${say.waits.goesOn}</p>
${formTo(`${base}/company`, { class: 'verbs', buttons })}`;
}

/** The shops that they may choose, and the form for a new one. */
function offeredView({ words: { company: say, lang }, base, offered, form }: Place & { offered: readonly OfferedShop[]; form: Html }): Html {
  if (offered.length === 0) return form;
  const one = ({ shopId, name, until }: OfferedShop) => {
    const press = button(until === null ? say.choose : say.same, { name: 'verb', value: 'choose' });
    const buttons = [html`<span>${name ?? say.unnamed(shopId)}</span> `, press];
    return html`<li>${formTo(`${base}/company`, { class: 'verbs', hidden: { shop: shopId }, buttons })}</li>`;
  };
  const list = (shops: readonly OfferedShop[]) => html`<ul class="reasons">
${lines(shops.map(one))}</ul>
`;
  const [before, others] = [offered.filter(({ until }) => until !== null), offered.filter(({ until }) => until === null)];
  const [last] = before;
  return html`${last?.until == null ? nothing : html`<h2>${say.before}</h2>\n<p>${say.beforeHint(momentName(last.until, lang))}</p>\n${list(before)}`}${
    others.length === 0 ? nothing : html`<h2>${say.offered}</h2>\n<p class="soft">${say.offeredHint}</p>\n${list(others)}`
  }${before.length === 0 ? nothing : html`<h2>${say.another}</h2>\n<p class="soft">${say.anotherHint}</p>\n`}${form}`;
}

/** `mailbox`: what the field for it shows; null: they are not asked for it. */
type CompanyForm = Place & { typed: TypedCompany; isMade: boolean; isConfirmed: boolean; isRefused: boolean; tried: CompanyTried; mailbox: string | null };

/** The company number alone until it is right; then all of it. */
function companyForm(form: CompanyForm): Html {
  const { words, base, typed, isMade, isConfirmed, isRefused, tried } = form;
  const { company: say } = words;
  const one = (name: CompanyField, type?: string) => fieldOf(form, name, type);
  if (!isTypedUic(typed.companyUic) && tried.wrong.length <= 1) {
    const refused = isRefused && tried.status === 200 ? html`<p class="notice" role="alert">${say.unconfirmed}</p>\n` : nothing;
    return html`${refused}<p>${say.introUic}</p>
${formTo(`${base}/company`, { body: one('companyUic'), buttons: [button(say.check, { name: 'verb', value: 'uic' })] })}`;
  }
  const body = html`${lines([one('companyUic'), one('companyName'), one('companyAddress'), vatChoice(form), one('nraNumber')])}${noNumber(words)}
${lines([one('domain'), one('name'), one('customerPhone', 'tel'), one('customerEmail', 'email'), one('auditRecipientEmails'), one('auditGenerationDay'), mailboxField({ ...form, wrong: tried.wrong })])}${isMade ? nothing : startNumber(form)}`;
  return html`${banner(tried, words)}${isMade ? html`<p class="notice">${say.made}</p>\n` : isConfirmed ? html`<p class="notice" role="status">${say.confirmed}</p>\n` : nothing}<p>${say.intro}</p>
${formTo(`${base}/company`, { body, buttons: [button(say.save, { name: 'verb', value: 'save' })] })}`;
}

function banner({ wrong, why }: CompanyTried, { company: say }: Words): Html {
  const all = [...(why === undefined ? [] : [why]), ...(wrong.length === 0 ? [] : [say.wrongAbove(wrong.length)])];
  if (all.length === 0) return nothing;
  return html`<div class="banner failing" role="alert">${all.map((each) => html`<p>${each}</p>`)}</div>\n`;
}

function fieldOf({ words: { company: say }, typed, tried }: CompanyForm, name: CompanyField, type = 'text'): Html {
  const { label, hint, wrong } = say.fields[name];
  const isWrong = tried.wrong.includes(name);
  const isFine = name === 'companyUic' && !isWrong && isTypedUic(typed.companyUic);
  const more = {
    hint: isFine ? say.uicFine : hint,
    problem: isWrong ? (typed[name] === '' && name === 'nraNumber' ? say.nothing : wrong) : null,
    autocomplete: completions[name] ?? 'off',
  };
  return field({ name, label, value: typed[name], type, ...more });
}

function mailboxField({ words: { company: say }, mailbox, wrong }: Pick<CompanyForm, 'words' | 'mailbox'> & Pick<CompanyTried, 'wrong'>): Html {
  if (mailbox === null) return nothing;
  const { label, hint, wrong: problem } = say.mailTo;
  return field({ name: 'mailTo', label, hint, value: mailbox, type: 'email', autocomplete: 'email', problem: wrong.includes('mailTo') ? problem : null });
}

function vatChoice({ words: { company: say }, typed, tried }: CompanyForm): Html {
  const { label, wrong } = say.fields.vat;
  const ways = [['yes', say.vat.yes] as const, ['no', say.vat.no, html` <span class="hint">${say.vat.noMeans}</span>`] as const];
  return choices({ name: 'vat', legend: label, ways, chosen: typed.vat, problem: tried.wrong.includes('vat') ? wrong : null });
}

function noNumber({ company: { noNumber: say } }: Words): Html {
  return html`<details class="form"><summary>${say.title}</summary>
${lines(say.words.map((each) => html`<p>${each}</p>`))}</details>`;
}

/** Seldom needed, so it is folded away. */
function startNumber(form: CompanyForm): Html {
  const isOpen = form.typed.receiptStartNumber !== '';
  return html`<details class="form"${attributes({ open: isOpen })}><summary>${form.words.company.earlierDocuments}</summary>
${fieldOf(form, 'receiptStartNumber')}
</details>`;
}

/** What their store and their invitation say already. */
function knownOfCompany({ progress, email, platform }: Pick<Onboarding, 'progress' | 'email' | 'platform'>): Partial<TypedCompany> {
  const { home, url, name } = store.parse(progress['store'] ?? {});
  return {
    ...{ auditGenerationDay: '10', customerEmail: email ?? '', name: name ?? '' },
    // Where a platform has addresses of its own, customers know the shop by another one.
    domain: onboardingOf(platform)?.addressHint === undefined ? withoutEndSlashes((home ?? url ?? '').replace(/^https?:\/\//, '')) : '',
  };
}
