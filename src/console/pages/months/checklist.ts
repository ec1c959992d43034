import type { MonthReport } from '../../../operations/months/month-report.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { dayName, money, type Tone, tag } from '../../frame/parts.ts';
import { filedForm, makeForm, monthForm, nothingForm, numberForm, rejectedForm, type Shown } from './month-forms.ts';
import { settlePath, sumsOf } from './months-page.ts';

type Mark = 'done' | 'todo' | 'stops' | 'look' | 'waits';
type Step = { name: string; mark: Mark; says: readonly Html[]; form?: Html };

const tones: Readonly<Record<Mark, Tone>> = { done: 'ok', todo: 'attention', stops: 'failing', look: 'attention', waits: 'quiet' };

/** What has to be so before a month is done, each with what a person does about it. */
export function checklist(report: MonthReport, shown: Shown): Html {
  const w = shown.words.month;
  const steps = [whole(report, shown), sums(report, shown), file(report, shown), handed(report, shown), filed(report, shown), answer(report, shown)];
  const item = ({ name, mark, says, form }: Step) =>
    html`<li${attributes({ class: mark })}><h3>${name} ${tag(w.marks[mark], tones[mark])}</h3>
${lines(says)}${form ?? nothing}</li>`;
  return html`<ol class="checklist">
${lines(steps.map(item))}</ol>`;
}

const paragraph = (text: string) => html`<p>${text}</p>`;

function whole({ summary, key }: MonthReport, { words }: Shown): Step {
  const w = words.month.steps;
  const { outstanding, filedWithout } = summary;
  if (outstanding !== undefined) {
    const says = [paragraph(w.wholeStops(outstanding.orders, sumsOf(outstanding, words))), html`<p><a href="${settlePath(key)}">${w.settle}</a></p>`];
    return { name: w.whole, mark: 'stops', says };
  }
  if (filedWithout !== undefined) return { name: w.whole, mark: 'look', says: [paragraph(w.wholeWithout(filedWithout.orders))] };
  return { name: w.whole, mark: 'done', says: [paragraph(w.wholeDone)] };
}

function sums(report: MonthReport, shown: Shown): Step {
  const { words } = shown;
  const w = words.month.steps;
  const [last] = report.versions;
  if (last === undefined) return { name: w.sums, mark: 'waits', says: [paragraph(w.sumsNone)] };
  const { total, vat, returned, orders } = last.sums;
  const inMoney = (amount: string) => money(`${amount} ${report.summary.currency}`, words);
  const f = words.month.facts;
  const figures = html`<dl class="facts"><dt>${f.orders}</dt><dd>${orders}</dd><dt>${f.total}</dt><dd>${inMoney(total)}</dd><dt>${f.vat}</dt><dd>${inMoney(vat)}</dd><dt>${f.returned}</dt><dd>${inMoney(returned)}</dd></dl>`;
  const says = [paragraph(w.sumsOf(last.version)), figures];
  const checked = saidBy(report, shown, 'month.checked');
  if (report.isChecked) return { name: w.sums, mark: 'done', says: [...says, ...checked] };
  if (report.seen.state === 'filed') return { name: w.sums, mark: 'look', says };
  const form = monthForm(report, shown, { act: 'checked', button: words.month.forms.checked, tone: 'second' });
  return { name: w.sums, mark: 'todo', says: [...says, html`<p class="soft">${w.sumsLead}</p>`], form };
}

function file(report: MonthReport, shown: Shown): Step {
  const { summary, versions, seen, isOver } = report;
  const { words } = shown;
  const w = words.month.steps;
  const { situation } = summary;
  const form = isOver && seen.state !== 'filed' && situation.kind !== 'nothing' ? makeForm(report, shown, versions.length > 0) : nothing;
  if (situation.kind === 'blocked')
    return { name: w.file, mark: 'stops', says: [paragraph(words.month.verdict.blocked(situation.errors.length, situation.missingRates.length))], form };
  if (situation.kind === 'empty' || situation.kind === 'returns-only') return withoutOrders(report, shown, form);
  const [last] = versions;
  if (last !== undefined) return madeFile(report, shown, { last, form });
  const planned = situation.kind === 'open' ? situation.generatesOn : null;
  const isOverdue = planned !== null && report.today > planned;
  const says = planned === null || isOverdue ? w.fileLate : w.fileNone(dayName(planned, words.lang));
  return { name: w.file, mark: isOverdue ? 'todo' : 'waits', says: [paragraph(says)], form };
}

type Made = { last: MonthReport['versions'][number]; form: Html };

