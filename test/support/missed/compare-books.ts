import type pg from 'pg';
import type { ExpectedOrder } from './living-shop.ts';

/** An order as the ledger has it, and how often and with how much the compliance service has it. Cents. */
type InLedger = { orderId: string; state: string; code: string | null; steps: number; total: number | null };
export type Books = { ledger: Map<string, InLedger[]>; service: Map<string, number[]> };

/** Something that is not as it should be. `isSilent`: no list of changes could tell it. */
export type Mismatch = { orderId: string; isSilent: boolean; words: string };

/** What stands in the ledger and at the embedded service, by SQL of our own. */
export async function readBooks(pool: pg.Pool, shopId: string): Promise<Books> {
  const orders = await pool.query<Omit<InLedger, 'total'> & { record: RecordLines | null }>(
    `select order_id as "orderId", state, review_code as code, step_seq as steps, case when compliance_id is not null then (select s.record from bridge.steps s where s.order_ref = o.id and s.compliance_id = o.compliance_id and s.kind = 'create' limit 1) end as record from bridge.orders o where shop_id = $1`,
    [shopId],
  );
  const records = await pool.query<{ orderId: string; total: string }>(
    'select internal_id as "orderId", total::text as total from compliance.orders where shop_id = $1',
    [shopId],
  );
  const rows = orders.rows.map(({ record, ...row }) => ({ ...row, total: record === null ? null : totalOf(record) }));
  return {
    ledger: Map.groupBy(rows, ({ orderId }) => orderId),
    service: new Map([...Map.groupBy(records.rows, ({ orderId }) => orderId)].map(([id, of]) => [id, of.map(({ total }) => Math.round(Number(total) * 100))])),
  };
}

type RecordLines = { lineItems: { price: string | number; quantity: string | number; discount?: string | number | null }[] };

function totalOf({ lineItems }: RecordLines): number {
  return Math.round(lineItems.reduce((sum, { price, quantity, discount }) => sum + Number(price) * Number(quantity) - Number(discount ?? 0), 0) * 100);
}

/** Compares what stands with what the shop knows: each order once, to the cent, or with a person who may be asked about it. */
export function compareBooks(expected: readonly ExpectedOrder[], { ledger, service }: Books): Mismatch[] {
  const known = new Set(expected.map(({ orderId }) => orderId));
  const strange = [...new Set([...ledger.keys(), ...service.keys()])].filter((id) => !known.has(id));
  return [
    ...expected.flatMap((order) => {
      const words = problemOf(order, { rows: ledger.get(order.orderId) ?? [], records: service.get(order.orderId) ?? [] });
      return words === null ? [] : [{ orderId: order.orderId, isSilent: order.isSilent, words: `order ${order.orderId}: ${words}` }];
    }),
    ...strange.map((orderId) => ({ orderId, isSilent: false, words: `order ${orderId}: the store never had it` })),
  ];
}

type Found = { rows: readonly InLedger[]; records: readonly number[] };

function problemOf(order: ExpectedOrder, { rows, records }: Found): string | null {
  const [row] = rows;
  if (rows.length > 1 || records.length > 1) return `${rows.length} times in the ledger, ${records.length} times at the service`;
  const [record = null] = records;
  const here = row?.total ?? null;
  if (here !== record) return `the ledger says ${moneyOf(here)}, the service ${moneyOf(record)}${stateOf(row)}`;
  if (order.isUnsure) return null;
  if (row?.state === 'review') return askedWrongly(order, row);
  // It was gone before anybody here could hear that it was paid.
  if (order.isGone && (row?.steps ?? 0) === 0) return null;
  return order.kept === null ? `a person should be asked, and it is ${row?.state ?? 'unknown'}` : wrongMoney(order.kept, record, row);
}

function wrongMoney(kept: number, record: number | null, row: InLedger | undefined): string | null {
  if ((record ?? 0) === kept) return null;
  return row === undefined ? `unknown here, ${moneyOf(kept)} is right` : `${moneyOf(record)} is recorded, ${moneyOf(kept)} is right${stateOf(row)}`;
}

function askedWrongly({ mayAsk, kept }: ExpectedOrder, { code }: InLedger): string | null {
  return mayAsk.includes(code ?? '') ? null : `it waits for a person with ${code}, though ${moneyOf(kept)} is right`;
}

function stateOf(row: InLedger | undefined): string {
  return row === undefined ? '' : ` (${row.state}${row.code === null ? '' : `, ${row.code}`})`;
}

export function moneyOf(cents: number | null): string {
  return cents === null ? 'nothing' : (cents / 100).toFixed(2);
}
