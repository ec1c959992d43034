import { dayName, dayText, monthName } from '../../../contract/local-text.ts';
import { type MonthActEntry as KeptAct, type MonthReport, type MonthSeen, summaryMarkup } from '../../../operations/months/month-report.ts';
import { may } from '../../../operations/people/rights.ts';
import { factName, figureFacts, saidFacts, shopFacts } from '../../../service/audit/summary/month-facts.ts';
import { monthStatuses, statusIn, statusOf } from '../../../service/audit/summary/month-status.ts';
import { outstandingWords } from '../../../service/audit/summary/outstanding-words.ts';
import { attributes } from '../../../web/attributes.ts';
import { mustBeSeen } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import type { Form, Page, PageContext, PageReply } from '../../base/page.ts';
import { live, type Tone, tag, when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { monthChart } from '../count-charts.ts';
import { monthActs } from './month-acts.ts';
import {
  filedForm,
  type MonthAct,
  type MonthActTried,
  type MonthFormProblem,
  type MonthFormView,
  makeForm,
  monthForm,
  nothingForm,
  numberForm,
  rejectedForm,
} from './month-forms.ts';
import { settlePath } from './months-page.ts';
import { missing, monthPath, type OfMonth, ofMonth, reportOf } from './of-month.ts';
import { differencesPage, versionFilePage, versionsView } from './versions.ts';

const FIELDS = ['version', 'incomingNumber', 'filedOn', 'withoutOutstanding', 'asIs', 'now', 'words', 'note'];

/** In the tones of the console. */
const statusTones = { good: 'ok', action: 'attention', problem: 'failing', quiet: 'quiet' } as const;

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

async function shown(context: PageContext, of: OfMonth, tried: { status: number; tried: MonthActTried } | null): Promise<PageReply> {
  const report = await reportOf(context, of);
  if (report === null) return missing(context);
  const { words, person, req } = context;
  const mayMark = may(person.role, 'months.mark');
  const chart = await monthChart(context, of.key);
  const body = monthView(report, { words, chart, may: mayMark, tried: tried?.tried ?? null, wasMaking: req.query['making'] !== undefined });
  const title = `${monthName(of.key.month, words.lang)} – ${of.shop.details.name}`;
  return { ...(tried === null ? {} : { status: tried.status }), title, place: 'months', body };
}

async function acted(context: PageContext, of: OfMonth, { name, form }: { name: MonthAct; form: Form }): Promise<PageReply> {
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

function triedWith(act: MonthAct, form: Form, { problem, field, box }: MonthFormProblem): MonthActTried {
  return { act, values: Object.fromEntries(FIELDS.map((name) => [name, form.text(name)])), problem, field: field ?? null, box: box ?? null };
}

/** The month: what is wrong or next in one sentence, the checklist with its forms, its files, what was done, and its summary. */
function monthView(report: MonthReport, shown: MonthFormView & { wasMaking: boolean; chart: Html }): Html {
  const { words, may, wasMaking, tried, chart } = shown;
  const { tone, label, words: sentence } = statusIn(report.summary, words.lang);
  const isMarkable = report.isOver && report.summary.situation.kind !== 'not-ours';
  return html`<p><a href="/console/months">${words.month.board}</a></p>
${tried === null ? nothing : html`<p class="banner failing"><strong>${words.month.notDone}.</strong> ${tried.problem}</p>\n`}<p class="banner ${statusTones[tone]}">${tag(label, statusTones[tone])} ${sentence}</p>
${report.isBeingMade || wasMaking ? live('making', making(report, words)) : nothing}
<div class="columns"><div>
<h2>${words.month.checklist}</h2>
${may ? nothing : html`<p class="soft">${words.month.seeOnly}</p>\n`}${checklist(report, { ...shown, may: may && isMarkable })}
</div><div>
${facts(report, words)}
${historyView(report, words)}
</div></div>
${chart}
${versionsView(report, shown)}
${summary(report, words)}`;
}

function making({ isBeingMade, key }: MonthReport, { month: { making: w } }: MonthFormView['words']): Html {
  if (isBeingMade) return html`<p class="banner" role="status">${w.now} <a href="${monthPath(key)}?making=1">${w.again}</a></p>`;
  return html`<p class="banner ok" role="status">${w.done} <a href="${monthPath(key)}">${w.show}</a></p>`;
}

function facts({ summary: { shop, figures, currency } }: MonthReport, words: MonthFormView['words']): Html {
  const { lang, month } = words;
  return html`<h2>${month.shop}</h2>
${factList([{ label: month.shop, value: shop.name }, ...shopFacts(shop, lang), ...figureFacts(figures, currency, lang)])}`;
}

function factList(facts: readonly { label: string; value: string }[]): Html {
  return html`<dl class="facts">${facts.map(({ label, value }) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`;
}

/** Open where it says what to mend. */
function summary({ summary: found }: MonthReport, { month: { summary: w }, lang }: MonthFormView['words']): Html {
  const { sections, footer } = summaryMarkup(found);
  const isOpen = found.situation.kind === 'blocked';
  return html`<details class="summary"${attributes({ open: isOpen })}><summary>${w.title}</summary>
${lang === 'bg' ? nothing : html`<p class="soft">${w.bulgarian}</p>\n`}<div lang="bg">
${sections}${footer}</div></details>`;
}

/** Who did what to the month, the newest first. */
function historyView({ acts }: MonthReport, words: Words): Html {
  const w = words.month.history;
  const item = (one: KeptAct) => {
    const version = one.version === null ? '' : ` (${w.version(one.version)})`;
    return html`<li>${when(one.at, words, 'second')} <strong>${whoOf(one, words)}</strong>: ${w.acts[one.act] ?? one.act}${version}</li>`;
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
    open: () => w.open(last),
    generated: () => w.open(last),
    filed: () => w.filed(String(filedVersion ?? ''), filedOn === null ? '' : dayName(filedOn, words.lang), incomingNumber ?? ''),
    rejected: () => (rejectedWords === null ? monthStatuses.rejected.name[words.lang] : w.rejected(rejectedWords)),
    nothing: () => w.nothing(note ?? ''),
  };
  return by === null ? now[state]() : w.by(now[state](), by);
}

type Mark = 'done' | 'todo' | 'stops' | 'look' | 'waits';
type Step = { name: string; mark: Mark; says: readonly Html[]; form?: Html };

/** What has to be so before a month is done, each with what a person does about it. */
function checklist(report: MonthReport, shown: MonthFormView): Html {
  const w = shown.words.month;
  const steps = [whole(report, shown), sums(report, shown), file(report, shown), handed(report, shown), filed(report, shown), answer(report, shown)];
  const item = ({ name, mark, says, form }: Step) =>
    html`<li${attributes({ class: mark })}><h3>${name} ${tag(w.marks[mark], tones[mark])}</h3>
${lines(says)}${form ?? nothing}</li>`;
  return html`<ol class="checklist">
${lines(steps.map(item))}</ol>`;
}

function whole({ summary, key }: MonthReport, { words }: MonthFormView): Step {
  const w = words.month.steps;
  const { outstanding, filedWithout } = summary;
  if (outstanding !== undefined) {
    const says = [paragraph(`${outstandingWords(outstanding, key.month, words.lang)}.`), html`<p><a href="${settlePath(key)}">${w.settle}</a></p>`];
    return { name: w.whole, mark: 'stops', says };
  }
  if (filedWithout !== undefined) return { name: w.whole, mark: 'look', says: [paragraph(w.wholeWithout(filedWithout.orders))] };
  return { name: w.whole, mark: 'done', says: [paragraph(w.wholeDone)] };
}

function sums(report: MonthReport, shown: MonthFormView): Step {
  const { words } = shown;
  const w = words.month.steps;
  const [last] = report.versions;
  if (last === undefined) return { name: w.sums, mark: 'waits', says: [paragraph(w.sumsNone)] };
  const says = [paragraph(w.sumsOf(last.version)), factList(figureFacts(last.sums, report.summary.currency, words.lang))];
  const checked = saidBy(report, shown, 'month.checked');
  if (report.isChecked) return { name: w.sums, mark: 'done', says: [...says, ...checked] };
  if (report.seen.state === 'filed') return { name: w.sums, mark: 'look', says };
  const form = monthForm(report, shown, { act: 'checked', button: words.month.checked, tone: 'second' });
  return { name: w.sums, mark: 'todo', says: [...says, html`<p class="soft">${w.sumsLead}</p>`], form };
}

function file(report: MonthReport, shown: MonthFormView): Step {
  const { summary, versions, seen, isOver } = report;
  const { words } = shown;
  const w = words.month.steps;
  const { situation } = summary;
  const form = isOver && seen.state !== 'filed' && situation.kind !== 'nothing' ? makeForm(report, shown) : nothing;
  const said = () => [paragraph(statusIn(summary, words.lang).words)];
  if (situation.kind === 'blocked') return { name: w.file, mark: 'stops', says: said(), form };
  if (situation.kind === 'empty' || situation.kind === 'returns-only')
    return { name: w.file, mark: 'stops', says: said(), form: html`${form}${nothingForm(report, shown)}` };
  const [last] = versions;
  if (last !== undefined) return madeFile(report, shown, { last, form });
  const isOverdue = statusOf(summary) === 'overdue';
  const says = situation.kind === 'open' && !isOverdue ? w.fileNone(dayText(situation.generatesOn, words.lang)) : w.fileLate;
  return { name: w.file, mark: isOverdue ? 'todo' : 'waits', says: [paragraph(says)], form };
}

function madeFile({ summary }: MonthReport, { words }: MonthFormView, { last, form }: { last: MonthReport['versions'][number]; form: Html }): Step {
  const w = words.month.steps;
  const warnings = last.findings.filter(({ level }) => level === 'warning').length;
  const isWhole = statusOf(summary) !== 'outdated';
  const lacks = isWhole ? [] : [html`<p><strong>${statusIn(summary, words.lang).words}</strong></p>`];
  return { name: w.file, mark: isWhole ? 'done' : 'stops', says: [paragraph(w.fileDone(last.version, warnings)), ...lacks], form };
}

function handed(report: MonthReport, shown: MonthFormView): Step {
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
  const { mail, mailAgain, mailTo } = words.month;
  const fields = [html`<p class="soft">${mailTo(recipients.join(', '))}</p>`];
  const form = monthForm(report, shown, { act: 'mail', button: mails.length === 0 ? mail : mailAgain, fields, tone: 'second' });
  return { name: w.handed, mark: failed ? 'stops' : sent > 0 ? 'done' : 'todo', says, form };
}

function filed(report: MonthReport, shown: MonthFormView): Step {
  const { words } = shown;
  const w = words.month.steps;
  const { seen, versions, isOver } = report;
  if (seen.state === 'filed') {
    const { version } = words.month.lists;
    const facts = factList([{ label: version, value: String(seen.filedVersion ?? words.frame.none) }, ...saidFacts(report.summary, words.lang)]);
    return { name: w.filed, mark: 'done', says: [facts, ...saidBy(report, shown, 'month.filed')], form: numberForm(report, shown) };
  }
  if (versions.length === 0 || !isOver) return { name: w.filed, mark: 'waits', says: [paragraph(w.filedNoFile)] };
  return { name: w.filed, mark: 'todo', says: [paragraph(w.filedNot)], form: filedForm(report, shown) };
}

function answer(report: MonthReport, shown: MonthFormView): Step {
  const { words } = shown;
  const w = words.month.steps;
  const { seen, isAccepted } = report;
  if (seen.state === 'rejected') {
    const theirs = seen.rejectedWords === null ? nothing : html`<p>${factName('rejectedWords', words.lang)}:</p><pre>${seen.rejectedWords}</pre>`;
    return { name: w.answer, mark: 'stops', says: [paragraph(w.answerRejected), theirs, ...saidBy(report, shown, 'month.rejected')] };
  }
  if (seen.state !== 'filed') return { name: w.answer, mark: 'waits', says: [paragraph(w.answerNot)] };
  const rejected = rejectedForm(report, shown);
  if (isAccepted) return { name: w.answer, mark: 'done', says: [paragraph(w.answerDone), ...saidBy(report, shown, 'month.accepted')], form: rejected };
  const form = html`${monthForm(report, shown, { act: 'accepted', button: words.month.accepted, tone: 'second' })}${rejected}`;
  return { name: w.answer, mark: 'todo', says: [paragraph(w.answerWaits)], form };
}

/** Who said it last. */
function saidBy({ acts }: MonthReport, { words }: MonthFormView, act: string): Html[] {
  const last = acts.find((one) => one.act === act);
  return last?.name == null ? [] : [html`<p class="soft">${words.month.said(last.name)}</p>`];
}
