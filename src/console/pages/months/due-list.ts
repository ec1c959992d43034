import { dayName, monthName } from '../../../contract/local-text.ts';
import { exactMoney, formatMoney, sum } from '../../../contract/money.ts';
import { isReady, MOST_IN_ARCHIVE, monthArchive } from '../../../operations/months/month-archive.ts';
import { BOARD_COLUMNS, type BoardCard, type BoardColumn, type MonthBoard, monthBoard } from '../../../operations/months/month-board.ts';
import { may } from '../../../operations/people/rights.ts';
import { monthStatus, monthStatuses } from '../../../service/audit/summary/month-status.ts';
import { button, field, formTo } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { type Columns, table } from '../../../web/tables.ts';
import type { Page, PageContext } from '../../base/page.ts';
import { money, tag } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { missing, monthPath } from './of-month.ts';

/** What is looked for; '': all. */
type Sought = { company: string; shop: string; month: string; state: string };

type Found = { board: MonthBoard; cards: BoardCard[]; sought: Sought };

/** `GET /console/months/due`: the months of all shops that this person may see, those first that are due first. */
export const dueListPage: Page = {
  path: '/months/due',
  right: 'months.see',
  get: async (context) => {
    const found = await find(context);
    return found === null
      ? missing(context)
      : {
          title: context.words.months.due.title,
          place: 'months',
          body: dueView({ ...found, mayTake: may(context.person.role, 'months.mark') }, context.words),
        };
  },
};

/** `GET /console/months/files?month=2026-10`: all files of a month that are ready, as one archive. */
export const monthArchivePage: Page = {
  path: '/months/files',
  right: 'months.mark',
  async get(context) {
    const { deps, words, by } = context;
    const found = await find(context);
    if (found === null || deps.service === null || found.sought.month === '') return missing(context);
    const { sought } = found;
    // An archive is of all that is of the month, whatever its state.
    const cards = found.board.cards.filter((card) => isSought(card, { ...sought, state: '' }));
    const w = words.months.due;
    if (isTooMany(cards)) return { status: 409, title: w.title, place: 'months', body: dueView({ ...found, mayTake: true }, words) };
    const left = cards.filter(isMissing).map((card) => `${named(card)}: ${whyNot(card, words)}`);
    const text = [w.listTitle(monthName(sought.month, words.lang)), ...(left.length === 0 ? [w.nothingMissing] : left), ''].join('\r\n');
    const content = await monthArchive(deps.service.audit, { cards, list: { name: w.listName, text }, by });
    return { content, type: 'application/zip', name: `${sought.month}.zip` };
  },
};

async function find({ deps, req, person }: PageContext): Promise<Found | null> {
  if (deps.service === null) return null;
  const asked = (name: keyof Sought) => String(req.query[name] ?? '');
  const month = /^\d{4}-(?:0[1-9]|1[0-2])$/.test(asked('month')) ? asked('month') : '';
  const sought = { company: asked('company'), shop: asked('shop'), month, state: asked('state') };
  const board = await monthBoard(deps.service.audit, { allowed: person.shops, shop: null });
  const cards = board.cards.filter((card) => isSought(card, sought)).toSorted(byTerm);
  return { board, cards, sought };
}

function isSought(card: BoardCard, { company, shop, month, state }: Sought): boolean {
  const isOf = (wanted: string, value: string) => wanted === '' || wanted === value;
  const isState = state === 'late' ? card.isLate : isOf(state, card.column);
  return isOf(company, card.company) && isOf(shop, card.shopId) && isOf(month, card.month) && isState;
}

/** What is filed is due no more. */
function byTerm(a: BoardCard, b: BoardCard): number {
  const [ofA, ofB] = [a.column === 'filed', b.column === 'filed'];
  if (ofA !== ofB) return ofA ? 1 : -1;
  return a.deadline.localeCompare(b.deadline) * (ofA ? -1 : 1) || named(a).localeCompare(named(b), 'bg');
}

function named({ company, shop }: BoardCard): string {
  return `${company}, ${shop}`;
}

function whyNot(card: BoardCard, { months: { card: w, due }, lang }: Words): string {
  const { errors, missingRates, lacks, outstanding } = card;
  const left = outstanding === null ? [] : [due.outstanding(outstanding.orders)];
  const reasons = [
    ...(errors > 0 ? [w.errors(errors)] : []),
    ...(missingRates > 0 ? [w.rates(missingRates)] : []),
    ...(lacks > 0 ? [w.lacks(lacks)] : []),
    ...left,
  ];
  return reasons.length === 0 ? monthStatuses[monthStatus(card)].name[lang] : reasons.join('; ');
}

