import { byName, dayName, monthName } from '../../../contract/local-text.ts';
import { exactMoney, formatMoney, sum } from '../../../contract/money.ts';
import { isReady, MOST_IN_ARCHIVE, monthArchive } from '../../../operations/months/month-archive.ts';
import {
  BOARD_COLUMNS,
  type BoardCard,
  type BoardColumn,
  type CardOutline,
  MOST_SHOPS,
  type MonthOutlines,
  monthOutlines,
  wholeCards,
} from '../../../operations/months/month-board.ts';
import { may } from '../../../operations/people/rights.ts';
import type { AuditDeps } from '../../../service/audit/month/generate-month.ts';
import { monthsToChoose } from '../../../service/audit/month/month-board.ts';
import { subjectOf } from '../../../service/audit/month/month-state.ts';
import { monthStatus, monthStatuses } from '../../../service/audit/summary/month-status.ts';
import { button, field, formTo } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { type Columns, listPaging, PAGE, rowsBefore, table } from '../../../web/tables.ts';
import type { Page, PageContext } from '../../base/page.ts';
import { listAddress, money, namedOptions, tag } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { inAddress } from '../orders/order-list-request.ts';
import { missing, monthPath, olderPath } from './of-month.ts';

/** What is looked for; '': all. */
type Sought = { company: string; shop: string; month: string; state: string };

/** `cards`: those that are looked for, those first that are due first. */
type Found = { audit: AuditDeps; board: MonthOutlines; cards: CardOutline[]; sought: Sought };

/** `GET /console/months/due`: the months of all shops that this person may see, those first that are due first. */
export const dueListPage: Page = {
  path: '/months/due',
  right: 'months.see',
  get: async (context) => {
    const found = await find(context);
    return found === null ? missing(context) : { title: context.words.months.due.title, place: 'months', body: await dueView(context, found) };
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
    const w = words.months.due;
    if (hasTooMany(found.cards)) return { status: 409, title: w.title, place: 'months', body: await dueView(context, found) };
    const cards = await wholeCards(deps.service.audit, found.cards);
    const left = cards.filter(isMissing).map((card) => `${named(card)}: ${whyNot(card, words)}`);
    const text = [w.listTitle(monthName(sought.month, words.lang)), ...(left.length === 0 ? [w.nothingMissing] : left), ''].join('\r\n');
    const content = await monthArchive(deps.service.audit, { cards, list: { name: w.listName, text }, by });
    return { content, type: 'application/zip', name: `${sought.month}.zip` };
  },
};

/** Of all that is looked for only what says where it belongs; a page reads more of what it shows. */
async function find(context: PageContext): Promise<Found | null> {
  const { deps, person } = context;
  if (deps.service === null) return null;
  const asked = inAddress(context);
  const month = /^\d{4}-(?:0[1-9]|1[0-2])$/.test(asked('month')) ? asked('month') : '';
  const sought = { company: asked('company'), shop: asked('shop'), month, state: asked('state') };
  const wanted = { allowed: person.shops, shop: sought.shop, company: sought.company || null, month: month || null };
  const { audit } = deps.service;
  const board = await monthOutlines(audit, wanted);
  // Of those that are checked their changes say whether they may be filed.
  const checked = await wholeCards(audit, sought.state === 'check' || sought.state === 'file' ? board.cards.filter(({ column }) => column === null) : []);
  const columns = new Map(checked.map((card) => [subjectOf(card), card.column]));
  const isSought = (card: CardOutline) =>
    (sought.shop === '' || sought.shop === card.shopId) &&
    (sought.state === '' || (sought.state === 'late' ? card.isLate : (card.column ?? columns.get(subjectOf(card))) === sought.state));
  return { audit, board, cards: inOrder(board, board.cards.filter(isSought)), sought };
}

/** More than there are shops, and days. */
const MANY = 1e6;

/** By term, then by name; what is filed is due no more, and comes last, the newest first. There may be thousands, so each gets a number once. */
function inOrder({ shops }: MonthOutlines, cards: readonly CardOutline[]): CardOutline[] {
  const byNames = shops.map(({ id, name: shop, company }) => ({ id, name: named({ shop, company }) })).toSorted((a, b) => byName(a.name, b.name));
  const places = new Map(byNames.map(({ id }, place) => [id, place]));
  const rank = ({ column, daysLeft, shopId }: CardOutline) => (column === 'filed' ? MANY - daysLeft : daysLeft) * MANY + (places.get(shopId) ?? 0);
  const ranked = cards.map((card) => ({ card, rank: rank(card) })).toSorted((a, b) => a.rank - b.rank);
  return ranked.map(({ card }) => card);
}

/** More months are not summed. */
const MOST_SUMMED = 500;

/** May too many files be ready for one archive? */
function hasTooMany(outlines: readonly CardOutline[]): boolean {
  return outlines.filter(({ version }) => version !== null).length > MOST_IN_ARCHIVE;
}

/** How many files an archive has, how many it lacks, and the first of those. */
type Archive = { ready: number; left: number; first: readonly BoardCard[] };

/** Null: they are too many. `whole`: all of them, if they are read already. */
async function archiveOf(audit: AuditDeps, outlines: readonly CardOutline[], whole: readonly BoardCard[] | null): Promise<Archive | null> {
  if (hasTooMany(outlines)) return null;
  const made =
    whole ??
    (await wholeCards(
      audit,
      outlines.filter(({ version }) => version !== null),
    ));
  const ready = new Set(made.filter(isReady).map(subjectOf));
  const left = outlines.filter((one) => !ready.has(subjectOf(one)) && one.situation !== 'nothing');
  return { ready: ready.size, left: left.length, first: await wholeCards(audit, left.slice(0, PAGE)) };
}

