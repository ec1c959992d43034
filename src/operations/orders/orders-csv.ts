import type { OrdersWanted } from '../../bridge/ledger/find-orders.ts';
import { csvRow, numberCell, textCell } from '../../platform/csv-cell.ts';
import { BYTE_ORDER_MARK } from '../../service/audit/summary/csv-columns.ts';
import { type FoundOrder, findOrders } from './find-orders.ts';

/** Whoever looks at a page meanwhile waits for so many at most. */
const AT_ONCE = 250;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** What a column shows of an order. `text` is never a formula; `amount` is decimal text or null. */
export type CsvColumn = { label: string } & ({ text(order: FoundOrder): string } | { amount(order: FoundOrder): string | null });

/** All orders that are wanted, page by page, as a spreadsheet opens them in Bulgaria. */
export async function* ordersCsv(deps: Parameters<typeof findOrders>[0], wanted: OrdersWanted, columns: readonly CsvColumn[]): AsyncGenerator<Buffer> {
  yield Buffer.from(BYTE_ORDER_MARK + csvRow(columns.map(({ label }) => textCell(label))));
  for (let after: string | null = ''; after !== null; ) {
    const page: Awaited<ReturnType<typeof findOrders>> = await findOrders(deps, wanted, { after, size: AT_ONCE });
    yield Buffer.from(page.orders.map((order) => csvRow(columns.map((column) => cell(column, order)))).join(''));
    after = page.next;
  }
}

function cell(column: CsvColumn, order: FoundOrder): string {
  if ('text' in column) return textCell(column.text(order));
  const amount = column.amount(order);
  return amount === null ? '' : DECIMAL.test(amount) ? numberCell(amount) : textCell(amount);
}
