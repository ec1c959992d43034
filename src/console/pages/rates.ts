import { dayName } from '../../contract/local-text.ts';
import { may } from '../../operations/people/rights.ts';
import { type FetchedSheet, fetchNewestSheet, type ImportedSheets, importSheets, type ShownRates, showRates } from '../../operations/service/rates.ts';
import { button, field, formTo, mustBeSeen, problemList, tick } from '../../web/forms.ts';
import { type Html, html, nothing } from '../../web/html.ts';
import { table } from '../../web/tables.ts';
import { uploadOf } from '../base/form.ts';
import type { Form, Page, PageContext, PageReply, ShownPage } from '../base/page.ts';
import { coded } from '../frame/parts.ts';
import type { Words } from '../messages/messages.ts';
import { missingPage } from '../problem-pages.ts';

/** A year of the bank's sheets, and more. */
const FILE_BYTES = 16 * 1024 * 1024;
/** The newest sheet, and a few of missed days. */
const LONGEST_MS = 60_000;

const HERE = '/console/destinations/rates';

/** `GET, POST /console/destinations/rates`: the exchange rates of our own service, and their newest sheet. */
export const ratesPage: Page = {
  path: '/destinations/rates',
  right: 'settings.change',
  get: (context) => ratesShown(context, nothing),
  post: { right: 'settings.change', act: fetchNow },
};

/** `POST /console/destinations/rates/import`: an XML file of the bank. */
export const importRatesPage: Page = { path: '/destinations/rates/import', right: 'settings.change', post: { right: 'settings.change', act: importFile } };

async function ratesShown({ deps, words, person }: PageContext, said: Html, status = 200): Promise<ShownPage> {
  if (deps.service === null) return missingPage(words);
  const rates = await showRates(deps);
  const view = ratesView(rates, { hasSource: deps.config.bnbRatesUrl !== null, mayChange: may(person.role, 'settings.change') }, words);
  const back = html`<p><a href="/console/destinations">${words.destinations.title}</a></p>\n`;
  return { status, title: words.rates.title, place: 'destinations', body: html`${back}${said}${view}` };
}

async function fetchNow(context: PageContext, form: Form): Promise<PageReply> {
  const { deps, words, by } = context;
  if (deps.service === null) return missingPage(words);
  const { newest } = await showRates(deps);
  mustBeSeen(form, newest, { sent: words.rates.fetch, now: words.rates.newest(newest ?? words.frame.none) });
  const { bnbRatesUrl: url, bnbRatesDayUrl: dayUrl } = deps.config;
  if (url === null) return ratesShown(context, nothing, 422);
  const signal = AbortSignal.any([deps.stop, AbortSignal.timeout(LONGEST_MS)]);
  const fetched: FetchedSheet = await fetchNewestSheet(deps, { url, dayUrl, signal, by });
  return ratesShown(context, notice(fetchedWords(fetched, words)));
}

async function importFile(context: PageContext): Promise<PageReply> {
  const { deps, words, req, by } = context;
  if (deps.service === null) return missingPage(words);
  const upload = await uploadOf(req, FILE_BYTES);
  const content = upload === null ? null : await upload.file('file', 'xml');
  if (upload === null || content === null)
    return ratesShown(context, refused([], words.rates.notImported, [words.rates.noFile(FILE_BYTES / 1024 / 1024)]), 422);
  const [replace, complete] = [upload.text('replace') === '1', upload.text('complete') === '1'];
  const imported: ImportedSheets = await importSheets(deps, { content, replace, complete, by });
  if (imported.ok) return ratesShown(context, notice(importedWords(imported, words)));
  const advice = imported.different ? [words.rates.different] : [];
  return ratesShown(context, refused(imported.problems, words.rates.notImported, advice), 422);
}

function notice(sentences: readonly string[]): Html {
  return html`<div class="banner ok" role="status">${sentences.map((words) => html`<p>${words}</p>`)}</div>\n`;
}

/** `problems`: what is wrong with the file, in English as the program reads it. */
function refused(problems: readonly string[], words: string, advice: readonly string[] = []): Html {
  const said = [...problems.map((problem) => html`<span lang="en">${problem}</span>`), ...advice];
  return problemList(words, said);
}

/** `hasSource`: an address of the bank is set. */
type RatesContext = { hasSource: boolean; mayChange: boolean };

