import { limits } from '../../contract/limits.ts';
import { button, field, formTo, hidden, tick } from '../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../web/html.ts';
import { composePage, headOf, skippedSection } from '../audit/summary/compose-page.ts';
import { saidFacts } from '../audit/summary/month-facts.ts';
import { type ActRefusal, type FormField, refusalText } from '../audit/summary/month-messages.ts';
import { statusOf } from '../audit/summary/month-status.ts';
import { summaryFooter, summaryHead, summarySections } from '../audit/summary/render-summary.ts';
import { summaryLimits } from '../audit/summary/summary-page.ts';
import { sofiaDay } from '../law/calendar.ts';
import type { MonthView } from '../reading/month-view.ts';
import type { ActName, PortalMessages } from './messages.ts';
import { pageDocument } from './page-document.ts';
import { FILE_KINDS, type PortalPaths } from './portal-paths.ts';

/** `done`: what was just done, by the address that a form led to; `other`: this page in the other language. */
type Shown = Forms & { done: ActName | null; other: string };

/** The page of a month: its status first, what can be said of it, its files, and the whole summary. */
export function monthPage(view: MonthView, shown: Shown): string {
  const { words } = shown;
  const composed = composePage(view.summary, { occasion: 'summary', limits: summaryLimits, way: { kind: 'page' } });
  return pageDocument({
    lang: words.lang,
    title: `${words.month(view.key.month)} – ${view.summary.shop.name}`,
    body: html`<main class="sheet">
${ways(shown)}
${notice(view, shown)}${summaryHead(headOf(view.summary, words.lang))}
${said(view, shown)}${monthForms(view, shown)}
${files(view, shown)}
${summarySections(skippedSection(view.summary, summaryLimits.rows, words.lang))}
${words.bulgarianOnly === '' ? nothing : html`<p class="detail">${words.bulgarianOnly}</p>\n`}<div lang="bg">
${summarySections(composed.sections)}${summaryFooter(composed.footer)}
</div>
</main>`,
  });
}

function ways({ words, paths, other }: Shown): Html {
  const lang = words.lang === 'bg' ? 'en' : 'bg';
  return html`<nav class="ways" aria-label="${words.ways.label}"><a href="${paths.all}">${words.ways.all}</a><a href="${other}" lang="${lang}" hreflang="${lang}">${words.ways.other}</a></nav>`;
}

/** What became of the last form. */
function notice({ stored }: MonthView, { words, tried, done }: Shown): Html {
  if (tried !== null) {
    return html`<div class="status problem" role="alert"><p class="badge">${words.acts.notSaved}</p><p class="words">${refusalText(tried.refusal, words.lang)}</p></div>\n`;
  }
  // The address alone proves nothing: what it says must be so.
  if (done === null || !(done === 'again' ? stored.state === 'generated' : stored.state === done)) return nothing;
  return html`<div class="status good" role="status"><p class="badge">${words.acts.saved}</p><p class="words">${words.act[done].done}</p></div>\n`;
}

