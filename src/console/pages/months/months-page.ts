import { dayName, monthName } from '../../../contract/local-text.ts';
import { BOARD_COLUMNS, type BoardCard, type BoardColumn, MOST_SHOPS, type MonthBoard, monthBoard, monthsOf } from '../../../operations/months/month-board.ts';
import { ledgerOutstanding, type ShopOutstanding } from '../../../operations/months/outstanding.ts';
import { codeWords } from '../../../operations/words.ts';
import type { AuditDeps } from '../../../service/audit/month/generate-month.ts';
import { type BoardShop, boardShops } from '../../../service/audit/month/month-board.ts';
import { monthStatus, monthStatuses } from '../../../service/audit/summary/month-status.ts';
import { moneyWords } from '../../../service/audit/summary/outstanding-words.ts';
import { button, field, formTo } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { type Columns, table } from '../../../web/tables.ts';
import type { Page, PageContext, PageReply } from '../../base/page.ts';
import { coded, listAddress, money, namedOptions, type Tone, tag, when } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { monthPath, olderPath } from './of-month.ts';

/** `GET /console/months`: what is to be done for each month of each shop; `?month=`: of that month alone, or the page of the one that is left; `?older=1`: all months of a shop. */
export const monthsPage: Page = {
  path: '/months',
  right: 'months.see',
  async get(context) {
    const { deps, person, words } = context;
    if (deps.service === null) {
      const outstanding = await ledgerOutstanding(deps, person.shops);
      return { title: words.months.title, place: 'months', body: foreignView(outstanding, words) };
    }
    return shownBoard(context, deps.service);
  },
};

async function shownBoard({ req, person, words }: PageContext, { audit }: NonNullable<PageContext['deps']['service']>): Promise<PageReply> {
  const shops = await boardShops(audit.pool, person.shops);
  const shop = shops.find(({ id }) => id === req.query['shop']) ?? null;
  if (req.query['older'] !== undefined) return olderMonths(audit, { shops, shop }, words);
  const month = String(req.query['month'] ?? '');
  // The cards of so many shops are no board: the list has them by their terms, in pages.
  if (shop === null && shops.length > MOST_SHOPS) return { goTo: listAddress('months/due', { month }) };
  const board = await monthBoard(audit, { allowed: person.shops, shop: shop?.id ?? null });
  const ofMonth = board.cards.filter((card) => card.month === month);
  const [one, ...others] = ofMonth.filter(
    ({ column, orders, version, outstanding }) => column !== 'filed' && (orders > 0 || version !== null || outstanding !== null),
  );
  if (one !== undefined && others.length === 0) return { goTo: monthPath(one) };
  const shown = ofMonth.length === 0 ? { board, month: null } : { board: { ...board, cards: ofMonth }, month };
  return { title: words.months.title, place: 'months', body: boardView(shown.board, { words, isLimited: person.shops !== null, month: shown.month }) };
}

/** All months of a shop: of the only one, if none is chosen. */
async function olderMonths(audit: AuditDeps, { shops, shop }: Pick<MonthBoard, 'shops' | 'shop'>, words: Words): Promise<PageReply> {
  const only = shop ?? (shops.length === 1 ? (shops[0] ?? null) : null);
  const at = { place: 'months' } as const;
  if (only === null) return { ...at, title: words.months.older, body: html`<p>${words.months.chooseFirst}</p>\n${shopChoice({ shops, shop }, words, true)}` };
  return { ...at, title: words.months.olderOf(only.name), body: olderView({ shop: only, months: await monthsOf(audit, only.id) }, words) };
}

/** More cards of a column are folded, and beyond the second number not shown: one shop has few. */
const [FEW_CARDS, MOST_CARDS] = [6, 60];

/** `isLimited`: anyone who looks sees some shops alone. `month`: the only one that is shown; null: all. */
type Looking = { words: Words; isLimited: boolean; month: string | null };

