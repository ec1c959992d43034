import { ownValue } from '../contract/own-value.ts';
import { type Right, rolesThatMay } from '../operations/people/rights.ts';
import type { Refusal, RefusalKind } from '../operations/refusal.ts';
import { button, field, formTo, hidden, type Stale } from '../web/forms.ts';
import { type Html, html, lines, nothing } from '../web/html.ts';
import type { ShownPage } from './base/page.ts';
import type { Words } from './messages/messages.ts';

export function missingPage({ frame: { problem } }: Words): ShownPage {
  return { status: 404, title: problem.missingTitle, body: html`<p>${problem.missing}</p>` };
}

/** `back`: the address of the page where the person was. */
export function forbiddenPage({ frame: { problem, roles } }: Words, right: Right, back: string): ShownPage {
  const names = rolesThatMay(right).map((role) => roles[role]);
  return { status: 403, title: problem.forbiddenTitle, body: html`<p>${problem.forbidden(names.join(', '))}</p>${wayBack(back, problem)}` };
}

export function foreignPage({ frame: { problem } }: Words, back: string): ShownPage {
  return { status: 403, title: problem.foreignTitle, body: html`<p>${problem.foreign}</p>${wayBack(back, problem)}` };
}

function wayBack(back: string, problem: Words['frame']['problem']): Html {
  return html`\n<p><a href="${back}">${problem.back}</a></p>`;
}

/** `back`: the address of a page that can be loaded. `isSent`: it was to answer a form, which may be done or not. */
type Broken = { back: string; isSent: boolean };

export function failedPage({ frame: { problem } }: Words, { requestId, back, isSent }: Broken & { requestId: string }): ShownPage {
  return { status: 500, title: problem.failedTitle, body: html`<p>${problem.failed(requestId)}</p>${unknown(isSent, problem)}${wayBack(back, problem)}` };
}

export function databasePage({ frame: { problem } }: Words, { back, isSent }: Broken): ShownPage {
  const body = html`<p>${problem.database}</p>${unknown(isSent, problem)}${isSent ? wayBack(back, problem) : nothing}`;
  return { status: 503, title: problem.databaseTitle, body };
}

function unknown(isSent: boolean, { unknown: words }: Words['frame']['problem']): Html {
  return isSent ? html`\n<p role="alert"><strong>${words}</strong></p>` : nothing;
}

/** Where the person was, and the form that was sent; null: it was none. `holdsSecrets`: it is shown without them, and can't be sent again. */
export type Before = { back: string; form: (Pick<SentForm, 'at' | 'fields'> & { holdsSecrets: boolean }) | null };

/** Both values, what was typed, and how it is sent all the same. */
export function stalePage(words: Words, stale: Stale, { back, form }: Before): ShownPage {
  const { problem } = words.frame;
  const again = form === null ? nothing : againForm({ ...form, fresh: form.holdsSecrets ? null : stale.fresh, now: stale.now }, words);
  return { status: 409, title: problem.staleTitle, body: html`${staleView(stale, words)}\n${again}${wayBack(back, problem)}` };
}

const statuses: Readonly<Record<RefusalKind, number>> = { invalid: 422, missing: 404, conflict: 409, unavailable: 503, misconfigured: 500 };

/** An operation that can't be done, and what to do about it. */
export function refusedPage(
  words: Words,
  { kind, said, advice, choices }: Pick<Refusal, 'kind' | 'said' | 'advice' | 'choices'>,
  { back, form }: Before,
): ShownPage {
  const { lang, frame } = words;
  const rows = choices === null ? [] : choices.rows.map((row) => html`<li>${row.filter((cell) => cell !== null).join(' · ')}</li>`);
  return {
    status: statuses[kind],
    title: frame.problem.refusedTitle,
    body: html`<p role="alert">${said[lang]}</p>
${advice === null ? nothing : html`<p>${frame.problem.advice} ${advice[lang]}</p>\n`}${rows.length === 0 ? nothing : html`<ul>${lines(rows)}</ul>`}${sentAgain(form, kind, words)}${wayBack(back, frame.problem)}`,
  };
}

// What is not there can't be done later, and a button alone is pressed where it is.
function sentAgain(form: Before['form'], kind: RefusalKind, words: Words): Html {
  if (form === null) return nothing;
  const isWorth = kind === 'unavailable' || (kind !== 'missing' && typedIn(form.fields, words).length > 0);
  const seen = form.fields.find(([name]) => name === 'seen')?.[1] ?? '';
  return againForm({ ...form, fresh: isWorth && !form.holdsSecrets ? seen : null, now: null }, words);
}

type Field = readonly [name: string, value: string];

/** A form that was sent, and was not done. `fresh`: what it is made from if it is sent again; null: it can't be. `now`: what its thing is now, in words. */
type SentForm = { at: string; fields: readonly Field[]; fresh: string | null; now: string | null };

/** What somebody wrote by themselves, beside what they chose. */
function typedIn(fields: readonly Field[], { frame: { problem } }: Words): { name: string; label: string; value: string }[] {
  return fields.flatMap(([name, value]) => {
    const label = ownValue<string>(problem.fields, name);
    return label === undefined || value === '' ? [] : [{ name, label, value }];
  });
}

/** What somebody typed, so that nothing is lost, and the way to send it again. */
function againForm({ at, fields, fresh, now }: SentForm, words: Words): Html {
  const { problem } = words.frame;
  const typed = typedIn(fields, words);
  if (fresh === null) {
    const own = typed.map(({ label, value }) => html`<dt>${label}</dt><dd><pre>${value}</pre></dd>`);
    return own.length === 0 ? nothing : html`<h2>${problem.typed}</h2>\n<dl class="facts">${lines(own)}</dl>`;
  }
  const renewed = ([name, value]: Field) => (name === 'seen' ? fresh : name === 'was' ? (now ?? value) : value);
  const kept = fields.filter(([name, value]) => !typed.some((one) => one.name === name && one.value === value));
  const body = html`${kept.map((one) => hidden(one[0], renewed(one)))}${typed.length === 0 ? nothing : html`<h2>${problem.typed}</h2>\n`}${lines(typed.map(({ value, ...one }) => field({ ...one, value, ...(value.includes('\n') ? { rows: 4 } : {}) })))}`;
  return formTo(at, { body, buttons: [button(problem.again, { 'data-key': 'r' })] });
}

/** Both values, so that the person decides what is right. */
function staleView({ sent, now }: Pick<Stale, 'sent' | 'now'>, { frame: { problem } }: Words): Html {
  return html`<p>${problem.stale}</p>
<dl class="facts"><dt>${problem.seen}</dt><dd><pre>${sent}</pre></dd><dt>${problem.now}</dt><dd><pre>${now}</pre></dd></dl>`;
}

/** The same above a page that has the form again, with what was typed. `typed`: what the page might have no field for any more. */
export function staleBanner(stale: Pick<Stale, 'sent' | 'now'>, typed: string, words: Words): Html {
  const { problem } = words.frame;
  const own = typed === '' ? html`` : html`\n<p>${problem.typed} “${typed}”</p>`;
  return html`<section class="banner attention" role="alert"><h2>${problem.staleTitle}</h2>
${staleView(stale, words)}${own}
<p>${problem.kept}</p></section>\n`;
}