/** What people said of the month. */
function said({ summary }: MonthView, { words }: Shown): Html {
  const facts = saidFacts(summary, words.lang);
  const rows = facts.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`);
  return rows.length === 0 ? nothing : html`<dl class="said">\n${lines(rows)}</dl>\n`;
}

function files({ key, versions, stored }: MonthView, { words, paths }: Shown): Html {
  const { lists: w } = words;
  const row = ({ version, createdAt, bytes }: MonthView['versions'][number]) => {
    const mark = stored.state === 'filed' && stored.filedVersion === version ? html` <span class="filed-mark">${w.filed}</span>` : nothing;
    const { xml, csv, summary } = w.formats;
    const names = { xml, csv, html: summary };
    const links = FILE_KINDS.map(
      (kind) => html`<a href="${paths.file(key, version, kind)}" download="" aria-label="${w.formatOf(names[kind], version)}">${names[kind]}</a> `,
    );
    return html`<tr><td>${version}${mark}</td><td>${words.moment(createdAt)}</td><td>${links}</td><td class="n">${w.bytes(bytes)}</td></tr>`;
  };
  return html`<section class="quiet">
<h2 id="files">${w.versions}</h2>
${
  versions.length === 0
    ? html`<p>${w.noVersion}</p>\n`
    : html`<p>${w.formatsLead}</p>
<div class="scroll files" role="region" aria-labelledby="files" tabindex="0">
<table>
<thead><tr><th scope="col">${w.version}</th><th scope="col">${w.made}</th><th scope="col">${w.download}</th><th scope="col" class="n">${w.size}</th></tr></thead>
<tbody>
${lines(versions.map(row))}</tbody>
</table>
</div>\n`
}</section>`;
}

/** A form that was sent and refused: what was typed is shown again. */
export type PortalActTried = { act: ActName; values: Readonly<Record<string, string>>; refusal: ActRefusal };

/** `token`: proves that a form is of this page. */
type Forms = { words: PortalMessages; paths: PortalPaths; token: string; tried: PortalActTried | null };

/** The forms of what can be done with a month now. */
function monthForms(view: MonthView, forms: Forms): Html {
  const { words } = forms;
  const acts = possibleActs(view);
  return html`<section id="acts" class="action">
<h2>${words.acts.title}</h2>
${acts.length === 0 ? html`<p>${words.acts.none}</p>\n` : lines(acts.map((act) => formHtml(act, view, forms)))}</section>`;
}

/** What can be done now, the most likely first: a file that lacks something is made again before it is filed. */
function possibleActs({ isOver, summary, stored, versions }: MonthView): ActName[] {
  // The agency's number may come later than the file was marked, or be mistyped.
  if (stored.state === 'filed') return stored.incomingNumber === null ? ['filed', 'rejected'] : ['rejected', 'filed'];
  const { kind } = summary.situation;
  if (!isOver || kind === 'not-ours' || kind === 'test') return [];
  if (kind === 'returns-only') return ['nothing', 'again'];
  if (versions.length === 0) return kind === 'empty' && stored.state === 'open' ? ['nothing', 'again'] : ['again'];
  return statusOf(summary) === 'generated' ? ['filed', 'again'] : ['again', 'filed'];
}

function formHtml(act: ActName, view: MonthView, { words, paths, token, tried }: Forms): Html {
  const filled: Filled = { view, words, tried: tried?.act === act ? tried : null };
  const { heading, lead, button: press } = namesOf(act, view, words);
  const body = html`<h3 id="form-${act}">${heading}</h3>
<p>${lead}</p>
${lines(fields[act](filled))}`;
  const more = { 'aria-labelledby': `form-${act}` };
  return formTo(paths.act(view.key, act), { more, hidden: { form: token }, body, buttons: [button(press)] });
}

function namesOf(act: ActName, { stored, summary }: MonthView, { act: acts }: PortalMessages): PortalMessages['act']['returns'] {
  if (act === 'filed' && stored.state === 'filed') return acts.correct;
  return act === 'nothing' && summary.situation.kind === 'returns-only' ? acts.returns : acts[act];
}

type Filled = { view: MonthView; words: PortalMessages; tried: PortalActTried | null };

const fields: Readonly<Record<ActName, (filled: Filled) => readonly Html[]>> = {
  filed: (filled) => [
    versionField(filled),
    fieldOf(filled, 'incomingNumber', {
      value: typedOr(filled, 'incomingNumber'),
      required: hasNumber(filled.view),
      autocomplete: 'off',
      more: { maxlength: limits.incomingNumber },
    }),
    fieldOf(filled, 'filedOn', { value: typedOr(filled, 'filedOn'), type: 'date', required: true, more: { max: filled.view.today } }),
    ...confirmations(filled),
  ],
  rejected: (filled) => [longField(filled, 'words', limits.rejectedWords)],
  again: () => [],
  nothing: (filled) => [
    longField(filled, 'note', limits.nothingNote),
    ...(filled.view.summary.situation.kind === 'returns-only' ? [hidden('withReturns', 'yes')] : []),
  ],
};

function label({ view, words }: Filled, field: FormField): Html {
  const optional = field === 'incomingNumber' && !hasNumber(view) ? html` <span class="optional">(${words.acts.optional})</span>` : nothing;
  return html`<label for="${field}">${words.act.fields[field]}${optional}</label>`;
}

function fieldOf(filled: Filled, name: FormField, of: Omit<Parameters<typeof field>[0], 'name' | 'label' | 'problem'>): Html {
  const { words, tried } = filled;
  const isWrong =
    tried !== null && ((tried.refusal.why === 'unreadable' && tried.refusal.field === name) || (tried.refusal.why === 'wrong-day' && name === 'filedOn'));
  return field({ name, label: label(filled, name), problem: isWrong ? refusalText(tried.refusal, words.lang) : null, ...of });
}

function versionField(filled: Filled): Html {
  const { view, words, tried } = filled;
  const chosen = tried?.values['version'] ?? String(view.stored.filedVersion ?? view.versions[0]?.version);
  const { state, filedVersion } = view.stored;
  const choice = view.versions.filter(({ version }) => state !== 'filed' || version === filedVersion);
  return fieldOf(filled, 'version', { value: chosen, options: choice.map((one) => [String(one.version), words.act.versionOf(one)] as const) });
}

function typedOr({ view, tried }: Filled, name: 'incomingNumber' | 'filedOn'): string {
  return tried?.values[name] ?? saidBefore(view)[name];
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

function longField(filled: Filled, name: 'words' | 'note', maxlength: number): Html {
  return fieldOf(filled, name, { value: filled.tried?.values[name] ?? '', rows: 4, required: true, more: { maxlength } });
}

// Asked for only where they are needed: a box that is always there is ticked without being read.
function confirmations({ view: { summary }, words, tried }: Filled): readonly Html[] {
  const box = (name: 'withoutOutstanding' | 'asIs') => tick({ name, label: words.act[name], isOn: tried?.values[name] === 'yes' });
  const why = tried?.refusal.why;
  return [
    ...(summary.outstanding !== undefined || why === 'outstanding' ? [box('withoutOutstanding')] : []),
    ...(summary.changes.count > 0 || why === 'outdated' ? [box('asIs')] : []),
  ];
}
