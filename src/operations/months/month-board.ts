import type { AuditDeps } from '../../service/audit/month/generate-month.ts';
import { type ListedMonth, listMonths } from '../../service/audit/month/list-months.ts';
import { actsOfMonth, isSaid } from '../../service/audit/month/month-acts.ts';
import { type BoardMonth, type BoardShop, boardShops, type ReadMonth, readBoard } from '../../service/audit/month/month-board.ts';
import { monthOf, sofiaDay } from '../../service/law/calendar.ts';
import { deadlineOf } from '../../service/law/deadlines.ts';
import { knownShop } from '../service/shops.ts';

/** open: the month is not over. check: something is to be done before it can be filed. file: it only has to be filed. filed: or there is nothing to file. */
export const BOARD_COLUMNS = ['open', 'check', 'file', 'filed', 'rejected'] as const;
export type BoardColumn = (typeof BOARD_COLUMNS)[number];

/** `daysLeft` of the term, less than 0 once it is over. `isLate`: it is over, and a file is due. */
export type BoardCard = BoardMonth & { shop: string; company: string; column: BoardColumn; deadline: string; daysLeft: number; isLate: boolean };

/** A card before what takes statements of its own is read by `whole`. `column` null: that decides it. */
export type CardOutline = Omit<BoardCard, 'column' | 'lacks'> & { column: BoardColumn | null; whole(): Promise<BoardCard> };

/** `shops`: all that may be seen; `shop`: the one that is shown, null: all of them. */
type Board<Card> = { shops: BoardShop[]; shop: BoardShop | null; cards: Card[] };
export type MonthBoard = Board<BoardCard>;
export type MonthOutlines = Board<CardOutline>;

type Wanted = {
  /** Of whom asks; null: all. */
  allowed: readonly string[] | null;
  /** The id of a shop; null: all. */
  shop: string | null;
  company?: string | null;
  month?: string | null;
};

const DAY_MS = 24 * 3_600_000;

/** The months that matter now, the late ones first, then those with troubles, then by term and shop. */
export async function monthBoard(deps: AuditDeps, wanted: Pick<Wanted, 'allowed' | 'shop'>): Promise<MonthBoard> {
  const { cards: outlines, ...of } = await monthOutlines(deps, wanted);
  const cards: BoardCard[] = [];
  for (const one of outlines) cards.push(await one.whole());
  return { ...of, cards: cards.toSorted(mostUrgent) };
}

/** The same months in outline, in no order, of which a page reads those that it shows; or of one month those of every shop, done or not. */
export async function monthOutlines(deps: AuditDeps, { allowed, shop, company = null, month = null }: Wanted): Promise<MonthOutlines> {
  const shops = await boardShops(deps.pool, allowed);
  const chosen = shops.find(({ id }) => id === shop) ?? null;
  const shown = (chosen === null ? shops : [chosen]).filter((one) => company === null || one.company === company);
  const named = new Map(shown.map((one) => [one.id, one]));
  const today = sofiaDay(deps.now().toISOString());
  const months = await readBoard(deps, [...named.keys()], month);
  return { shops, shop: chosen, cards: months.map((one) => outlineOf(deps, one, { of: named.get(one.shopId), today })) };
}

function outlineOf({ pool }: AuditDeps, { lacks, ...month }: ReadMonth, { of, today }: { of: BoardShop | undefined; today: string }): CardOutline {
  const deadline = deadlineOf(month.month);
  const daysLeft = Math.round((Date.parse(deadline) - Date.parse(today)) / DAY_MS);
  const card = { ...month, shop: of?.name ?? '', company: of?.company ?? '', deadline, daysLeft, isLate: daysLeft < 0 && isDue(month) };
  const column = columnOf(month, today);
  const whole = async (): Promise<BoardCard> => {
    const lacking = await lacks();
    return { ...card, lacks: lacking, column: column ?? (lacking === 0 && (await isChecked(pool, month)) ? 'file' : 'check') };
  };
  let read: Promise<BoardCard> | null = null;
  return { ...card, column, whole: () => (read ??= whole()) };
}

function isFiled({ situation }: Pick<ReadMonth, 'situation'>): boolean {
  return situation === 'filed' || situation === 'nothing';
}

/** A month without orders and without a file is not late: whether anything is to be filed is agreed with the accountant. */
function isDue({ situation, orders, outstanding }: Pick<ReadMonth, 'situation' | 'orders' | 'outstanding'>): boolean {
  if (isFiled({ situation })) return false;
  return situation === 'open' || situation === 'empty' || situation === 'returns-only' ? orders > 0 || outstanding !== null : true;
}

/** Null: it has a file, which may lack something, or not be checked. */
function columnOf({ situation, month, outstanding }: Pick<ReadMonth, 'situation' | 'month' | 'outstanding'>, today: string): BoardColumn | null {
  if (isFiled({ situation })) return 'filed';
  if (situation === 'rejected') return 'rejected';
  if (month >= monthOf(today)) return 'open';
  return situation !== 'generated' || outstanding !== null ? 'check' : null;
}

async function isChecked(pool: AuditDeps['pool'], month: Pick<ReadMonth, 'shopId' | 'month' | 'version'>): Promise<boolean> {
  return isSaid(await actsOfMonth(pool, month), { act: 'month.checked', version: month.version });
}

function hasProblems({ outstanding, errors, missingRates, lacks }: BoardCard): boolean {
  return outstanding !== null || errors + missingRates + lacks > 0;
}

function mostUrgent(a: BoardCard, b: BoardCard): number {
  if (a.isLate !== b.isLate) return a.isLate ? -1 : 1;
  const [ofA, ofB] = [hasProblems(a), hasProblems(b)];
  if (ofA !== ofB) return ofA ? -1 : 1;
  const order = a.column === 'filed' && b.column === 'filed' ? -1 : 1;
  return order * a.deadline.localeCompare(b.deadline) || a.shop.localeCompare(b.shop, 'bg', { numeric: true });
}

/** The months of a shop, newest first, with the last day on which the file of each may be filed. */
export async function monthsOf(deps: Pick<AuditDeps, 'pool' | 'now'>, shop: string): Promise<(ListedMonth & { deadline: string })[]> {
  const { id } = await knownShop(deps, shop);
  return (await listMonths(deps, id)).map((one) => ({ ...one, deadline: deadlineOf(one.month) }));
}
