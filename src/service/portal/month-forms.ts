import { limits } from '../../contract/limits.ts';
import { type Attributes, attributes } from '../../web/attributes.ts';
import { type Html, html, nothing } from '../../web/html.ts';
import { lines } from '../../web/lines.ts';
import { type MonthView, possibleActs } from './month-view.ts';
import type { PortalPaths } from './portal-paths.ts';
import type { ActName, ActRefusal, FormField, PortalWords } from './portal-words.ts';

/** A form that was sent and refused: what was typed is shown again. */
export type Tried = { act: ActName; values: Readonly<Record<string, string>>; refusal: ActRefusal };

/** `token`: proves that a form is of this page. */
export type Forms = { words: PortalWords; paths: PortalPaths; token: string; tried: Tried | null };

/** The forms of what can be done with a month now. */
export function monthForms(view: MonthView, forms: Forms): Html {
  const { words } = forms;
  const acts = possibleActs(view);
  return html`<section id="acts" class="action">
<h2>${words.acts.title}</h2>
${acts.length === 0 ? html`<p>${words.acts.none}</p>\n` : lines(acts.map((act) => formHtml(act, view, forms)))}</section>`;
}

function formHtml(act: ActName, view: MonthView, { words, paths, token, tried }: Forms): Html {
  const filled: Filled = { view, words, tried: tried?.act === act ? tried : null };
  return html`<form method="post" action="${paths.act(view.key, act)}" aria-labelledby="form-${act}">
<h3 id="form-${act}">${words.acts.heading[act]}</h3>
<p>${words.acts.lead[act]}</p>
${lines(fields[act](filled))}<input type="hidden" name="form" value="${token}">
<button type="submit">${words.acts.button[act]}</button>
</form>`;
}

type Filled = { view: MonthView; words: PortalWords; tried: Tried | null };

const fields: Readonly<Record<ActName, (filled: Filled) => readonly Html[]>> = {
  filed: (filled) => [
    versionField(filled),
    textField(filled, 'incomingNumber', attributes({ type: 'text', maxlength: limits.incomingNumber, autocomplete: 'off' })),
    textField(filled, 'filedOn', attributes({ type: 'date', max: filled.view.today, required: true })),
    ...confirmations(filled),
  ],
  rejected: (filled) => [longField(filled, 'words', limits.rejectedWords)],
  again: () => [],
  nothing: (filled) => [longField(filled, 'note', limits.nothingNote)],
};

function label({ words }: Filled, field: FormField): Html {
  const optional = field === 'incomingNumber' ? html` <span class="optional">(${words.acts.optional})</span>` : nothing;
  return html`<label for="${field}">${words.acts.fields[field]}${optional}</label>`;
}

function named({ tried }: Filled, field: FormField): Attributes {
  const isWrong =
    tried !== null && ((tried.refusal.why === 'unreadable' && tried.refusal.field === field) || (tried.refusal.why === 'wrong-day' && field === 'filedOn'));
  return attributes({ id: field, name: field, 'aria-invalid': isWrong ? 'true' : null });
}

function versionField(filled: Filled): Html {
  const { view, words, tried } = filled;
  const chosen = tried?.values['version'] ?? String(view.stored.filedVersion ?? view.versions[0]?.version);
  const options = view.versions.map((one) => {
    const value = String(one.version);
    return html`<option${attributes({ value, selected: value === chosen })}>${words.acts.versionOf(one)}</option>`;
  });
  return html`<div class="field">${label(filled, 'version')}<select${named(filled, 'version')}>${options}</select></div>`;
}

function textField(filled: Filled, field: 'incomingNumber' | 'filedOn', kind: Attributes): Html {
  const value = filled.tried?.values[field] ?? (field === 'filedOn' ? filled.view.today : '');
  return html`<div class="field">${label(filled, field)}<input${named(filled, field)}${kind} value="${value}"></div>`;
}

function longField(filled: Filled, field: 'words' | 'note', most: number): Html {
  const rest = attributes({ rows: 4, maxlength: most, required: true });
  return html`<div class="field">${label(filled, field)}<textarea${named(filled, field)}${rest}>${filled.tried?.values[field] ?? ''}</textarea></div>`;
}

// Asked for only where they are needed: a box that is always there is ticked without being read.
function confirmations({ view: { summary }, words, tried }: Filled): readonly Html[] {
  const box = (name: 'withoutOutstanding' | 'asIs') =>
    html`<div class="check"><label><input${attributes({ type: 'checkbox', name, value: 'yes', checked: tried?.values[name] === 'yes' })}><span>${words.acts[name]}</span></label></div>`;
  const why = tried?.refusal.why;
  return [
    ...(summary.outstanding !== undefined || why === 'outstanding' ? [box('withoutOutstanding')] : []),
    ...(summary.changes.count > 0 || why === 'outdated' ? [box('asIs')] : []),
  ];
}
