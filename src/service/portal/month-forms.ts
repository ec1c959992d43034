import { limits } from '../../contract/limits.ts';
import { type Attributes, attributes } from '../../web/attributes.ts';
import { type Html, html, nothing } from '../../web/html.ts';
import { lines } from '../../web/lines.ts';
import { sofiaDay } from '../law/sofia-day.ts';
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
  const { heading, lead, button } = namesOf(act, view, words);
  return html`<form method="post" action="${paths.act(view.key, act)}" aria-labelledby="form-${act}">
<h3 id="form-${act}">${heading}</h3>
<p>${lead}</p>
${lines(fields[act](filled))}<input type="hidden" name="form" value="${token}">
<button type="submit">${button}</button>
</form>`;
}

function namesOf(act: ActName, { stored, summary }: MonthView, { acts }: PortalWords): PortalWords['acts']['correct'] {
  if (act === 'filed' && stored.state === 'filed') return acts.correct;
  if (act === 'nothing' && summary.situation.kind === 'returns-only') return acts.returns;
  return { heading: acts.heading[act], lead: acts.lead[act], button: acts.button[act] };
}

type Filled = { view: MonthView; words: PortalWords; tried: Tried | null };

const fields: Readonly<Record<ActName, (filled: Filled) => readonly Html[]>> = {
  filed: (filled) => [
    versionField(filled),
    textField(filled, 'incomingNumber', attributes({ type: 'text', maxlength: limits.incomingNumber, autocomplete: 'off', required: hasNumber(filled.view) })),
    textField(filled, 'filedOn', attributes({ type: 'date', max: filled.view.today, required: true })),
    ...confirmations(filled),
  ],
  rejected: (filled) => [longField(filled, 'words', limits.rejectedWords)],
  again: () => [],
  nothing: (filled) => [
    longField(filled, 'note', limits.nothingNote),
    ...(filled.view.summary.situation.kind === 'returns-only' ? [html`<input type="hidden" name="withReturns" value="yes">\n`] : []),
  ],
};

function label({ view, words }: Filled, field: FormField): Html {
  const optional = field === 'incomingNumber' && !hasNumber(view) ? html` <span class="optional">(${words.acts.optional})</span>` : nothing;
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
  const { state, filedVersion } = view.stored;
  const choice = view.versions.filter(({ version }) => state !== 'filed' || version === filedVersion);
  const options = choice.map((one) => {
    const value = String(one.version);
    return html`<option${attributes({ value, selected: value === chosen })}>${words.acts.versionOf(one)}</option>`;
  });
  return html`<div class="field">${label(filled, 'version')}<select${named(filled, 'version')}>${options}</select></div>`;
}

function textField(filled: Filled, field: 'incomingNumber' | 'filedOn', kind: Attributes): Html {
  const value = filled.tried?.values[field] ?? saidBefore(filled.view)[field];
  return html`<div class="field">${label(filled, field)}<input${named(filled, field)}${kind} value="${value}"></div>`;
}

/** A number that is saved is corrected, not taken away. */
function hasNumber({ stored }: MonthView): boolean {
  return stored.state === 'filed' && stored.incomingNumber !== null;
}

/** What was said of the filed version, to be corrected; else that it was filed today. */
function saidBefore({ stored, today }: MonthView): Record<'incomingNumber' | 'filedOn', string> {
  if (stored.state !== 'filed') return { incomingNumber: '', filedOn: today };
  return { incomingNumber: stored.incomingNumber ?? '', filedOn: stored.filedOn ?? (stored.filedAt === null ? today : sofiaDay(stored.filedAt)) };
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
