import { limits } from '../../../contract/limits.ts';
import type { MonthReport } from '../../../operations/months/month-report.ts';
import { attributes } from '../../../web/attributes.ts';
import { button, field, formTo, hidden, tick } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import type { Words } from '../../messages/messages.ts';
import { monthPath } from './of-month.ts';

/** `may`: may this person mark months? `tried`: the form that was just sent and not done. */
export type MonthFormView = { words: Words; may: boolean; tried: MonthActTried | null };
type Form = { act: MonthAct; button: string; fields?: readonly Html[]; tone?: 'second' };

/** A form of a month: nothing for those who may only look. */
export function monthForm(report: MonthReport, { may, tried }: MonthFormView, { act, button: press, fields = [], tone }: Form): Html {
  if (!may) return nothing;
  const problem = tried?.act === act ? html`<p class="problem" role="alert" id="problem">${tried.problem}</p>\n` : nothing;
  const body = html`${problem}${lines(fields)}`;
  return formTo(`${monthPath(report.key)}/${act}`, { seen: report.seen, body, buttons: [button(press, { class: tone ?? null })] });
}

/** The form that makes a version; another one is not what a month needs most. */
export function makeForm(report: MonthReport, shown: MonthFormView): Html {
  const { act, makeNow } = shown.words.month;
  const fields = shown.tried?.box === 'now' ? [box(shown, 'now', makeNow)] : [];
  return monthForm(report, shown, { act: 'make', button: act.again.button, fields, ...(report.versions.length > 0 ? { tone: 'second' } : {}) });
}

export function filedForm(report: MonthReport, shown: MonthFormView): Html {
  const { versions, summary, today } = report;
  const { act } = shown.words.month;
  const chosen = typed(shown, 'version') ?? String(versions[0]?.version);
  const options = versions.map((one) => [String(one.version), act.versionOf(one)] as const);
  const fields = [
    field({ name: 'version', label: act.fields.version, value: chosen, options }),
    numberField(shown, 'filed', ''),
    dayField(shown, 'filed', today),
    ...(summary.outstanding !== undefined || shown.tried?.box === 'withoutOutstanding' ? [box(shown, 'withoutOutstanding', act.withoutOutstanding)] : []),
    ...(summary.changes.count > 0 || shown.tried?.box === 'asIs' ? [box(shown, 'asIs', act.asIs)] : []),
  ];
  return monthForm(report, shown, { act: 'filed', button: act.filed.button, fields });
}

/** The number may come later than the file was marked, or be mistyped. */
export function numberForm(report: MonthReport, shown: MonthFormView): Html {
  const { incomingNumber, filedOn } = report.seen;
  const fields = [numberField(shown, 'number', incomingNumber ?? ''), dayField(shown, 'number', filedOn ?? report.today)];
  return folded(report, shown, { act: 'number', of: 'correct', isOpen: shown.tried?.act === 'number' || incomingNumber === null, fields });
}

export function rejectedForm(report: MonthReport, shown: MonthFormView): Html {
  const fields = [longField(shown, { act: 'rejected', name: 'words', most: limits.rejectedWords })];
  return folded(report, shown, { act: 'rejected', of: 'rejected', isOpen: shown.tried?.act === 'rejected', fields });
}

export function nothingForm(report: MonthReport, shown: MonthFormView): Html {
  const isReturns = report.summary.situation.kind === 'returns-only';
  const note = longField(shown, { act: 'nothing', name: 'note', most: limits.nothingNote });
  const fields = [note, ...(isReturns ? [hidden('withReturns', 'yes')] : [])];
  return folded(report, shown, { act: 'nothing', of: isReturns ? 'returns' : 'nothing', isOpen: true, fields });
}

type Folded = { act: MonthAct; of: 'correct' | 'rejected' | 'nothing' | 'returns'; isOpen: boolean; fields: readonly Html[] };

function folded(report: MonthReport, shown: MonthFormView, { act, of, isOpen, fields }: Folded): Html {
  if (!shown.may) return nothing;
  const { heading, lead, button: press } = shown.words.month.act[of];
  return html`<details${attributes({ open: isOpen })}><summary>${heading}…</summary>
${monthForm(report, shown, { act, button: press, fields: [html`<p class="soft">${lead}</p>`, ...fields], tone: 'second' })}</details>`;
}

function typed({ tried }: MonthFormView, name: string): string | undefined {
  return tried?.values[name];
}

function problemOf({ tried }: MonthFormView, act: MonthAct, name: string): { problem?: string } {
  return tried?.act === act && tried.field === name ? { problem: tried.problem } : {};
}

function shownValue({ tried }: MonthFormView, act: MonthAct, { name, otherwise }: { name: string; otherwise: string }): string {
  return tried?.act === act ? (tried.values[name] ?? '') : otherwise;
}

function numberField(shown: MonthFormView, act: MonthAct, otherwise: string): Html {
  const name = 'incomingNumber';
  const { act: w, incomingHint } = shown.words.month;
  const value = shownValue(shown, act, { name, otherwise });
  return field({
    name,
    label: w.fields.incomingNumber,
    hint: incomingHint,
    value,
    autocomplete: 'off',
    required: act === 'number',
    ...problemOf(shown, act, name),
  });
}

function dayField(shown: MonthFormView, act: MonthAct, otherwise: string): Html {
  const name = 'filedOn';
  const value = shownValue(shown, act, { name, otherwise });
  return field({ name, label: shown.words.month.act.fields.filedOn, value, type: 'date', required: true, ...problemOf(shown, act, name) });
}

function longField(shown: MonthFormView, { act, name, most }: { act: MonthAct; name: 'words' | 'note'; most: number }): Html {
  const value = shownValue(shown, act, { name, otherwise: '' });
  const label = shown.words.month.act.fields[name];
  return field({ name, label, value, rows: 4, required: true, more: { maxlength: most }, ...problemOf(shown, act, name) });
}

// Asked for only where they are needed: a box that is always there is ticked without being read.
function box(shown: MonthFormView, name: Box, label: string): Html {
  return tick({ name, label, isOn: typed(shown, name) === 'yes' });
}

/** What a form of a month's page does; it is the end of its address. */
export type MonthAct = 'make' | 'checked' | 'mail' | 'filed' | 'number' | 'accepted' | 'rejected' | 'nothing';

/** A box that only stands where somebody was asked to tick it. */
type Box = 'withoutOutstanding' | 'asIs' | 'now';

/** A form that was sent and not done: what was typed is shown again. `field`: what is wrong; null: it is not about a field. `box`: it is done if that is ticked. */
export type MonthActTried = { act: MonthAct; values: Readonly<Record<string, string>>; problem: string; field: string | null; box: Box | null };

/** Why something was not done. `invalid`: what was typed makes no sense; else the month's state does not allow it. */
export type MonthFormProblem = { problem: string; field?: string; box?: Box; isInvalid?: true };
