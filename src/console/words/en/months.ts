import type { BoardColumn } from '../../../operations/months/month-board.ts';
import type { MonthSituation } from '../../../service/audit/summary/month-summary.ts';

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
const orders = (count: number): string => counted(count, 'order', 'orders');

const columns: Readonly<Record<BoardColumn, string>> = { open: 'Open', check: 'To check', file: 'To file', filed: 'Filed', rejected: 'Rejected' };

const situations: Readonly<Record<MonthSituation['kind'], string>> = {
  open: 'no file yet',
  generated: 'file is made',
  filed: 'filed',
  rejected: 'rejected by the agency',
  nothing: 'nothing to file',
  blocked: 'file can’t be made',
  empty: 'no orders',
  'returns-only': 'returns that no file tells',
  'not-ours': 'before the shop was here',
  test: 'test shop',
};

/** The board of months. */
export const months = {
  title: 'Months',
  only: (month: string): string => `Only ${month}.`,
  allMonths: 'All months',
  lead: 'The audit file of a month is filed with the agency by the 15th of the next one, or by the working day after it.',
  columns,
  situations,
  nothingHere: 'Nothing',
  none: 'No shop is at this compliance service yet, so there are no months. A shop is made when the first store is connected.',
  noneOfYours: 'No shop was given to you yet. Whoever owns this installation gives you shops under People.',
  late: (count: number): string => `${counted(count, 'month is', 'months are')} late: its term is over, and it is not marked as filed.`,
  shop: 'Shop',
  allShops: 'All shops',
  choose: 'Show',
  older: 'Older months',
  olderOf: (shop: string): string => `All months of ${shop}`,
  olderNone: 'This shop has no months yet.',
  chooseFirst: 'Choose a shop to see its older months.',
  back: 'To the board',
  more: (count: number): string => `${count} more: choose a shop.`,
  columnsOfList: { month: 'Month', state: 'State', orders: 'Orders', outstanding: 'Paid, not in it', version: 'Version', term: 'Term' },
  card: {
    sums: (count: number, sum: string): string => `${orders(count)} · ${sum}`,
    soFar: 'so far',
    outstanding: (count: number, sum: string): string => `${counted(count, 'paid order is', 'paid orders are')} not in it (${sum})`,
    settle: 'Settle them first',
    errors: (count: number): string => `${counted(count, 'error stops', 'errors stop')} the file`,
    rates: (count: number): string => counted(count, 'exchange rate is missing', 'exchange rates are missing'),
    lacks: (count: number): string => `lacks ${counted(count, 'change', 'changes')}: make it again`,
    without: (count: number): string => `filed without ${orders(count)}`,
    filed: (day: string, number: string | null): string => `filed on ${day}${number === null ? ', number not said' : `, No ${number}`}`,
    due: (day: string, left: number): string => `due ${day}: ${left === 0 ? 'today' : counted(left, 'day left', 'days left')}`,
    late: (day: string): string => `late: was due ${day}`,
    fileOn: (day: string): string => `due ${day}`,
  },
  foreign: {
    words:
      'This installation records at a compliance service that is not part of it. That service keeps the months, makes their files and takes what is filed; ask it, or whoever runs it.',
    title: 'Paid orders that are not recorded',
    lead: 'What orderbridge knows: these orders will be missing in the file of their month until somebody settles them.',
    none: 'No paid order waits: all that orderbridge knows of is recorded.',
    columns: { store: 'Store', month: 'Month', orders: 'Orders', sum: 'Sum', oldest: 'Oldest', codes: 'Why' },
    cut: 'Only the first 1,000 orders of a shop were counted.',
  },
};
