import { createHash } from 'node:crypto';
import { attributes } from './attributes.ts';
import { type Html, html, lines, nothing } from './html.ts';

type Words = string | Html;
type Values = Parameters<typeof attributes>[0];
/** Values with what people read for each, in their order. */
type Options = Readonly<Record<string, string>> | readonly (readonly [value: string, words: string])[];
type Problem = string | null | undefined;

type Field = {
  name: string;
  /** Where a page has two fields of this name; default: the name. */
  id?: string;
  label: Words;
  value?: string;
  hint?: string | undefined;
  /** What is wrong with what was typed. */
  problem?: Problem;
  type?: string;
  /** It is a list to choose from. A value that is none of them stays one, so that it is not lost. */
  options?: Options;
  /** Of a list: what no choice is called. */
  none?: string;
  /** It has several lines. */
  rows?: number;
  required?: boolean;
  autocomplete?: string;
  /** Further attributes of the element. */
  more?: Values;
};

/** A field of a form, with what is wrong with it beside it. */
export function field({ name, id = name, label, hint, problem, required = false, autocomplete, more = {}, ...kind }: Field): Html {
  const all = { required, autocomplete: autocomplete ?? null, ...describedBy(id, hint, problem), ...more };
  return html`<div class="field"><label for="${id}">${label}</label>
${hintPart(id, hint)}${control({ id, name }, kind, all)}
${problemPart(id, problem)}</div>`;
}

type Kind = Pick<Field, 'value' | 'type' | 'options' | 'none' | 'rows'>;

function control({ id, name }: { id: string; name: string }, { value = '', type = 'text', options, none, rows }: Kind, all: Values): Html {
  if (rows !== undefined) return html`<textarea id="${id}" name="${name}" rows="${rows}"${attributes(all)}>${value}</textarea>`;
  if (options === undefined) return html`<input id="${id}" name="${name}" type="${type}" value="${value}"${attributes(all)}>`;
  const known = [...(none === undefined ? [] : [['', none] as const]), ...(isEntries(options) ? options : Object.entries(options))];
  const every = value === '' || known.some(([one]) => one === value) ? known : [...known, [value, value] as const];
  const option = ([one, words]: readonly [string, string]) => html`<option value="${one}"${attributes({ selected: one === value })}>${words}</option>`;
  return html`<select id="${id}" name="${name}"${attributes(all)}>${every.map(option)}</select>`;
}

function isEntries(options: Options): options is Extract<Options, readonly unknown[]> {
  return Array.isArray(options);
}

/** What programs that read pages aloud say of a field besides its label. */
function describedBy(id: string, hint: string | undefined, problem: Problem): Values {
  const described = [...(hint === undefined ? [] : [`${id}-hint`]), ...(problem == null ? [] : [`${id}-problem`])].join(' ');
  return { 'aria-invalid': problem == null ? null : 'true', 'aria-describedby': described === '' ? null : described };
}

function hintPart(id: string, hint: string | undefined): Html {
  return hint === undefined ? nothing : html`<p class="hint" id="${id}-hint">${hint}</p>`;
}

function problemPart(id: string, problem: Problem): Html {
  return problem == null ? nothing : html`<p class="problem" id="${id}-problem" role="alert">${problem}</p>`;
}

type Tick = { name: string; value?: string; label: Words; isOn?: boolean; type?: 'checkbox' | 'radio'; required?: boolean; more?: Words };

/** One box, or one of several ways. `more`: what stands beside it. */
export function tick({ name, value = 'yes', label, isOn = false, type = 'checkbox', required = false, more = nothing }: Tick): Html {
  return html`<p><label><input type="${type}" name="${name}" value="${value}"${attributes({ checked: isOn, required })}> ${label}</label>${more}</p>`;
}

type Group = { id: string; legend: Words; hint?: string | undefined; problem?: Problem; content: Html };

/** Fields that are one question. */
export function group({ id, legend, hint, problem, content }: Group): Html {
  const { 'aria-describedby': described = null } = describedBy(id, hint, problem);
  return html`<fieldset class="choices"${attributes({ 'aria-describedby': described })}><legend>${legend}</legend>
${hintPart(id, hint)}${content}${problemPart(id, problem)}</fieldset>`;
}

type Choices = Omit<Group, 'id' | 'content'> & {
  name: string;
  id?: string;
  ways: readonly (readonly [value: string, label: Words, more?: Words])[];
  chosen?: string | readonly string[] | undefined;
  required?: boolean;
};

