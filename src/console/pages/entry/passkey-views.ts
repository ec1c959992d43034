import type { StoredPasskey } from '../../../bridge/ledger/people/passkey-store.ts';
import { askForPasskey, type PasskeyOffer } from '../../../operations/people/passkeys.ts';
import type { GivenFactor } from '../../../operations/people/second-factor.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import { button, field, formTo, hidden } from '../../../web/forms.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { type Columns, table } from '../../../web/tables.ts';
import { assetPath } from '../../assets/assets.ts';
import type { Entrant, Form } from '../../base/page.ts';
import { since, when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';

/** Whose it is, and what a challenge is bound to. `isVerified`: a PIN or a finger is wanted beside the key. */
type Asking = { person: Person; bound: string; isVerified: boolean };

/** Within a form that takes a code: the same by a press, where there is script and a passkey. */
export async function passkeyPart({ deps, words }: Pick<Entrant, 'deps' | 'words'>, asking: Asking): Promise<Html> {
  const offer = await askForPasskey({ ...deps, ...deps.entry }, asking);
  return offer === null ? nothing : press(words, { offer, kind: 'get' });
}

/** What such a form brings: the answer of a passkey, or what was typed. */
export function givenFactor(form: Form, { bound, isVerified }: Omit<Asking, 'person'>): GivenFactor {
  const answer = form.text('passkey');
  return answer === '' ? form.text('code') : { kept: form.text('passkey-kept'), answer, bound, isVerified };
}

/** The script shows it, and puts the answer into the form. */
function press({ factor: { passkeys: say } }: Words, { offer, kind, name = nothing }: { offer: PasskeyOffer; kind: 'get' | 'create'; name?: Html }): Html {
  const verb = button(kind === 'get' ? say.use : say.add, { type: 'button', class: 'second' });
  return html`<div hidden data-passkey="${kind}" data-options="${offer.options}">${hidden('passkey-kept', offer.kept)}${hidden('passkey', '')}
${name}<p class="problem" role="alert" hidden>${say.failed}</p>
<p class="verbs">${verb}</p></div>
<script src="${assetPath('passkey.js')}" defer></script>`;
}

/** On the page of the account. `offer` null: none can be added. `browser`: what a new one is called unless somebody says otherwise. */
type PasskeysView = { words: Words; passkeys: readonly StoredPasskey[]; offer: PasskeyOffer | null; browser: string; now: Date };

export function passkeysView({ words, passkeys, offer, browser, now }: PasskeysView): Html {
  const { passkeys: say } = words.factor;
  if (offer === null && passkeys.length === 0) return nothing;
  const end = ({ id }: StoredPasskey) =>
    formTo('/console/account/factor/passkeys/remove', { hidden: { id }, buttons: [button(say.remove, { class: 'second' })] });
  const columns: Columns<StoredPasskey> = [
    { name: say.name, cell: ({ name }) => name },
    { name: say.added, cell: ({ createdAt }) => when(createdAt, words) },
    { name: say.used, cell: (one) => html`${since(one.usedAt, now, words)}${end(one)}` },
  ];
  return html`<h3>${say.title}</h3>
${passkeys.length === 0 ? nothing : table({ caption: say.title, columns, rows: passkeys })}
${offer === null ? nothing : newPasskeyForm(words, { offer, browser })}`;
}

function newPasskeyForm(words: Words, { offer, browser }: { offer: PasskeyOffer; browser: string }): Html {
  const { passkeys: say } = words.factor;
  const name = field({ name: 'name', id: 'passkey-name', label: say.name, value: browser, autocomplete: 'off', more: { maxlength: 60 } });
  const body = html`<p class="hint">${say.hint(offer.host)}</p>
${press(words, { offer, kind: 'create', name })}`;
  return formTo('/console/account/factor/passkeys', { body, buttons: [] });
}