/** What is stored, what orders wait for, and the two ways to more. */
function ratesView(rates: ShownRates, { hasSource, mayChange }: RatesContext, words: Words): Html {
  const { rates: say } = words;
  const { newest } = rates;
  return html`<p>${say.intro}</p>
<p><strong>${newest === null ? say.none : say.newest(dayName(newest, words.lang))}</strong></p>
${missingPart(rates, words)}${mayChange ? verbs(newest, hasSource, words) : nothing}${storedPart(rates, words)}`;
}

function missingPart({ missing }: ShownRates, words: Words): Html {
  const { rates: say } = words;
  if (missing.length === 0) return html`<p>${say.nothingWaits}</p>\n`;
  return html`<h2>${say.waiting}</h2>
<p class="problem">${say.waitingHint}</p>
${table({
  caption: say.waiting,
  columns: [
    { name: say.day, cell: ({ day }) => dayName(day, words.lang) },
    { name: say.currency, cell: ({ currency }) => currency },
    { name: say.orders, n: true, cell: ({ orders }) => orders },
  ],
  rows: missing,
})}`;
}

/** A fetch changes which sheet is the newest. */
function verbs(newest: string | null, hasSource: boolean, { rates: say }: Words): Html {
  const accept = '.xml,text/xml,application/xml';
  const fields = html`${field({ name: 'file', label: say.file, hint: say.fileHint, type: 'file', required: true, more: { accept } })}
${tick({ name: 'replace', value: '1', label: say.replace })}
${tick({ name: 'complete', value: '1', label: say.complete })}`;
  return html`${hasSource ? formTo(HERE, { seen: newest, body: nothing, buttons: [button(say.fetch)] }) : html`<p>${coded(say.noSource)}</p>\n`}<h2>${say.importTitle}</h2>
${formTo(`${HERE}/import`, { more: { enctype: 'multipart/form-data' }, body: fields, buttons: [button(say.import, { class: 'second' })] })}`;
}

function storedPart({ newest, rates, sheets }: ShownRates, words: Words): Html {
  const { rates: say } = words;
  if (newest === null) return nothing;
  const list = table({
    caption: say.sheets,
    columns: [
      { name: say.day, cell: ({ publishedOn }) => dayName(publishedOn, words.lang) },
      { name: say.count, n: true, cell: (sheet) => sheet.rates },
    ],
    rows: sheets,
  });
  const newestOnes = table({
    caption: say.ofNewest,
    columns: [
      { name: say.currency, cell: ({ currency }) => currency },
      { name: say.rate, cell: ({ currency, base, multiply, divide }) => `${divide} ${currency} = ${multiply} ${base}` },
    ],
    rows: rates,
  });
  return html`<h2>${say.sheets}</h2>
${list}<details><summary>${say.ofNewest}</summary>
${newestOnes}</details>
`;
}

/** What a fetch brought. */
function fetchedWords({ fetched, days, filledIn, again }: FetchedSheet, words: Words): string[] {
  const { rates: say } = words;
  return [
    say.fetched(dayName(fetched.sheet, words.lang), fetched.added, fetched.unchanged),
    ...(again ? [say.late] : []),
    ...(days === null || days.fetched.length === 0 ? [] : [say.days(days.fetched.map((day) => dayName(day, words.lang)).join(', '))]),
    ...(days === null || days.missed.length === 0 ? [] : [say.missed(days.missed.map((day) => dayName(day, words.lang)).join(', '))]),
    ...filledWords(filledIn, words),
  ];
}

/** What a file brought. */
function importedWords({ sheets, added, unchanged, replaced, waiting }: Extract<ImportedSheets, { ok: true }>, words: Words): string[] {
  const [first] = sheets;
  const last = sheets.at(-1) ?? first;
  const days = first === last ? dayName(first, words.lang) : `${dayName(first, words.lang)} – ${dayName(last, words.lang)}`;
  return [words.rates.imported(days, { added, replaced, unchanged }), ...filledWords(waiting, words)];
}

function filledWords({ filled, missing }: { filled: number; missing: number }, { rates: say }: Words): string[] {
  return [...(filled === 0 ? [] : [say.filled(filled)]), ...(missing === 0 ? [] : [say.stillWait(missing)])];
}
