import { byName } from '../../contract/local-text.ts';
import type { AuditDeps } from '../../service/audit/month/generate-month.ts';
import { type ListedMonth, listMonths } from '../../service/audit/month/list-months.ts';
import {
  type BoardFigures,
  type BoardShop,
  boardShops,
  checkedVersions,
  isDone,
  isDue,
  type MonthOutline,
  outlineMonths,
  readMonths,
} from '../../service/audit/month/month-board.ts';
import { subjectOf } from '../../service/audit/month/month-state.ts';
import { monthOf, sofiaDay } from '../../service/law/calendar.ts';
import { deadlineOf } from '../../service/law/deadlines.ts';
import { knownShop } from '../service/shops.ts';

/** open: the month is not over. check: something is to be done before it can be filed. file: it only has to be filed. filed: or there is nothing to file. */
export const BOARD_COLUMNS = ['open', 'check', 'file', 'filed', 'rejected'] as const;
export type BoardColumn = (typeof BOARD_COLUMNS)[number];

/** `daysLeft` of the term, less than 0 once it is over. `isLate`: it is over, and a file is due. */
type Dated = { shop: string; company: string; deadline: string; daysLeft: number; isLate: boolean };

export type BoardCard = MonthOutline & BoardFigures & Dated & { column: BoardColumn };

/** A card before its sums and changes are read. `column` null: they decide whether it is checked. */
export type CardOutline = MonthOutline & Dated & { column: BoardColumn | null };

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

/** Anyone who sees more shops has no board of all of them. */
export const MOST_SHOPS = 100;

const DAY_MS = 24 * 3_600_000;

/** The months that matter now, the late ones first, then those with troubles, then by term and shop. */
export async function monthBoard(deps: AuditDeps, wanted: Pick<Wanted, 'allowed' | 'shop'>): Promise<MonthBoard> {
  const outlines = await monthOutlines(deps, wanted);
  return { ...outlines, cards: (await wholeCards(deps, outlines.cards)).toSorted(mostUrgent) };
}

/** The same months in outline, in no order, of which a page reads those that it shows; or of one month those of every shop, done or not. */
export async function monthOutlines(deps: AuditDeps, { allowed, shop, company = null, month = null }: Wanted): Promise<MonthOutlines> {
  const shops = await boardShops(deps.pool, allowed);
  const chosen = shops.find(({ id }) => id === shop) ?? null;
  const shown = (chosen === null ? shops : [chosen]).filter((one) => company === null || one.company === company);
  const named = new Map(shown.map((one) => [one.id, one]));
  const today = sofiaDay(deps.now().toISOString());
  const outlines = await outlineMonths(deps, shown, month);
  const checked = await checkedVersions(
    deps.pool,
    outlines.filter((one) => columnOf(one, today) === null),
  );
  const terms = new Map([...new Set(outlines.map((one) => one.month))].map((of) => [of, termOf(of, today)]));
  const cards = outlines.map((one): CardOutline => {
    const { name = '', company: of = '' } = named.get(one.shopId) ?? {};
    const { deadline, daysLeft } = terms.get(one.month) ?? termOf(one.month, today);
    const column = columnOf(one, today);
    // Nobody compared its sums.
    const isUnchecked = column === null && checked.get(subjectOf(one)) !== one.version;
    return { ...one, shop: name, company: of, deadline, daysLeft, isLate: daysLeft < 0 && isDue(one), column: isUnchecked ? 'check' : column };
  });
  return { shops, shop: chosen, cards };
}

function termOf(month: string, today: string): Pick<CardOutline, 'deadline' | 'daysLeft'> {
  const deadline = deadlineOf(month);
  return { deadline, daysLeft: Math.round((Date.parse(deadline) - Date.parse(today)) / DAY_MS) };
}

/** Some of them whole, in the same order. */
export async function wholeCards(deps: AuditDeps, outlines: readonly CardOutline[]): Promise<BoardCard[]> {
  return (await readMonths(deps, outlines)).map((card) => ({ ...card, column: card.column ?? (card.lacks === 0 ? 'file' : 'check') }));
}

/** Null: it has a file, which may lack something, or not be checked. */
function columnOf({ situation, month, outstanding }: MonthOutline, today: string): BoardColumn | null {
  if (isDone({ situation })) return 'filed';
  if (situation === 'rejected') return 'rejected';
  if (month >= monthOf(today)) return 'open';
  return situation !== 'generated' || outstanding !== null ? 'check' : null;
}

function hasProblems({ outstanding, errors, missingRates, lacks }: BoardCard): boolean {
  return outstanding !== null || errors + missingRates + lacks > 0;
}

function mostUrgent(a: BoardCard, b: BoardCard): number {
  if (a.isLate !== b.isLate) return a.isLate ? -1 : 1;
  const [ofA, ofB] = [hasProblems(a), hasProblems(b)];
  if (ofA !== ofB) return ofA ? -1 : 1;
  const order = a.column === 'filed' && b.column === 'filed' ? -1 : 1;
  return order * a.deadline.localeCompare(b.deadline) || byName(a.shop, b.shop);
}

/** The months of a shop, newest first, with the last day on which the file of each may be filed. */
export async function monthsOf(deps: Pick<AuditDeps, 'pool' | 'now'>, shop: string): Promise<(ListedMonth & { deadline: string })[]> {
  const { id } = await knownShop(deps, shop);
  return (await listMonths(deps, id)).map((one) => ({ ...one, deadline: deadlineOf(one.month) }));
}
