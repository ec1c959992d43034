import { BOARD_COLUMNS, type BoardCard, type BoardColumn, type MonthBoard } from '../../../operations/months/month-board.ts';
import type { Outstanding } from '../../../service/audit/summary/month-summary.ts';
import { attributes } from '../../../web/attributes.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import { dayName, money, monthName, type Tone, tag } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';
import { monthPath } from './of-month.ts';

/** More cards of a column are not shown: one shop has few. */
const MOST_CARDS = 60;

/** `isLimited`: whoever looks sees some shops alone. `month`: the only one that is shown; null: all. */
type Looking = { words: Words; isLimited: boolean; month: string | null };

/** The months that matter now, a column for each thing that is next. */
export function boardView(board: MonthBoard, { words, isLimited, month }: Looking): Html {
  const { cards, shops } = board;
  const w = words.months;
  if (shops.length === 0) return html`<p>${isLimited ? w.noneOfYours : w.none}</p>`;
  const late = cards.filter(({ isLate }) => isLate);
  const shown = BOARD_COLUMNS.filter((column) => column !== 'rejected' || cards.some((card) => card.column === 'rejected'));
  const only = month === null ? nothing : html`<p><strong>${w.only(monthName(month, words.lang))}</strong> <a href="/console/months">${w.allMonths}</a></p>\n`;
  return html`<p class="soft">${w.lead}</p>
${only}${late.length === 0 ? nothing : lateBanner(late, words)}${shops.length < 2 ? nothing : shopChoice(board, words, false)}<div class="board">
${lines(shown.map((column) => columnView(column, cards, words)))}</div>
<p><a href="${olderPath(board)}">${w.older}</a></p>`;
}

function olderPath({ shop }: MonthBoard): string {
  return shop === null ? '/console/months?older=1' : `/console/months?older=1&shop=${shop.id}`;
}

function lateBanner(late: readonly BoardCard[], words: Words): Html {
  const link = (card: BoardCard) => html`<li><a href="${monthPath(card)}">${monthName(card.month, words.lang)} · ${card.shop}</a></li>`;
  return html`<section class="banner failing"><h2>${words.months.late(late.length)}</h2>
<ul class="reasons">${lines(late.slice(0, MOST_CARDS).map(link))}</ul></section>\n`;
}

/** Which shop; `older`: of the list of all months. */
export function shopChoice({ shops, shop }: MonthBoard, { months: w }: Words, older: boolean): Html {
  const option = (one: (typeof shops)[number]) => html`<option${attributes({ value: one.id, selected: one.id === shop?.id })}>${one.name}</option>`;
  return html`<form class="verbs" method="get" action="/console/months">
<div><label for="shop">${w.shop}</label> <select id="shop" name="shop">${older ? nothing : html`<option value="">${w.allShops}</option>`}${shops.map(option)}</select></div>
${older ? html`<input type="hidden" name="older" value="1">` : nothing}<button class="second">${w.choose}</button>
</form>\n`;
}

function columnView(column: BoardColumn, cards: readonly BoardCard[], words: Words): Html {
  const mine = cards.filter((card) => card.column === column);
  const w = words.months;
  const rest = mine.length - MOST_CARDS;
  return html`<section class="column" aria-labelledby="column-${column}"><h2 id="column-${column}">${w.columns[column]}${mine.length === 0 ? nothing : html` <span class="soft">${mine.length}</span>`}</h2>
${mine.length === 0 ? html`<p class="soft">${w.nothingHere}</p>` : html`<ul>${lines(mine.slice(0, MOST_CARDS).map((card) => cardView(card, words)))}</ul>`}
${rest > 0 ? html`<p>${w.more(rest)}</p>` : nothing}</section>`;
}

function cardView(card: BoardCard, words: Words): Html {
  const w = words.months;
  const sum = money(`${card.total} ${card.currency}`, words);
  const soFar = card.version === null && card.orders > 0 ? html` <span class="soft">${w.card.soFar}</span>` : nothing;
  return html`<li class="card ${toneOf(card)}"><h3><a href="${monthPath(card)}">${monthName(card.month, words.lang)}</a></h3>
<p>${card.shop}</p>
<p class="soft">${w.card.sums(card.orders, sum)}${soFar}</p>
${lines(problems(card, words))}<p>${tag(w.situations[card.situation], toneOf(card))}</p>
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
          html`<p><strong>${w.outstanding(outstanding.orders, sumsOf(outstanding, words))}</strong></p>`,
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

export function sumsOf({ totals }: Pick<Outstanding, 'totals'>, words: Words): string {
  return money(totals.map(({ total, currency }) => `${total} ${currency}`).join(' + '), words);
}

function termOf({ column, situation, filedOn, incomingNumber, deadline, daysLeft, isLate }: BoardCard, { months: { card: w }, lang }: Words): string {
  const day = dayName(deadline, lang);
  if (situation === 'filed' && filedOn !== null) return w.filed(dayName(filedOn, lang), incomingNumber);
  if (column === 'open') return w.fileOn(day);
  if (isLate) return w.late(day);
  return daysLeft < 0 || column === 'filed' ? w.fileOn(day) : w.due(day, daysLeft);
}
