import { field, momentName } from '../../../console/frame/parts.ts';
import type { OfferedShop } from '../../../operations/onboarding/choose-shop.ts';
import { type CompanyField, isTypedUic, type TypedCompany } from '../../../operations/onboarding/company-fields.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import type { Words } from '../../words/words.ts';

/** What came of the form. `why`: beside what is wrong with fields. `mailTo`: what he typed as his mailbox. */
export type CompanyTried = { status: number; wrong: readonly (CompanyField | 'mailTo')[]; why?: string; mailTo?: string };
export const NOT_TRIED: CompanyTried = { status: 200, wrong: [] };

type Place = { words: Words; base: string };

/** `chosen`: he chose it himself; `isFinal`: his store is connected to it by now. `mailbox` null: he is not asked for one. */
type Given = Place & { name: string; mailbox: string | null; chosen: { isFinal: boolean } | null };

export function givenView({ words, base, name, mailbox, chosen }: Given, wrong: CompanyTried['wrong'] = []): Html {
  const { company: say } = words;
  const unchoose = html`<form class="verbs" method="post" action="${base}/company"><button class="second" name="verb" value="unchoose">${say.chooseAgain}</button></form>
`;
  return html`<p>${say.given(name)}</p>
<p class="soft">${chosen === null ? say.givenHint : chosen.isFinal ? say.chosenFinal : say.chosen}</p>
${chosen === null || chosen.isFinal ? nothing : unchoose}${
  mailbox === null
    ? html`<p class="verbs"><a class="verb" href="${base}">${say.next}</a></p>`
    : html`<form method="post" action="${base}/company">
${mailboxField({ words, mailbox, wrong })}
<p class="verbs"><button name="verb" value="mail">${say.next}</button></p>
</form>`
}`;
}

type Waits = Place & { company: string; mailbox: string | null };

/** Whoever has the company, he sees the same. `mailbox`: where he is written to; null: he can't be. */
export function waitsView({ words: { company: say }, base, company, mailbox }: Waits): Html {
  const verb = (name: string, text: string) => html`<button class="second" name="verb" value="${name}">${text}</button>`;
  return html`<p role="status">${say.waits.words(company)}</p>
<p>${mailbox === null ? say.waits.unmailed : say.waits.mailed(mailbox)}</p>
<p class="verbs"><a class="verb" href="${base}/company">${say.waits.look}</a></p>
<p class="soft">${say.waits.goesOn}</p>
<form class="verbs" method="post" action="${base}/company">${mailbox === null ? nothing : verb('mail-again', say.waits.again)}${verb('unask', say.waits.change)}</form>`;
}

/** The shops that he may choose, and the form for a new one. */
export function offeredView({ words: { company: say, lang }, base, offered, form }: Place & { offered: readonly OfferedShop[]; form: Html }): Html {
  if (offered.length === 0) return form;
  const one = ({ shopId, name, until }: OfferedShop) =>
    html`<li><form class="verbs" method="post" action="${base}/company"><input type="hidden" name="shop" value="${shopId}"><span>${name ?? say.unnamed(shopId)}</span> <button name="verb" value="choose">${until === null ? say.choose : say.same}</button></form></li>`;
  const list = (shops: readonly OfferedShop[]) => html`<ul class="reasons">
${lines(shops.map(one))}</ul>
`;
  const [before, others] = [offered.filter(({ until }) => until !== null), offered.filter(({ until }) => until === null)];
  const [last] = before;
  return html`${last?.until == null ? nothing : html`<h2>${say.before}</h2>\n<p>${say.beforeHint(momentName(last.until, lang))}</p>\n${list(before)}`}${
    others.length === 0 ? nothing : html`<h2>${say.offered}</h2>\n<p class="soft">${say.offeredHint}</p>\n${list(others)}`
  }${before.length === 0 ? nothing : html`<h2>${say.another}</h2>\n<p class="soft">${say.anotherHint}</p>\n`}${form}`;
}

/** `mailbox`: what the field for it shows; null: he is not asked for it. */
type CompanyForm = Place & { typed: TypedCompany; isMade: boolean; isConfirmed: boolean; isRefused: boolean; tried: CompanyTried; mailbox: string | null };

/** The company number alone until it is right; then all of it. */
export function companyForm(form: CompanyForm): Html {
  const { words, base, typed, isMade, isConfirmed, isRefused, tried } = form;
  const { company: say } = words;
  const one = (name: CompanyField, type?: string) => fieldOf(form, name, type);
  if (!isTypedUic(typed.companyUic) && tried.wrong.length <= 1) {
    const refused = isRefused && tried.status === 200 ? html`<p class="notice" role="alert">${say.unconfirmed}</p>\n` : nothing;
    return html`${refused}<p>${say.introUic}</p>
<form method="post" action="${base}/company">
${one('companyUic')}
<p class="verbs"><button name="verb" value="uic">${say.check}</button></p>
</form>`;
  }
  return html`${banner(tried, words)}${isMade ? html`<p class="notice">${say.made}</p>\n` : isConfirmed ? html`<p class="notice" role="status">${say.confirmed}</p>\n` : nothing}<p>${say.intro}</p>
<form method="post" action="${base}/company">
${one('companyUic')}
${lines([one('companyName'), one('companyAddress'), vatChoice(form), one('nraNumber')])}${noNumber(words)}
${lines([one('domain'), one('name'), one('customerPhone', 'tel'), one('customerEmail', 'email'), one('auditRecipientEmails'), one('auditGenerationDay'), mailboxField({ ...form, wrong: tried.wrong })])}${isMade ? nothing : startNumber(form)}
<p class="verbs"><button name="verb" value="save">${say.save}</button></p>
</form>`;
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
  const hinted = isFine ? say.uicFine : hint;
  return field({
    name,
    label,
    value: typed[name],
    type,
    autocomplete: completions[name] ?? 'off',
    ...(hinted === undefined ? {} : { hint: hinted }),
    ...(isWrong ? { problem: wrong } : {}),
  });
}

type MailboxField = Pick<CompanyForm, 'words' | 'mailbox'> & Pick<CompanyTried, 'wrong'>;

function mailboxField({ words: { company: say }, mailbox, wrong }: MailboxField): Html {
  if (mailbox === null) return nothing;
  const { label, hint, wrong: problem } = say.mailTo;
  return field({ name: 'mailTo', label, hint, value: mailbox, type: 'email', autocomplete: 'email', ...(wrong.includes('mailTo') ? { problem } : {}) });
}

const completions: Partial<Record<CompanyField, string>> = { companyName: 'organization', customerPhone: 'tel', customerEmail: 'email' };

function vatChoice({ words: { company: say }, typed, tried }: CompanyForm): Html {
  const { label, wrong } = say.fields.vat;
  const problem = tried.wrong.includes('vat');
  const one = (value: 'yes' | 'no', more: Html) =>
    html`<li><label><input type="radio" name="vat" value="${value}"${attributes({ checked: typed.vat === value })}> ${say.vat[value]}</label>${more}</li>`;
  return html`<fieldset class="choices"><legend>${label}</legend>
${problem ? html`<p class="problem" role="alert">${wrong}</p>\n` : nothing}<ul>
${lines([one('yes', nothing), one('no', html` <span class="hint">${say.vat.noMeans}</span>`)])}</ul></fieldset>`;
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
