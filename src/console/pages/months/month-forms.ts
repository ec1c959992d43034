import { limits } from '../../../contract/limits.ts';
import type { MonthReport } from '../../../operations/months/month-report.ts';
import { attributes } from '../../../web/attributes.ts';
import { button, field, formTo, hidden, tick } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { momentName } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { monthPath } from './of-month.ts';

/** `may`: may this person mark months? `tried`: the form that was just sent and not done. */
export type Shown = { words: Words; may: boolean; tried: Tried | null };
type Form = { act: MonthAct; button: string; fields?: readonly Html[]; tone?: 'second' };

/** A form of a month: nothing for those who may only look. */
export function monthForm(report: MonthReport, { may, tried }: Shown, { act, button: press, fields = [], tone }: Form): Html {
  if (!may) return nothing;
  const problem = tried?.act === act ? html`<p class="problem" role="alert" id="problem">${tried.problem}</p>\n` : nothing;
  const body = html`${problem}${lines(fields)}`;
  return formTo(`${monthPath(report.key)}/${act}`, { seen: report.seen, body, buttons: [button(press, { class: tone ?? null })] });
}

/** The form that makes a version; `again`: there is one already. */
export function makeForm(report: MonthReport, shown: Shown, again: boolean): Html {
  const { forms } = shown.words.month;
  const fields = shown.tried?.box === 'now' ? [box(shown, 'now', forms.makeNow)] : [];
  return monthForm(report, shown, { act: 'make', button: again ? forms.makeAgain : forms.make, fields, ...(again ? { tone: 'second' } : {}) });
}

export function filedForm(report: MonthReport, shown: Shown): Html {
  const { versions, summary, today } = report;
  const { words } = shown;
  const { forms } = words.month;
  const chosen = typed(shown, 'version') ?? String(versions[0]?.version);
  const options = versions.map(({ version, createdAt }) => [String(version), forms.versionOf(version, momentName(createdAt, words.lang))] as const);
  const left = summary.outstanding?.orders ?? 0;
  const fields = [
    field({ name: 'version', label: forms.version, value: chosen, options }),
    numberField(shown, 'filed', ''),
    dayField(shown, 'filed', today),
    ...(left > 0 || shown.tried?.box === 'withoutOutstanding' ? [box(shown, 'withoutOutstanding', forms.withoutOutstanding(left))] : []),
    ...(summary.changes.count > 0 || shown.tried?.box === 'asIs' ? [box(shown, 'asIs', forms.asIs(summary.changes.count))] : []),
  ];
  return monthForm(report, shown, { act: 'filed', button: forms.filed, fields });
}

/** The number may come later than the file was marked, or be mistyped. */
export function numberForm(report: MonthReport, shown: Shown): Html {
  if (!shown.may) return nothing;
  const { forms } = shown.words.month;
  const { incomingNumber, filedOn } = report.seen;
  const fields = [numberField(shown, 'number', incomingNumber ?? ''), dayField(shown, 'number', filedOn ?? report.today)];
  return folded(
    forms.correctTitle,
    shown.tried?.act === 'number' || incomingNumber === null,
    monthForm(report, shown, { act: 'number', button: forms.correct, fields, tone: 'second' }),
  );
}

export function rejectedForm(report: MonthReport, shown: Shown): Html {
  if (!shown.may) return nothing;
  const { forms } = shown.words.month;
  const fields = [longField(shown, { act: 'rejected', name: 'words', label: forms.words, hint: forms.rejectedHint, most: limits.rejectedWords })];
  return folded(
    forms.rejectedTitle,
    shown.tried?.act === 'rejected',
    monthForm(report, shown, { act: 'rejected', button: forms.rejected, fields, tone: 'second' }),
  );
}

export function nothingForm(report: MonthReport, shown: Shown): Html {
  if (!shown.may) return nothing;
  const { forms } = shown.words.month;
  const isReturns = report.summary.situation.kind === 'returns-only';
  const hint = isReturns ? forms.returnsHint : forms.nothingHint;
  const fields = [
    longField(shown, { act: 'nothing', name: 'note', label: forms.note, hint, most: limits.nothingNote }),
    ...(isReturns ? [hidden('withReturns', 'yes')] : []),
  ];
  const form = monthForm(report, shown, { act: 'nothing', button: isReturns ? forms.returns : forms.nothing, fields, tone: 'second' });
  return folded(isReturns ? forms.returnsTitle : forms.nothingTitle, true, form);
}

function folded(title: string, isOpen: boolean, content: Html): Html {
  return html`<details${attributes({ open: isOpen })}><summary>${title}</summary>
${content}</details>`;
}

function typed({ tried }: Shown, name: string): string | undefined {
  return tried?.values[name];
}

function problemOf({ tried }: Shown, act: MonthAct, name: string): { problem?: string } {
  return tried?.act === act && tried.field === name ? { problem: tried.problem } : {};
}

function shownValue({ tried }: Shown, act: MonthAct, { name, otherwise }: { name: string; otherwise: string }): string {
  return tried?.act === act ? (tried.values[name] ?? '') : otherwise;
}

function numberField(shown: Shown, act: MonthAct, otherwise: string): Html {
  const name = 'incomingNumber';
  const { forms } = shown.words.month;
  const value = shownValue(shown, act, { name, otherwise });
  return field({
    name,
    label: forms.incomingNumber,
    hint: forms.incomingHint,
    value,
    autocomplete: 'off',
    required: act === 'number',
    ...problemOf(shown, act, name),
  });
}

function dayField(shown: Shown, act: MonthAct, otherwise: string): Html {
  const name = 'filedOn';
  const value = shownValue(shown, act, { name, otherwise });
  return field({ name, label: shown.words.month.forms.filedOn, value, type: 'date', required: true, ...problemOf(shown, act, name) });
}

function longField(shown: Shown, { act, name, label, hint, most }: { act: MonthAct; name: string; label: string; hint: string; most: number }): Html {
  const value = shownValue(shown, act, { name, otherwise: '' });
  return field({ name, label, hint, value, rows: 4, required: true, more: { maxlength: most }, ...problemOf(shown, act, name) });
}

// Asked for only where they are needed: a box that is always there is ticked without being read.
function box(shown: Shown, name: Box, label: string): Html {
  return tick({ name, label, isOn: typed(shown, name) === 'yes' });
}

/** What a form of a month's page does; it is the end of its address. */
export type MonthAct = 'make' | 'checked' | 'mail' | 'filed' | 'number' | 'accepted' | 'rejected' | 'nothing';

/** A box that only stands where somebody was asked to tick it. */
type Box = 'withoutOutstanding' | 'asIs' | 'now';

/** A form that was sent and not done: what was typed is shown again. `field`: what is wrong; null: it is not about a field. `box`: it is done if that is ticked. */
export type Tried = { act: MonthAct; values: Readonly<Record<string, string>>; problem: string; field: string | null; box: Box | null };

/** Why something was not done. `invalid`: what was typed makes no sense; else the month's state does not allow it. */
export type Problem = { problem: string; field?: string; box?: Box; isInvalid?: true };