/** The months that matter now, a column for each thing that is next. */
function boardView(board: MonthBoard, { words, isLimited, month }: Looking): Html {
  const { cards, shops } = board;
  const w = words.months;
  if (shops.length === 0) return html`<p>${isLimited ? w.noneOfYours : w.none}</p>`;
  const late = cards.filter(({ isLate }) => isLate);
  const shown = BOARD_COLUMNS.filter((column) => column !== 'rejected' || cards.some((card) => card.column === 'rejected'));
  const only = month === null ? nothing : html`<p><strong>${w.only(monthName(month, words.lang))}</strong> <a href="/console/months">${w.allMonths}</a></p>\n`;
  return html`<p class="soft">${w.lead}</p>
${only}${late.length === 0 ? nothing : lateBanner(late, words)}${shops.length < 2 ? nothing : shopChoice(board, words, false)}<div class="board">
${lines(shown.map((column) => columnView(column, cards, words)))}</div>
<p><a href="/console/months/due">${w.due.title}</a> · <a href="${olderPath(board.shop)}">${w.older}</a></p>`;
}

function lateBanner(late: readonly BoardCard[], words: Words): Html {
  const link = (card: BoardCard) => html`<li><a href="${monthPath(card)}">${monthName(card.month, words.lang)} · ${card.shop}</a></li>`;
  return html`<section class="banner failing"><h2>${words.months.late(late.length)}</h2>
<ul class="reasons">${lines(late.slice(0, MOST_CARDS).map(link))}</ul></section>\n`;
}

/** Which shop; `older`: of the list of all months. */
function shopChoice({ shops, shop }: Pick<MonthBoard, 'shops' | 'shop'>, { months: w }: Words, older: boolean): Html {
  const ofShop = field({ name: 'shop', label: w.shop, value: shop?.id ?? '', options: namedOptions(shops), ...(older ? {} : { none: w.allShops }) });
  const buttons = [ofShop, button(w.choose, { class: 'second' })];
  return formTo('/console/months', { method: 'get', class: 'verbs', hidden: older ? { older: '1' } : {}, buttons });
}

function columnView(column: BoardColumn, cards: readonly BoardCard[], words: Words): Html {
  const mine = cards.filter((card) => card.column === column);
  const w = words.months;
  const list = (cards: readonly BoardCard[]) => html`<ul>${lines(cards.map((card) => cardView(card, words)))}</ul>`;
  const folded = mine.slice(FEW_CARDS, MOST_CARDS);
  const rest = mine.length - MOST_CARDS;
  return html`<section class="column" aria-labelledby="column-${column}"><h2 id="column-${column}">${w.columns[column]}${mine.length === 0 ? nothing : html` <span class="soft">${mine.length}</span>`}</h2>
${mine.length === 0 ? html`<p class="soft">${w.nothingHere}</p>` : list(mine.slice(0, FEW_CARDS))}
${folded.length === 0 ? nothing : html`<details><summary>${w.folded(folded.length)}</summary>${list(folded)}</details>`}
${rest > 0 ? html`<p>${w.more(rest)}</p>` : nothing}</section>`;
}

function cardView(card: BoardCard, words: Words): Html {
  const w = words.months;
  const sum = money(`${card.total} ${card.currency}`, words);
  const soFar = card.version === null && card.orders > 0 ? html` <span class="soft">${w.card.soFar}</span>` : nothing;
  return html`<li class="card ${toneOf(card)}"><h3><a href="${monthPath(card)}">${monthName(card.month, words.lang)}</a></h3>
<p>${card.shop}</p>
<p class="soft">${w.card.sums(card.orders, sum)}${soFar}</p>
${lines(problems(card, words))}<p>${tag(statusName(card, words), toneOf(card))}</p>
<p class="soft">${termOf(card, words)}</p></li>`;
}

function toneOf({ column, isLate, outstanding, errors, missingRates }: BoardCard): Tone {
  if (isLate || column === 'rejected') return 'failing';
  if (column === 'filed') return 'ok';
  if (column === 'open') return 'quiet';
  return outstanding !== null || errors + missingRates > 0 ? 'failing' : 'attention';
}

function problems(card: BoardCard, words: Words): Html[] {
  const { outstanding, errors, missingRates, lacks, filedWithout, column } = card;
  const { card: w } = words.months;
  return [
    ...(outstanding === null
      ? []
      : [
          html`<p><strong>${w.outstanding(outstanding.orders, moneyWords(outstanding, words.lang))}</strong></p>`,
          html`<p><a href="${settlePath(card)}">${w.settle}</a></p>`,
        ]),
    ...(errors === 0 ? [] : [html`<p><strong>${w.errors(errors)}</strong></p>`]),
    ...(missingRates === 0 ? [] : [html`<p><strong>${w.rates(missingRates)}</strong></p>`]),
    ...(lacks === 0 ? [] : [html`<p><strong>${w.lacks(lacks)}</strong></p>`]),
    ...(column !== 'filed' || filedWithout === null ? [] : [html`<p>${w.without(filedWithout.orders)}</p>`]),
  ];
}