function madeFile({ summary: { changes, situation } }: MonthReport, { words }: Shown, { last, form }: Made): Step {
  const { steps: w, verdict } = words.month;
  const warnings = last.findings.filter(({ level }) => level === 'warning').length;
  const isWhole = changes.count === 0 || situation.kind !== 'generated';
  const header = changes.rows.flatMap((row) => (row.change === 'header' ? [`${verdict.header[row.field]}: ${verdict.changed(row.from, row.to)}`] : []));
  const lacks = isWhole ? [] : [html`<p><strong>${verdict.lacks(changes.count)}</strong></p>`, ...header.map(paragraph)];
  return { name: w.file, mark: isWhole ? 'done' : 'stops', says: [paragraph(w.fileDone(last.version, warnings)), ...lacks], form };
}

function withoutOrders(report: MonthReport, shown: Shown, form: Html): Step {
  const { steps: w, problem, verdict } = shown.words.month;
  const { situation, returns } = report.summary;
  const says = situation.kind === 'empty' ? problem.empty : verdict.returnsOnly(returns.count);
  return { name: w.file, mark: 'stops', says: [paragraph(says)], form: html`${form}${nothingForm(report, shown)}` };
}

function handed(report: MonthReport, shown: Shown): Step {
  const { words } = shown;
  const w = words.month.steps;
  const { mails, versions, seen, recipients } = report;
  if (versions.length === 0) return { name: w.handed, mark: 'waits', says: [paragraph(w.handedNoFile)] };
  const sent = mails.filter(({ state }) => state === 'sent').length;
  const [waits, failed] = [mails.some(({ state }) => state === 'waiting'), mails.some(({ state }) => state === 'failed')];
  const says = [
    ...(sent > 0 ? [paragraph(w.handedSent(sent))] : []),
    ...(waits ? [paragraph(w.handedWaiting)] : []),
    ...(failed ? [paragraph(w.handedFailed)] : []),
    ...(mails.length === 0 ? [paragraph(w.handedNone)] : []),
  ];
  if (seen.state === 'filed') return { name: w.handed, mark: sent > 0 ? 'done' : 'look', says };
  const { forms } = words.month;
  const fields = [html`<p class="soft">${forms.mailTo(recipients.join(', '))}</p>`];
  const form = monthForm(report, shown, { act: 'mail', button: mails.length === 0 ? forms.mail : forms.mailAgain, fields, tone: 'second' });
  return { name: w.handed, mark: failed ? 'stops' : sent > 0 ? 'done' : 'todo', says, form };
}

function filed(report: MonthReport, shown: Shown): Step {
  const { words } = shown;
  const w = words.month.steps;
  const { seen, versions, isOver } = report;
  if (seen.state === 'filed') {
    const f = words.month.facts;
    const facts = html`<dl class="facts"><dt>${words.month.versions.columns.version}</dt><dd>${seen.filedVersion ?? words.frame.none}</dd><dt>${f.filedOn}</dt><dd>${seen.filedOn === null ? words.frame.none : dayName(seen.filedOn, words.lang)}</dd><dt>${f.incomingNumber}</dt><dd>${seen.incomingNumber ?? words.frame.none}</dd></dl>`;
    return { name: w.filed, mark: 'done', says: [facts, ...saidBy(report, shown, 'month.filed')], form: numberForm(report, shown) };
  }
  if (versions.length === 0 || !isOver) return { name: w.filed, mark: 'waits', says: [paragraph(w.filedNoFile)] };
  return { name: w.filed, mark: 'todo', says: [paragraph(w.filedNot)], form: filedForm(report, shown) };
}

function answer(report: MonthReport, shown: Shown): Step {
  const { words } = shown;
  const w = words.month.steps;
  const { seen, isAccepted } = report;
  if (seen.state === 'rejected') {
    const theirs = seen.rejectedWords === null ? nothing : html`<p>${words.month.facts.words}:</p><pre>${seen.rejectedWords}</pre>`;
    return { name: w.answer, mark: 'stops', says: [paragraph(w.answerRejected), theirs, ...saidBy(report, shown, 'month.rejected')] };
  }
  if (seen.state !== 'filed') return { name: w.answer, mark: 'waits', says: [paragraph(w.answerNot)] };
  const rejected = rejectedForm(report, shown);
  if (isAccepted) return { name: w.answer, mark: 'done', says: [paragraph(w.answerDone), ...saidBy(report, shown, 'month.accepted')], form: rejected };
  const form = html`${monthForm(report, shown, { act: 'accepted', button: words.month.forms.accepted, tone: 'second' })}${rejected}`;
  return { name: w.answer, mark: 'todo', says: [paragraph(w.answerWaits)], form };
}

/** Who said it last. */
function saidBy({ acts }: MonthReport, { words }: Shown, act: string): Html[] {
  const last = acts.find((one) => one.act === act);
  return last?.name == null ? [] : [html`<p class="soft">${words.month.said(last.name)}</p>`];
}