/** A choice of one of these ways, or, if `chosen` is a list, of any of them. */
export function choices({ name, id = name, ways, chosen, required = false, ...of }: Choices): Html {
  const type = typeof chosen === 'object' ? 'checkbox' : 'radio';
  const isOn = (value: string) => (typeof chosen === 'object' ? chosen.includes(value) : chosen === value);
  return group({
    id,
    ...of,
    content: lines(ways.map(([value, label, more = nothing]) => tick({ name, value, label, more, type, required, isOn: isOn(value) }))),
  });
}

/** A field that nobody sees. */
export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

/** What a press does is its name and value, or the form. */
export function button(words: string, more: Values = {}): Html {
  return html`<button${attributes(more)}>${words}</button>`;
}

/** First in a form of several buttons: Enter in one of its fields presses none of them. */
export const noDefault = html`<button disabled hidden></button>`;

type FormParts = {
  method?: 'get';
  class?: string;
  more?: Values;
  /** What it is made from, so that a change that comes meanwhile is noticed: see `mustBeSeen`. */
  seen?: unknown;
  hidden?: Readonly<Record<string, string>>;
  /** Absent: it is its buttons alone. */
  body?: Html;
  /** In a line below the body. */
  buttons: readonly Html[];
};

/** A form that is sent to an address; it changes something there unless its method is get. */
export function formTo(to: string, { method, class: kind, more = {}, seen: made, hidden: values = {}, body, buttons }: FormParts): Html {
  const kept = html`${made === undefined ? nothing : seen(made)}${Object.entries(values).map(([name, value]) => hidden(name, value))}`;
  const below = body === undefined ? html`${buttons}` : html`\n${body}\n${buttons.length === 0 ? nothing : html`<p class="verbs">${buttons}</p>\n`}`;
  return html`<form${attributes({ method: method ?? 'post', action: to, class: kind ?? null, ...more })}>${kept}${below}</form>\n`;
}

/** What is wrong with a form as a whole. */
export function problemList(title: string, problems: readonly Words[]): Html {
  if (problems.length === 0) return nothing;
  return html`<div class="banner failing" role="alert"><h2>${title}</h2><ul>${lines(problems.map((one) => html`<li>${one}</li>`))}</ul></div>\n`;
}

function seen(value: unknown): Html {
  return hidden('seen', seenOf(value));
}

/** A short digest of plain JSON. */
export function seenOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
}

/** What a form was made from is not what is there now; `now` is shown beside what was sent. `fresh`: by which the form can be sent again; null: there is nothing left that it could be about. */
export class Stale extends Error {
  readonly sent: string;
  readonly now: string;
  readonly fresh: string | null;

  constructor(sent: string, now: string, fresh: string | null = null) {
    super('changed meanwhile');
    this.name = 'Stale';
    this.sent = sent;
    this.now = now;
    this.fresh = fresh;
  }
}

type SentForm = { text(name: string): string };

/** Throws `Stale` if a form was not made from this value. `words`: what the form says, and what is there now. */
export function mustBeSeen(sent: SentForm, value: unknown, words: { sent: string; now: string }): void {
  if (isStale(sent, value)) throw new Stale(words.sent, words.now, seenOf(value));
}

/** Was the form made from something else? */
export function isStale(sent: SentForm, value: unknown): boolean {
  return sent.text('seen') !== seenOf(value);
}

type CodeWords = Readonly<Record<'send' | 'sent' | 'again' | 'label' | 'hint' | 'wrong' | 'enter', string>>;
type Code = { hidden: Record<string, string>; words: CodeWords; step: 'first' | 'sent' | 'wrong'; mayAskAgain?: boolean };

/** Asks for a code by mail, and takes the one that came. */
export function codeForms(action: string, { hidden, words, step, mayAskAgain = true }: Code): Html {
  const asked = { label: words.label, hint: words.hint, problem: step === 'wrong' ? words.wrong : null, required: true, autocomplete: 'one-time-code' };
  const body = field({ name: 'code', ...asked, more: { inputmode: 'numeric', maxlength: 12 } });
  if (step === 'first') return formTo(action, { hidden, buttons: [button(words.send)] });
  const again = mayAskAgain ? formTo(action, { hidden, buttons: [button(words.again, { class: 'second' })] }) : nothing;
  return html`<p role="status">${words.sent}</p>\n${formTo(action, { hidden, body, buttons: [button(words.enter)] })}${again}`;
}