function dueView({ board, cards, sought, mayTake }: Found & { mayTake: boolean }, words: Words): Html {
  const { months: w, month, lang } = words;
  const c = month.lists;
  const columns: Columns<BoardCard> = [
    { name: c.term, cell: ({ deadline, isLate }) => html`${dayName(deadline, lang)}${isLate ? html` ${tag(w.due.states.late, 'failing')}` : nothing}` },
    { name: c.month, cell: (card) => html`<a href="${monthPath(card)}">${monthName(card.month, lang)}</a>` },
    { name: w.due.company, cell: ({ company }) => company },
    { name: w.shop, cell: ({ shop }) => shop },
    { name: c.state, cell: (card) => monthStatuses[monthStatus(card)].name[lang] },
    { name: c.orders, n: true, cell: ({ orders }) => orders },
    { name: w.due.total, n: true, cell: ({ total, currency }) => money(`${total} ${currency}`, words) },
    { name: w.due.vat, n: true, cell: ({ vat, currency }) => money(`${vat} ${currency}`, words) },
  ];
  const sums = [...new Set(cards.map(({ currency }) => currency))].map((currency) =>
    sumsOf(
      cards.filter((card) => card.currency === currency),
      words,
    ),
  );
  const list = cards.length === 0 ? html`<p>${w.due.none}</p>` : table({ caption: w.due.title, columns, rows: cards, sums });
  return html`<p><a href="/console/months">${w.back}</a></p>
${filters(board, sought, words)}
${sought.month === '' ? html`<p class="soft">${w.due.chooseMonth}</p>` : archive({ cards, sought, mayTake }, words)}
${list}`;
}

function sumsOf(cards: readonly BoardCard[], words: Words): (Html | string | number)[] {
  const of = (amounts: string[]) => money(`${formatMoney(sum(amounts.map((one) => exactMoney(one, 2))), 2)} ${cards[0]?.currency}`, words);
  const orders = cards.reduce((all, card) => all + card.orders, 0);
  return [html`<strong>${words.months.due.sum}</strong>`, '', '', '', '', orders, of(cards.map(({ total }) => total)), of(cards.map(({ vat }) => vat))];
}

function filters({ shops, cards }: MonthBoard, sought: Sought, { months: w, month, lang }: Words): Html {
  const distinct = (values: readonly string[], name = (value: string) => value) => [...new Set(values)].map((value) => [value, name(value)] as const);
  const months = distinct(
    cards
      .map((card) => card.month)
      .toSorted()
      .toReversed(),
    (value) => monthName(value, lang),
  );
  const state = (one: BoardColumn): readonly [string, string] => [one, w.columns[one]];
  const choice = (name: keyof Sought, label: string, options: readonly (readonly [string, string])[]) =>
    field({ name, label, value: sought[name], options, none: w.due.all });
  const buttons = [
    choice('company', w.due.company, distinct(shops.map(({ company }) => company))),
    choice(
      'shop',
      w.shop,
      shops.map(({ id, name }) => [id, name]),
    ),
    choice('month', month.lists.month, months),
    choice('state', month.lists.state, [['late', w.due.states.late], ...BOARD_COLUMNS.map(state)]),
    button(w.choose, { class: 'second' }),
  ];
  return formTo('/console/months/due', { method: 'get', class: 'verbs', buttons });
}

/** All files of what is shown, and before they are taken what will not be among them. */
function archive({ cards, sought, mayTake }: { cards: readonly BoardCard[]; sought: Sought; mayTake: boolean }, words: Words): Html {
  const w = words.months.due;
  const left = cards.filter(isMissing);
  const why = lines(left.map((card) => html`<li><a href="${monthPath(card)}">${named(card)}</a>: ${whyNot(card, words)}</li>`));
  return html`${left.length === 0 ? nothing : html`<h2>${w.missing(left.length)}</h2>\n<ul class="reasons">${why}</ul>\n`}${mayTake ? download(cards, sought, words) : nothing}`;
}

function download(cards: readonly BoardCard[], sought: Sought, { months: { due } }: Words): Html {
  if (isTooMany(cards)) return html`<p>${due.tooMany(MOST_IN_ARCHIVE)}</p>`;
  const ready = cards.filter(isReady).length;
  if (ready === 0) return nothing;
  return html`<p><a class="verb" href="/console/months/files?${new URLSearchParams(sought).toString()}">${due.download(ready)}</a></p>`;
}

/** Of what has nothing to file no file is missing. */
function isMissing(card: BoardCard): boolean {
  return !isReady(card) && card.situation !== 'nothing';
}

function isTooMany(cards: readonly BoardCard[]): boolean {
  return cards.filter(isReady).length > MOST_IN_ARCHIVE;
}
