import { type CsvColumn, ordersCsv } from '../../../operations/orders/orders-csv.ts';
import { orderFor } from '../../../operations/sheets/quoted-words.ts';
import type { PageContext, Reply } from '../../base/page.ts';
import { numberOf } from './number-of.ts';
import { inAddress, ordersAsked } from './orders-asked.ts';
import { whyWords } from './why-words.ts';

/** The list as a file. */
export async function ordersFile(context: PageContext): Promise<Reply> {
  const { deps } = context;
  const { stores, wanted } = await ordersAsked(context, inAddress(context));
  const names = new Map(stores.map(({ id, name }) => [id, name]));
  const content = ordersCsv(
    { pool: deps.pool, connections: stores },
    wanted,
    columnsIn(context, (id) => names.get(id) ?? id),
  );
  return { content, type: 'text/csv; charset=utf-8', name: `${context.words.orders.fileName}.csv` };
}

function columnsIn({ words, person }: PageContext, storeOf: (connectionId: string) => string): readonly CsvColumn[] {
  const { columns, csvColumns, states } = words.orders;
  return [
    { label: columns.number, text: numberOf },
    { label: columns.store, text: ({ connectionId }) => storeOf(connectionId) },
    { label: columns.state, text: ({ state }) => states[state] },
    { label: columns.why, text: (order) => whyWords(orderFor(person, order), words) },
    { label: columns.total, amount: ({ orderTotal }) => orderTotal },
    { label: csvColumns.currency, text: ({ currency }) => currency ?? '' },
    { label: columns.recorded, amount: ({ recordedTotal }) => recordedTotal },
    { label: csvColumns.recordedCurrency, text: ({ recordedCurrency }) => recordedCurrency ?? '' },
    { label: columns.paid, text: ({ isPaid, paidAt }) => (isPaid ? (paidAt ?? '') : '') },
    { label: columns.changed, text: ({ updatedAt }) => updatedAt },
    { label: csvColumns.complianceId, text: ({ complianceId }) => complianceId ?? '' },
    { label: csvColumns.orderId, text: ({ orderId }) => orderId },
  ];
}
