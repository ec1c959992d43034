import { may } from '../../../operations/people/rights.ts';
import { type FetchedSheet, fetchNewestSheet, type ImportedSheets, importSheets, type ShownRates, showRates } from '../../../operations/service/rates.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import type { Form, Page, PageContext, Reply, Shown } from '../../base/page.ts';
import { uploadOf } from '../../base/upload-of.ts';
import { seen } from '../../frame/parts.ts';
import { mustBeSeen } from '../../frame/stale.ts';
import { missingPage } from '../../problem-pages.ts';
import { fetchedWords, importedWords, ratesView } from './rates-view.ts';

/** A year of the bank's sheets, and more. */
const FILE_BYTES = 16 * 1024 * 1024;
/** The newest sheet, and a few of missed days. */
const LONGEST_MS = 60_000;

/** `GET, POST /console/destinations/rates`: the exchange rates of our own service, and their newest sheet. */
export const ratesPage: Page = {
  path: '/destinations/rates',
  right: 'settings.change',
  get: (context) => ratesShown(context, nothing),
  post: { right: 'settings.change', act: fetchNow },
};

/** `POST /console/destinations/rates/import`: an XML file of the bank. */
export const importRatesPage: Page = { path: '/destinations/rates/import', right: 'settings.change', post: { right: 'settings.change', act: importFile } };

async function ratesShown({ deps, words, person }: PageContext, said: Html, status = 200): Promise<Shown> {
  if (deps.service === null) return missingPage(words);
  const rates = await showRates(deps);
  const view = ratesView(
    rates,
    { hasSource: deps.config.bnbRatesUrl !== null, mayChange: may(person.role, 'settings.change'), form: seen(stateOf(rates)) },
    words,
  );
  const back = html`<p><a href="/console/destinations">${words.destinations.title}</a></p>\n`;
  return { status, title: words.rates.title, place: 'destinations', body: html`${back}${said}${view}` };
}

/** The newest sheet, which a fetch changes. */
function stateOf({ newest }: ShownRates): unknown {
  return newest;
}

async function fetchNow(context: PageContext, form: Form): Promise<Reply> {
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

async function importFile(context: PageContext): Promise<Reply> {
  const { deps, words, req, by } = context;
  if (deps.service === null) return missingPage(words);
  const upload = await uploadOf(req, FILE_BYTES);
  const content = upload === null ? null : await upload.file('file');
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
  const said = [...problems.map((problem) => html`<li lang="en">${problem}</li>`), ...advice.map((one) => html`<li>${one}</li>`)];
  return html`<div class="banner failing" role="alert"><h2>${words}</h2><ul>${lines(said)}</ul></div>\n`;
}
