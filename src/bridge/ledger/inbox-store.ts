import { inTransaction, type Pool } from '../../platform/postgres/postgres.ts';
import type { AcceptedDelivery } from '../delivery/jobs.ts';
import { jsonText } from './json-text.ts';

/** The inbox: where deliveries wait while the queue is away. */
export async function putInInbox(pool: Pool, delivery: AcceptedDelivery): Promise<void> {
  await pool.query('insert into inbox (id, delivery, arrived_at) values ($1, $2, $3) on conflict (id) do nothing', [
    delivery.id,
    jsonText(delivery),
    delivery.arrivedAt,
  ]);
}

export type InboxMove = {
  size: number;
  /** Resolves when the queue has them. */
  add(deliveries: AcceptedDelivery[]): Promise<void>;
};

/** Hands a page of the inbox to the queue; answers how many. The rows are locked until the queue has them, and a crash makes a duplicate, never a loss. */
export async function moveInbox(pool: Pool, { size, add }: InboxMove): Promise<number> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ id: string; delivery: AcceptedDelivery }>(
      'select id, delivery from inbox order by arrived_at limit $1 for update skip locked',
      [size],
    );
    if (rows.length === 0) return 0;
    await add(rows.map(({ delivery }) => delivery));
    await tx.query('delete from inbox where id = any($1)', [rows.map(({ id }) => id)]);
    return rows.length;
  });
}

const PAGE = 100;

/** Rewrites the rows of these connections one page at a time; null leaves a row as it is. */
export async function rewriteInbox(
  pool: Pool,
  connectionIds: readonly string[],
  rewrite: (delivery: AcceptedDelivery) => AcceptedDelivery | null,
): Promise<void> {
  for (let after: string | null = null, left = true; left; ) {
    const page: string[] = await rewritePage(pool, { connectionIds, after, rewrite });
    after = page.at(-1) ?? after;
    left = page.length === PAGE;
  }
}

type RewritePage = { connectionIds: readonly string[]; after: string | null; rewrite(delivery: AcceptedDelivery): AcceptedDelivery | null };

async function rewritePage(pool: Pool, { connectionIds, after, rewrite }: RewritePage): Promise<string[]> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ id: string; delivery: AcceptedDelivery }>(
      `select id, delivery from inbox where delivery ->> 'connectionId' = any($1) and ($2::uuid is null or id > $2) order by id limit $3 for update`,
      [connectionIds, after, PAGE],
    );
    for (const { id, delivery } of rows) {
      const rewritten = rewrite(delivery);
      if (rewritten !== null) await tx.query('update inbox set delivery = $2 where id = $1', [id, jsonText(rewritten)]);
    }
    return rows.map(({ id }) => id);
  });
}

export async function inboxSize(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('select count(*) as count from inbox');
  return rows[0]?.count ?? 0;
}
