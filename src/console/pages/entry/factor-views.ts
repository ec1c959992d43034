import encodeQR from 'qr';
import { instantText } from '../../../contract/local-text.ts';
import { needsFactor, type OfferedFactor } from '../../../operations/people/second-factor.ts';
import { button, field, formTo } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { qrImage } from '../../../web/qr-image.ts';
import type { PageContext } from '../../base/page.ts';
import type { Words } from '../../messages/messages.ts';

export function codeField({ factor }: Words, { problem, isFirst = false }: { problem: string | null; isFirst?: boolean }): Html {
  return field({
    ...{ name: 'code', label: factor.code, hint: isFirst ? factor.firstCodeHint : factor.codeHint, problem, required: true },
    ...{ autocomplete: 'one-time-code', more: { autocapitalize: 'off', spellcheck: 'false' } },
  });
}

type Enrolment = { words: Words; at: string; offered: OfferedFactor; problem: string | null; hidden?: Readonly<Record<string, string>>; verb: string };

/** The secret as a QR code and as text, and the field for the first code. It is sealed in the form until then. */
export function enrolForm({ words, at, offered, problem, hidden = {}, verb }: Enrolment): Html {
  const { enrol } = words.factor;
  const { svg } = qrImage(encodeQR(offered.address, 'raw', { ecc: 'medium', border: 4 }), enrol.qr);
  const body = html`<p>${enrol.intro}</p>
<div class="qr">${svg}</div>
<p class="hint">${enrol.secret}</p>
<pre class="secret">${offered.secret.replace(/.{4}(?=.)/g, '$& ')}</pre>
${codeField(words, { problem, isFirst: true })}`;
  return formTo(at, { class: 'entry', hidden: { ...hidden, kept: offered.kept }, body, buttons: [button(verb)] });
}

/** Shown once, in no address. */
export function codesView({ factor: { codes: say } }: Words, codes: readonly string[], goOn: string): Html {
  return html`<p><strong>${say.body}</strong></p>
<pre class="secret">${codes.join('\n')}</pre>
<p class="verbs"><a class="verb" href="${goOn}">${say.goOn}</a></p>`;
}

/** On each page, for those who need a second factor and have none. */
export function factorReminder({ person, deps, words: { factor, lang } }: PageContext): Html {
  const { factorDueAt: due } = person;
  if (due === null || !needsFactor(person, deps.entry)) return nothing;
  const said = new Date(due) <= deps.now() ? factor.bannerDue : factor.banner(instantText(due, lang, 'moment'));
  return html`<p class="notice" role="note">${said} <a href="/console/account/factor">${factor.setUp}</a></p>\n`;
}

type FactorPart = { words: Words; left: number | null; mayEnd: boolean; isByProvider: boolean };

/** On the page of the account. `left`: recovery codes; null: there is no factor. */
export function factorPart({ words: { factor }, left, mayEnd, isByProvider }: FactorPart): Html {
  if (isByProvider) return html`<p>${factor.byProvider}</p>`;
  const setUp = (words: string) => html`<p class="verbs"><a class="verb second" href="/console/account/factor">${words}</a></p>`;
  if (left === null) return html`<p>${factor.unset}</p>\n${setUp(factor.setUp)}`;
  const press = (path: string, words: string, kind: string) => formTo(`/console/account/factor/${path}`, { buttons: [button(words, { class: kind })] });
  return html`<p>${factor.set} ${factor.left(left)}</p>
${lines([setUp(factor.setUpAnew), press('codes', factor.newCodes, 'second'), mayEnd ? press('end', factor.end, 'danger') : nothing])}`;
}
