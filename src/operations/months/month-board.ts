import type { AuditDeps } from '../../service/audit/month/generate-month.ts';
import { type ListedMonth, listMonths } from '../../service/audit/month/list-months.ts';
import { actsOfMonth, isSaid } from '../../service/audit/month/month-acts.ts';
import { type BoardMonth, type BoardShop, boardShops, readBoard } from '../../service/audit/month/month-board.ts';
import { monthOf, sofiaDay } from '../../service/law/calendar.ts';
import { deadlineOf } from '../../service/law/deadlines.ts';
import { knownShop } from '../service/shops.ts';

/** open: the month is not over. check: something is to be done before it can be filed. file: it only has to be filed. filed: or there is nothing to file. */
export const BOARD_COLUMNS = ['open', 'check', 'file', 'filed', 'rejected'] as const;
export type BoardColumn = (typeof BOARD_COLUMNS)[number];

/** `daysLeft` of the term, less than 0 once it is over. `isLate`: it is over, and a file is due. */
export type BoardCard = BoardMonth & { shop: string; company: string; column: BoardColumn; deadline: string; daysLeft: number; isLate: boolean };

/** `shops`: all that may be seen; `shop`: the one that is shown, null: all of them. */
export type MonthBoard = { shops: BoardShop[]; shop: BoardShop | null; cards: BoardCard[] };

type Wanted = {
  /** Of whom asks; null: all. */
  allowed: readonly string[] | null;
  /** The id of a shop; null: all. */
  shop: string | null;
};

const DAY_MS = 24 * 3_600_000;

/** The months that matter now, the late ones first, then those with troubles, then by term and shop. */
export async function monthBoard(deps: AuditDeps, { allowed, shop }: Wanted): Promise<MonthBoard> {
  const shops = await boardShops(deps.pool, allowed);
  const chosen = shops.find(({ id }) => id === shop) ?? null;
  const shown = chosen === null ? shops : [chosen];
  const named = new Map(shown.map((one) => [one.id, one]));
  const today = sofiaDay(deps.now().toISOString());
  const cards: BoardCard[] = [];
  for (const month of await readBoard(deps, [...named.keys()])) cards.push(await cardOf(deps, month, { of: named.get(month.shopId), today }));
  return { shops, shop: chosen, cards: cards.toSorted(mostUrgent) };
}

async function cardOf(deps: AuditDeps, month: BoardMonth, { of, today }: { of: BoardShop | undefined; today: string }): Promise<BoardCard> {
  const deadline = deadlineOf(month.month);
  const daysLeft = Math.round((Date.parse(deadline) - Date.parse(today)) / DAY_MS);
  return {
    ...month,
    shop: of?.name ?? '',
    company: of?.company ?? '',
    column: await columnOf(deps, month, today),
    deadline,
    daysLeft,
    isLate: daysLeft < 0 && isDue(month),
  };
}

/** A month without orders and without a file is not late: whether anything is to be filed is agreed with the accountant. */
function isDue({ situation, orders, outstanding }: BoardMonth): boolean {
  if (situation === 'filed' || situation === 'nothing') return false;
  return situation === 'open' || situation === 'empty' || situation === 'returns-only' ? orders > 0 || outstanding !== null : true;
}

async function columnOf({ pool }: AuditDeps, month: BoardMonth, today: string): Promise<BoardColumn> {
  const { situation, lacks, outstanding, version } = month;
  if (situation === 'filed' || situation === 'nothing') return 'filed';
  if (situation === 'rejected') return 'rejected';
  if (month.month >= monthOf(today)) return 'open';
  if (situation !== 'generated' || lacks > 0 || outstanding !== null) return 'check';
  return isSaid(await actsOfMonth(pool, month), { act: 'month.checked', version }) ? 'file' : 'check';
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