/** The orders that are counted: paid, and not in the file of the month. */
export function settlePath({ shopId, month }: { shopId: string; month: string }): string {
  return `/console/orders?missing=${shopId}_${month}`;
}

function statusName(of: Parameters<typeof monthStatus>[0], { lang }: Words): string {
  return monthStatuses[monthStatus(of)].name[lang];
}

function termOf({ column, situation, filedOn, incomingNumber, deadline, daysLeft, isLate }: BoardCard, { months: { card: w }, lang }: Words): string {
  const day = dayName(deadline, lang);
  if (situation === 'filed' && filedOn !== null) return w.filed(dayName(filedOn, lang), incomingNumber);
  if (column === 'open') return w.fileOn(day);
  if (isLate) return w.late(day);
  return daysLeft < 0 || column === 'filed' ? w.fileOn(day) : w.due(day, daysLeft);
}

type Listed = Awaited<ReturnType<typeof monthsOf>>[number];

/** All months of a shop, the newest first. */
function olderView({ shop, months }: { shop: BoardShop; months: readonly Listed[] }, words: Words): Html {
  const w = words.months;
  const back = html`<p><a href="/console/months?shop=${shop.id}">${w.back}</a></p>`;
  if (months.length === 0) return html`<p>${w.olderNone}</p>\n${back}`;
  const left = ({ outstanding, filedWithout }: Listed) => {
    const some = outstanding ?? filedWithout;
    return some === undefined ? words.frame.none : `${some.orders} (${moneyWords(some, words.lang)})`;
  };
  const c = words.month.lists;
  const columns: Columns<Listed> = [
    { name: c.month, cell: ({ month }) => html`<a href="${monthPath({ shopId: shop.id, month })}">${monthName(month, words.lang)}</a>` },
    { name: c.state, cell: (one) => statusName(one, words) },
    { name: c.orders, n: true, cell: ({ orders }) => orders },
    { name: c.outstanding, cell: left },
    { name: c.version, n: true, cell: ({ filedVersion, version }) => filedVersion ?? version ?? words.frame.none },
    { name: c.term, cell: ({ deadline }) => dayName(deadline, words.lang) },
  ];
  return html`${table({ caption: w.olderOf(shop.name), columns, rows: months })}
${back}`;
}

/** Where another compliance service keeps the months: what the ledger knows will be missing in them. */
function foreignView(shops: readonly ShopOutstanding[], words: Words): Html {
  const w = words.months.foreign;
  const rows = shops.flatMap(({ shopId, store, months }) => months.map((month) => ({ ...month, shopId, store })));
  const codesList = (codes: (typeof rows)[number]['codes']) =>
    html`<ul class="changes">${Object.entries(codes).map(([code, count]) => html`<li>${coded(codeWords(code, words.lang).means)} <code>${code}</code>: ${count}</li>`)}</ul>`;
  const c = w.columns;
  const columns: Columns<(typeof rows)[number]> = [
    { name: c.store, cell: ({ store }) => store },
    { name: c.month, cell: ({ shopId, month }) => html`<a href="${settlePath({ shopId, month })}">${monthName(month, words.lang)}</a>` },
    { name: c.orders, n: true, cell: ({ orders }) => orders },
    { name: c.sum, n: true, cell: ({ total, currency }) => money(`${total} ${currency}`, words) },
    { name: c.oldest, cell: ({ oldest }) => when(oldest, words) },
    { name: c.codes, cell: ({ codes }) => codesList(codes) },
  ];
  return html`<p>${w.words}</p>
<h2>${w.title}</h2>
<p class="soft">${w.lead}</p>
${rows.length === 0 ? html`<p>${w.none}</p>` : table({ caption: w.title, columns, rows })}
${shops.some(({ isCut }) => isCut) ? html`<p>${w.cut}</p>` : nothing}`;
}
