import type { WireOrder } from '../servers/scripted-compliance.ts';
import type { HostileStage } from './hostile-stage.ts';
import type { MerchantName } from './merchant.ts';
import type { Meaning } from './shot.ts';
import { noneOf, type Verdict } from './verdict.ts';

type Accounts = { meant: readonly Meaning[]; unanswered: readonly Meaning[] };
type Kept = { order_id: string; connection_id: string; state: string; review_code: string | null };

/** What was answered 200 is recorded or in review, once, with its total; and nothing else is. A repeat that is refused asks whether the first try was done. */
export async function checkAccepted(stage: HostileStage, { meant, unanswered }: Accounts): Promise<Verdict[]> {
  const orders = new Map(meant.flatMap((one) => (one.kind === 'order' ? [[one.id, one] as const] : [])));
  const { rows } = await stage.pool.query<Kept>('select order_id, connection_id, state, review_code from bridge.orders');
  const kept = Map.groupBy(rows, ({ order_id }) => order_id);
  const records = Map.groupBy(stage.compliance.records, ({ dto }) => dto.internalId);
  const wrong = [...orders.values()].flatMap(({ id, total, merchant }) => {
    const why = problemOf({ kept: kept.get(id) ?? [], totals: (records.get(id) ?? []).map(({ dto }) => totalOf(dto)), total, merchant });
    return why === null ? [] : [`order ${id} of ${merchant}: ${why}`];
  });
  const known = new Set([...orders.keys(), ...unanswered.flatMap((one) => (one.kind === 'order' ? [one.id] : []))]);
  const strange = [...new Set([...kept.keys(), ...records.keys()])].filter((id) => !known.has(id));
  return [
    { ...noneOf(`each order that was answered 200 is recorded or review, once`, wrong), figure: `${wrong.length} of ${orders.size} otherwise` },
    noneOf('no order is recorded that no merchant sent', strange),
    await checkUnreadable(stage, { meant, unanswered }),
  ];
}

type Seen = { kept: readonly Kept[]; totals: readonly string[]; total: string; merchant: MerchantName };

function problemOf({ kept, totals, total, merchant }: Seen): string | null {
  const [order, ...others] = kept;
  if (order === undefined) return 'not in the ledger';
  if (others.length > 0) return `${kept.length} times in the ledger`;
  if (totals.length > 1) return `recorded ${totals.length} times`;
  // The shop that is refused is answered 500 too, and the repeat 400.
  const waitsForPerson = order.state === 'review' || (order.state === 'unconfirmed' && merchant === 'refused');
  if (waitsForPerson) return totals.length === 0 ? null : `${order.state} and recorded`;
  if (order.state !== 'recorded') return `${order.state}${order.review_code === null ? '' : `, ${order.review_code}`}`;
  return totals[0] === total ? null : `recorded as ${totals[0] ?? 'nothing'}, not ${total}`;
}

function totalOf({ lineItems }: WireOrder): string {
  return lineItems.reduce((sum, { price, quantity, discount }) => sum + price * quantity - discount, 0).toFixed(2);
}

/** Signed bodies that nobody can read are kept for a person. */
async function checkUnreadable({ pool, merchants }: HostileStage, { meant, unanswered }: Accounts): Promise<Verdict> {
  const [least, more] = [meant, unanswered].map((all) => all.filter(({ kind }) => kind === 'unreadable').length);
  const text = `select count(*)::int as kept from bridge.deliveries where connection_id = $1 and outcome = 'review'`;
  const [row] = (await pool.query<{ kept: number }>(text, [merchants.heavy.connectionId])).rows;
  const kept = row?.kept ?? 0;
  const [accepted, unsure] = [least ?? 0, more ?? 0];
  const held = kept >= accepted && kept <= accepted + unsure;
  const detail = held ? '' : 'look at the rows of bridge.deliveries of that connection';
  return { what: 'each signed body that can’t be read is kept', figure: `${kept} of ${accepted}`, held, detail };
}
