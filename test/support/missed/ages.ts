import type { ExpectedOrder, Span } from './living-shop.ts';
import type { MissedStage } from './missed-stage.ts';

/**
 * How long orders whose webhooks were all lost were unknown, in seconds, without the time in which nothing ran, or the store was left alone because
 * its API had failed or a process that was killed still had its slot, or there was nothing of the order to record. `late`: those that took too long.
 */
export type Ages = { count: number; p50: number; max: number; late: string[] };

type Known = { orderId: string; at: number };
type Aging = { expected: readonly ExpectedOrder[]; reached: ReadonlySet<string>; limitMs: number; lifeOf(orderId: string): string };

/** Of each order that was paid and of which no webhook ever came: from its payment to its first record, or, if it has none, to its first news. */
export async function agesOf({ pool, shopId, downs, log }: MissedStage, { expected, reached, limitMs, lifeOf }: Aging): Promise<Ages> {
  const { rows } = await pool.query<Known>(
    `select o.order_id as "orderId", extract(epoch from coalesce((select min(began_at) from bridge.steps s where s.order_ref = o.id and s.kind = 'create'), o.created_at))::float8 * 1000 as at
     from bridge.orders o where o.shop_id = $1`,
    [shopId],
  );
  const blind = [...downs, ...pausesIn(await log())];
  const known = new Map(rows.map((row) => [row.orderId, row]));
  const measured = expected.flatMap(({ orderId, paidAt, offs = [] }) => {
    const row = known.get(orderId);
    if (paidAt === null || row === undefined || reached.has(orderId)) return [];
    const down = union([...blind, ...offs]).reduce((sum, { from, to }) => sum + Math.max(0, Math.min(row.at, to) - Math.max(paidAt, from)), 0);
    return [{ orderId, ms: Math.max(0, row.at - paidAt - down) }];
  });
  const sorted = measured.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number) => Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) / 1000);
  const late = measured.filter(({ ms }) => ms > limitMs).map(({ orderId, ms }) => `order ${orderId}: ${Math.round(ms / 1000)} s [${lifeOf(orderId)}]`);
  return { count: sorted.length, p50: at(0.5), max: at(1), late };
}

/** The pauses of the store, as the program logged them. */
function pausesIn(log: string): Span[] {
  return log.split('\n').flatMap((line) => {
    if (!line.includes('"store.paused"')) return [];
    const { time, until } = JSON.parse(line) as { time: string; until: string };
    return [{ from: Date.parse(time), to: Date.parse(until) }];
  });
}

function union(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last === undefined || from > last.to) joined.push({ from, to });
    else last.to = Math.max(last.to, to);
  }
  return joined;
}
