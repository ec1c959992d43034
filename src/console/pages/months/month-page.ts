import { type MonthAct as KeptAct, type MonthReport, type MonthSeen, summaryMarkup } from '../../../operations/months/month-report.ts';
import { may } from '../../../operations/people/rights.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import type { Form, Page, PageContext, Reply } from '../../base/page.ts';
import { dayName, live, money, monthName, type Tone, tag, when } from '../../frame/parts.ts';
import { mustBeSeen } from '../../frame/stale.ts';
import type { Words } from '../../messages/messages.ts';
import { checklist } from './checklist.ts';
import { monthActs } from './month-acts.ts';
import type { MonthAct, Problem, Shown, Tried } from './month-forms.ts';
import { missing, monthPath, type OfMonth, ofMonth, reportOf } from './of-month.ts';
import { differencesPage, versionFilePage, versionsView } from './versions.ts';

const FIELDS = ['version', 'incomingNumber', 'filedOn', 'withoutOutstanding', 'asIs', 'now', 'words', 'note'];

const DAY_MS = 24 * 3_600_000;

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