function named({ company, shop }: Pick<BoardCard, 'company' | 'shop'>): string {
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

async function dueView(context: PageContext, { audit, board, cards, sought }: Found): Promise<Html> {
  const { words, deps, person } = context;
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
  const whole = cards.length > MOST_SUMMED ? null : await wholeCards(audit, cards);
  const sums = [...Map.groupBy(whole ?? [], ({ currency }) => currency).values()].map((of) => sumsOf(of, words));
  const before = rowsBefore(inAddress(context)('n'));
  const rows = whole?.slice(before, before + PAGE) ?? (await wholeCards(audit, cards.slice(before, before + PAGE)));
  const list = rows.length === 0 ? html`<p>${w.due.none}</p>` : table({ caption: w.due.title, columns, rows, sums });
  const mayTake = may(person.role, 'months.mark');
  const archive = sought.month === '' ? null : await archiveOf(audit, cards, whole);
  return html`${links(board, words)}
${filters(board, { sought, months: monthsToChoose(deps.now()) }, words)}
${sought.month === '' ? html`<p class="soft">${w.due.chooseMonth}</p>` : archiveView({ archive, sought, mayTake }, words)}
${list}${whole === null ? html`\n<p class="soft">${w.due.tooManySums(MOST_SUMMED)}</p>` : nothing}${paging(sought, { before, shown: rows.length, count: cards.length, most: cards.length }, words)}`;
}

/** Of more shops than have a board, that of a chosen one. */
function links({ shops, shop }: MonthOutlines, { months: w }: Words): Html {
  const older = html`<a href="${olderPath(shop)}">${w.older}</a>`;
  if (shop === null && shops.length > MOST_SHOPS) return html`<p>${older}</p>`;
  return html`<p><a href="${listAddress('months', { shop: shop?.id ?? '' })}">${w.back}</a> · ${older}</p>`;
}

function paging(sought: Sought, at: NonNullable<Parameters<typeof listPaging>[0]['at']>, words: Words): Html {
  const place = (n: number) => ({ n: `${Math.max(0, n)}` });
  const next = at.before + at.shown < at.count ? place(at.before + at.shown) : null;
  const previous = at.before > 0 ? place(at.before - PAGE) : null;
  const ways = listPaging({ next, previous, at, to: (one) => listAddress('months/due', { ...sought, ...one }) }, words);
  return ways.markup === '' ? nothing : html`\n<p class="verbs">${ways}</p>`;
}

function sumsOf(cards: readonly BoardCard[], words: Words): (Html | string | number)[] {
  const of = (amounts: string[]) => money(`${formatMoney(sum(amounts.map((one) => exactMoney(one, 2))), 2)} ${cards[0]?.currency}`, words);
  const orders = cards.reduce((all, card) => all + card.orders, 0);
  return [html`<strong>${words.months.due.sum}</strong>`, '', '', '', '', orders, of(cards.map(({ total }) => total)), of(cards.map(({ vat }) => vat))];
}

function filters({ shops, cards }: MonthOutlines, { sought, months: toChoose }: { sought: Sought; months: string[] }, { months: w, month, lang }: Words): Html {
  const distinct = (values: readonly string[], name = (value: string) => value) => [...new Set(values)].map((value) => [value, name(value)] as const);
  const months = distinct([...toChoose, ...cards.map((card) => card.month)].toSorted().toReversed(), (value) => monthName(value, lang));
  const state = (one: BoardColumn): readonly [string, string] => [one, w.columns[one]];
  const choice = (name: keyof Sought, label: string, options: readonly (readonly [string, string])[]) =>
    field({ name, label, value: sought[name], options, none: w.due.all });
  const buttons = [
    choice('company', w.due.company, distinct(shops.map(({ company }) => company))),
    choice('shop', w.shop, namedOptions(shops)),
    choice('month', month.lists.month, months),
    choice('state', month.lists.state, [['late', w.due.states.late], ...BOARD_COLUMNS.map(state)]),
    button(w.choose, { class: 'second' }),
  ];
  return formTo('/console/months/due', { method: 'get', class: 'verbs', buttons });
}

/** All files of what is looked for, and before they are taken what will not be among them. */
function archiveView({ archive, sought, mayTake }: { archive: Archive | null; sought: Sought; mayTake: boolean }, words: Words): Html {
  const { due: w, more } = words.months;
  if (archive === null) return html`<p>${w.tooMany(MOST_IN_ARCHIVE)}</p>`;
  const { left, first } = archive;
  const why = lines(first.map((card) => html`<li><a href="${monthPath(card)}">${named(card)}</a>: ${whyNot(card, words)}</li>`));
  const rest = left > PAGE ? html`<p>${more(left - PAGE)}</p>\n` : nothing;
  const ready = mayTake ? archive.ready : 0;
  const address = `/console/months/files?${new URLSearchParams(sought).toString()}`;
  return html`${left === 0 ? nothing : html`<h2>${w.missing(left)}</h2>\n<ul class="reasons">${why}</ul>\n${rest}`}${ready === 0 ? nothing : html`<p><a class="verb" href="${address}">${w.download(ready)}</a></p>`}`;
}

/** Of what has nothing to file no file is missing. */
function isMissing(card: BoardCard): boolean {
  return !isReady(card) && card.situation !== 'nothing';
}
