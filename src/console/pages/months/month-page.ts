import { dayName, monthName } from '../../../contract/local-text.ts';
import { type MonthAct as KeptAct, type MonthReport, type MonthSeen, summaryMarkup } from '../../../operations/months/month-report.ts';
import { may } from '../../../operations/people/rights.ts';
import { attributes } from '../../../web/attributes.ts';
import { mustBeSeen } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import type { Form, Page, PageContext, Reply } from '../../base/page.ts';
import { live, money, type Tone, tag, when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { monthActs } from './month-acts.ts';
import { filedForm, type MonthAct, makeForm, monthForm, nothingForm, numberForm, type Problem, rejectedForm, type Shown, type Tried } from './month-forms.ts';
import { settlePath, sumsOf } from './months-page.ts';
import { missing, monthPath, type OfMonth, ofMonth, reportOf } from './of-month.ts';
import { differencesPage, versionFilePage, versionsView } from './versions.ts';

const FIELDS = ['version', 'incomingNumber', 'filedOn', 'withoutOutstanding', 'asIs', 'now', 'words', 'note'];

const DAY_MS = 24 * 3_600_000;

const tones: Readonly<Record<Mark, Tone>> = { done: 'ok', todo: 'attention', stops: 'failing', look: 'attention', waits: 'quiet' };

const paragraph = (text: string) => html`<p>${text}</p>`;

/** `/console/months/{shop}/{yyyy-mm}`, its forms, its files, and what differs between them. */
export const monthPages: readonly Page[] = [
  { path: '/months/:shop/:month', right: 'months.see', get: (context) => ofMonth(context, (of) => shown(context, of, null)) },
  versionFilePage,
  differencesPage,
  ...(['make', 'checked', 'mail', 'filed', 'number', 'accepted', 'rejected', 'nothing'] as const).map(actPage),
];

function actPage(name: MonthAct): Page {
  return {
    path: `/months/:shop/:month/${name}`,
    right: 'months.see',
    post: { right: 'months.mark', act: (context, form) => ofMonth(context, (of) => acted(context, of, { name, form })) },
  };
}

async function shown(context: PageContext, of: OfMonth, tried: { status: number; tried: Tried } | null): Promise<Reply> {
  const report = await reportOf(context, of);
  if (report === null) return missing(context);
  const { words, person, req } = context;
  const mayMark = may(person.role, 'months.mark');
  const body = monthView(report, { words, may: mayMark, tried: tried?.tried ?? null, wasMaking: req.query['making'] !== undefined });
  const title = `${monthName(of.key.month, words.lang)} – ${of.shop.details.name}`;
  return { ...(tried === null ? {} : { status: tried.status }), title, place: 'months', body };
}

async function acted(context: PageContext, of: OfMonth, { name, form }: { name: MonthAct; form: Form }): Promise<Reply> {
  const report = await reportOf(context, of);
  if (report === null) return missing(context);
  const { seen } = report;
  const { says, act } = monthActs[name];
  mustBeSeen(form, seen, { sent: says(form, context), now: nowWords(seen, context.words) });
  const outcome = await act({ of, form, context, seen });
  if (outcome === null) return { goTo: monthPath(of.key), done: `month-${name}` };
  if (outcome === 'making') return { goTo: `${monthPath(of.key)}?making=1` };
  return shown(context, of, { status: outcome.isInvalid ? 422 : 409, tried: triedWith(name, form, outcome) });
}

function triedWith(act: MonthAct, form: Form, { problem, field, box }: Problem): Tried {
  return { act, values: Object.fromEntries(FIELDS.map((name) => [name, form.text(name)])), problem, field: field ?? null, box: box ?? null };
}

/** The month: what is wrong or next in one sentence, the checklist with its forms, its files, what was done, and its summary. */
function monthView(report: MonthReport, shown: Shown & { wasMaking: boolean }): Html {
  const { words, may, wasMaking, tried } = shown;
  const { tone, sentence } = monthStatus(report, words);
  const { situation } = report.summary;
  const untold = (report.summary.untold ?? []).map(({ month }) => monthName(month, words.lang)).join(', ');
  const isMarkable = report.isOver && situation.kind !== 'not-ours';
  return html`<p><a href="/console/months">${words.month.board}</a></p>
${tried === null ? nothing : html`<p class="banner failing"><strong>${words.month.problem.title}.</strong> ${tried.problem}</p>\n`}<p class="banner ${tone}">${tag(words.months.situations[situation.kind], tone)} ${sentence}</p>
${untold === '' ? nothing : html`<p class="banner failing">${words.month.verdict.untold(untold)}</p>\n`}${report.isBeingMade || wasMaking ? live('making', making(report, words)) : nothing}
<div class="columns"><div>
<h2>${words.month.checklist}</h2>
${may ? nothing : html`<p class="soft">${words.month.seeOnly}</p>\n`}${checklist(report, { ...shown, may: may && isMarkable })}
</div><div>
${facts(report, words)}
${historyView(report, words)}
</div></div>
${versionsView(report, shown)}
${summary(report, words)}`;
}

function making({ isBeingMade, key }: MonthReport, { month: { making: w } }: Shown['words']): Html {
  if (isBeingMade) return html`<p class="banner" role="status">${w.now} <a href="${monthPath(key)}?making=1">${w.again}</a></p>`;
  return html`<p class="banner ok" role="status">${w.done} <a href="${monthPath(key)}">${w.show}</a></p>`;
}

function facts({ summary }: MonthReport, words: Shown['words']): Html {
  const f = words.month.facts;
  const { shop, figures, currency } = summary;
  const inMoney = (amount: string) => money(`${amount} ${currency}`, words);
  const rows: [string, string][] = [
    [f.shop, shop.name],
    [f.company, `${shop.companyName}, ${shop.companyId}`],
    [f.number, shop.shopNumber],
    [f.orders, String(figures.orders)],
    [f.total, inMoney(figures.total)],
    [f.vat, inMoney(figures.vat)],
    [f.returned, inMoney(figures.returned)],
  ];
  return html`<h2>${f.shop}</h2>
<dl class="facts">${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** Open where it says what to mend. */
function summary({ summary: found }: MonthReport, { month: { summary: w }, lang }: Shown['words']): Html {
  const { sections, footer } = summaryMarkup(found);
  const isOpen = found.situation.kind === 'blocked';
  return html`<details class="summary"${attributes({ open: isOpen })}><summary>${w.title}</summary>
${lang === 'bg' ? nothing : html`<p class="soft">${w.bulgarian}</p>\n`}<div lang="bg">
${sections}${footer}</div></details>`;
}

type Status = { tone: Exclude<Tone, 'quiet'> | 'quiet'; sentence: string };

/** The month in one sentence: what is wrong with it, or what is next. */
function monthStatus(report: MonthReport, words: Words): Status {
  const { summary, isOver } = report;
  const w = words.month.verdict;
  const { situation, outstanding, changes } = summary;
  if (situation.kind === 'filed' || situation.kind === 'nothing') return doneStatus(report, words);
  if (isOver && outstanding !== undefined) return { tone: 'failing', sentence: `${w.outstanding(outstanding.orders)} ${term(report, words)}` };
  if (situation.kind === 'generated' && changes.count > 0) return { tone: 'failing', sentence: `${w.lacks(changes.count)} ${term(report, words)}` };
  return openStatus(report, words);
}

function doneStatus({ summary: { situation }, isAccepted }: MonthReport, { month: { verdict: w }, lang }: Words): Status {
  if (situation.kind === 'nothing') return { tone: 'ok', sentence: w.nothing(dayName(situation.settledOn, lang)) };
  const day = situation.kind === 'filed' ? dayName(situation.filedOn, lang) : '';
  return { tone: 'ok', sentence: isAccepted ? w.accepted(day) : w.filed(day) };
}

function openStatus(report: MonthReport, words: Words): Status {
  const {
    month: { verdict: w },
    lang,
  } = words;
  const {
    summary: { situation },
    isOver,
    isChecked,
  } = report;
  const over = term(report, words);
  const tone = daysLeft(report) < 0 ? 'failing' : 'attention';
  switch (situation.kind) {
    case 'generated':
      return { tone, sentence: isChecked ? w.ready(situation.file.version, over) : w.check(situation.file.version, over) };
    case 'rejected':
      return { tone: 'failing', sentence: w.rejected };
    case 'blocked':
      return { tone: 'failing', sentence: w.blocked(situation.errors.length, situation.missingRates.length) };
    case 'returns-only':
      return { tone: 'failing', sentence: w.returnsOnly(report.summary.returns.count) };
    case 'empty':
      return { tone: 'attention', sentence: w.empty(over) };
    case 'not-ours':
      return { tone: 'quiet', sentence: w.notOurs(monthName(situation.since, lang)) };
    case 'open':
      return isOver ? { tone, sentence: w.notMade(over) } : { tone: 'quiet', sentence: w.open(dayName(situation.generatesOn, lang)) };
    default:
      return { tone: 'quiet', sentence: over };
  }
}

function daysLeft({ summary: { deadline }, today }: MonthReport): number {
  return Math.round((Date.parse(deadline) - Date.parse(today)) / DAY_MS);
}

/** How much of the term is left, as a sentence. */
function term(report: MonthReport, { month: { verdict: w }, lang }: Words): string {
  const day = dayName(report.summary.deadline, lang);
  const days = daysLeft(report);
  return days < 0 ? w.over(day) : w.left(day, days);
}

/** Who did what to the month, the newest first. */
function historyView({ acts }: MonthReport, words: Words): Html {
  const w = words.month.history;
  const item = (one: KeptAct) => {
    const version = one.version === null ? '' : ` (${w.version(one.version)})`;
    return html`<li>${when(one.at, words)} <strong>${whoOf(one, words)}</strong>: ${w.acts[one.act] ?? one.act}${version}</li>`;
  };
  return html`<h2>${w.title}</h2>
${acts.length === 0 ? html`<p>${w.none}</p>` : html`<ol class="timeline">${lines(acts.map(item))}</ol>`}`;
}

function whoOf({ who, name }: KeptAct, { month: { history: w } }: Words): string {
  if (name !== null) return name;
  const [kind, ...rest] = who.split(':');
  switch (kind) {
    case 'person':
      return w.gone;
    case 'key':
      return w.key;
    case 'link':
      return w.link;
    case 'cli':
      return w.cli(rest.join(':'));
    default:
      return w.program;
  }
}

/** What a month is now, for somebody whose form was made from something else. */
function nowWords({ state, filedVersion, filedOn, incomingNumber, rejectedWords, note, last, by }: MonthSeen, words: Words): string {
  const w = words.month.stale;
  const now = {
    open: () => w.now.open(last === null ? null : String(last)),
    generated: () => w.now.open(last === null ? null : String(last)),
    filed: () => w.now.filed(String(filedVersion ?? ''), filedOn === null ? '' : dayName(filedOn, words.lang), incomingNumber),
    rejected: () => w.now.rejected(rejectedWords),
    nothing: () => w.now.nothing(note ?? ''),
  };
  return by === null ? now[state]() : w.by(now[state](), by);
}

type Mark = 'done' | 'todo' | 'stops' | 'look' | 'waits';
type Step = { name: string; mark: Mark; says: readonly Html[]; form?: Html };

/** What has to be so before a month is done, each with what a person does about it. */
function checklist(report: MonthReport, shown: Shown): Html {
  const w = shown.words.month;
  const steps = [whole(report, shown), sums(report, shown), file(report, shown), handed(report, shown), filed(report, shown), answer(report, shown)];
  const item = ({ name, mark, says, form }: Step) =>
    html`<li${attributes({ class: mark })}><h3>${name} ${tag(w.marks[mark], tones[mark])}</h3>
${lines(says)}${form ?? nothing}</li>`;
  return html`<ol class="checklist">
${lines(steps.map(item))}</ol>`;
}

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
