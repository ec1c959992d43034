import type { FetchedSheet, ImportedSheets, ShownRates } from '../../../operations/service/rates.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { coded } from '../../frame/coded.ts';
import { dayName, table } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';

/** `hasSource`: an address of the bank is set. `form`: what the form was made from. */
type Around = { hasSource: boolean; mayChange: boolean; form: Html };

const HERE = '/console/destinations/rates';

/** What is stored, what orders wait for, and the two ways to more. */
export function ratesView(rates: ShownRates, { hasSource, mayChange, form }: Around, words: Words): Html {
  const { rates: say } = words;
  const { newest } = rates;
  return html`<p>${say.intro}</p>
<p><strong>${newest === null ? say.none : say.newest(dayName(newest, words.lang))}</strong></p>
${missingPart(rates, words)}${mayChange ? verbs({ hasSource, form }, words) : nothing}${storedPart(rates, words)}`;
}

function missingPart({ missing }: ShownRates, words: Words): Html {
  const { rates: say } = words;
  if (missing.length === 0) return html`<p>${say.nothingWaits}</p>\n`;
  return html`<h2>${say.waiting}</h2>
<p class="problem">${say.waitingHint}</p>
${table({
  caption: say.waiting,
  columns: [{ name: say.day }, { name: say.currency }, { name: say.orders, n: true }],
  rows: missing.map(({ day, currency, orders }) => [html`${dayName(day, words.lang)}`, html`${currency}`, html`${orders}`]),
})}`;
}

function verbs({ hasSource, form }: Pick<Around, 'hasSource' | 'form'>, { rates: say }: Words): Html {
  const fetch = html`<form method="post" action="${HERE}">${form}<p class="verbs"><button>${say.fetch}</button></p></form>\n`;
  const box = (name: string, label: string) => html`<p><label><input type="checkbox" name="${name}" value="1"> ${label}</label></p>\n`;
  return html`${hasSource ? fetch : html`<p>${coded(say.noSource)}</p>\n`}<h2>${say.importTitle}</h2>
<form method="post" action="${HERE}/import" enctype="multipart/form-data">
<div class="field"><label for="file">${say.file}</label>
<p class="hint" id="file-hint">${say.fileHint}</p><input id="file" name="file" type="file" accept=".xml,text/xml,application/xml" required aria-describedby="file-hint"></div>
${box('replace', say.replace)}${box('complete', say.complete)}<p class="verbs"><button class="second">${say.import}</button></p>
</form>
`;
}

function storedPart({ newest, rates, sheets }: ShownRates, words: Words): Html {
  const { rates: say } = words;
  if (newest === null) return nothing;
  const list = table({
    caption: say.sheets,
    columns: [{ name: say.day }, { name: say.count, n: true }],
    rows: sheets.map((sheet) => [html`${dayName(sheet.publishedOn, words.lang)}`, html`${sheet.rates}`]),
  });
  const newestOnes = table({
    caption: say.ofNewest,
    columns: [{ name: say.currency }, { name: say.rate }],
    rows: rates.map(({ currency, base, multiply, divide }) => [html`${currency}`, html`${divide} ${currency} = ${multiply} ${base}`]),
  });
  return html`<h2>${say.sheets}</h2>
${list}<details><summary>${say.ofNewest}</summary>
${newestOnes}</details>
`;
}

/** What a fetch brought. */
export function fetchedWords({ fetched, days, filledIn, again }: FetchedSheet, words: Words): string[] {
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
export function importedWords({ sheets, added, unchanged, replaced, waiting }: Extract<ImportedSheets, { ok: true }>, words: Words): string[] {
  const [first] = sheets;
  const last = sheets.at(-1) ?? first;
  const days = first === last ? dayName(first, words.lang) : `${dayName(first, words.lang)} – ${dayName(last, words.lang)}`;
  return [words.rates.imported(days, { added, replaced, unchanged }), ...filledWords(waiting, words)];
}

function filledWords({ filled, missing }: { filled: number; missing: number }, { rates: say }: Words): string[] {
  return [...(filled === 0 ? [] : [say.filled(filled)]), ...(missing === 0 ? [] : [say.stillWait(missing)])];
}
