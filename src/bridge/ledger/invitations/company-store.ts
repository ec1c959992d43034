import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { isoText, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { ORDER_STATES } from '../../order/decisions/order-state.ts';
import { orderState } from '../order-columns.ts';

const ways = rowsOf('onboardings', z.object({ id: z.string(), email: z.string().nullable() }));

/** Another way whose merchant has the company. */
type WayOfCompany = z.output<typeof ways.schema>;

// One that ended before a shop was made has no claim on the company any more.
const OF_COMPANY = `select o.id, o.email from onboardings o where o.company = $1 and o.id <> $2
  and (o.shop_id is not null or (o.revoked_at is null and o.expires_at > now())) order by o.created_at, o.id`;

/** The other ways whose merchants have a company. */
export function waysOfCompany(db: Queryable, { company, except }: { company: string; except: string }): Promise<WayOfCompany[]> {
  return readRows(db, ways, { text: OF_COMPANY, values: [company, except] });
}

/** Of two that want a company at once, the second sees what the first one did. */
export function whileCompanyIsLocked<T>(pool: Pool, company: string, act: (tx: Queryable) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('merchant of company ' || $1, 0))`, [company]);
    return act(tx);
  });
}

const waiting = rowsOf('onboardings', z.object({ id: z.string(), company: z.string(), at: z.string(), isContested: z.boolean(), hasMailbox: z.boolean() }));

/** A way that waits until somebody confirms whose a company is. `isContested`: its mailbox did, and the company is another's. */
type WaitingCompany = z.output<typeof waiting.schema>;

/** The longest first. */
export function waitingCompanies(db: Queryable): Promise<WaitingCompany[]> {
  return readRows(db, waiting, {
    text: `select o.id, o.progress #>> '{company,waits,company}' as company, o.progress #>> '{company,waits,at}' as at,
        coalesce(o.progress #>> '{company,contested}' = 'true', false) as "isContested", coalesce(o.email, o.mail_to) is not null as "hasMailbox"
      from onboardings o where o.progress #>> '{company,waits,company}' is not null and o.revoked_at is null and o.expires_at > now()
      order by 3, 1 limit 1000`,
  });
}

/** `scope`: that of every link by which its mailbox is asked, whoever typed it. `day`, `month`: as many of them as are mailed, of all. */
type ConfirmLink = { token: Buffer; onboarding: string; scope: string; days: number; most: { day: number; month: number } };

/** False: the mailbox had enough of them, and no mail is to go. */
export async function insertConfirmLink(pool: Pool, { token, onboarding, scope, days, most }: ConfirmLink): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    // Of two at once the second sees what the first one did.
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [scope]);
    const made = (span: string) =>
      `(select count(*) from onboarding_links l where l.scope = $3 and starts_with(l.scope, 'confirm:') and l.made_at > now() - interval '${span}')`;
    const { rowCount } = await tx.query(
      `insert into onboarding_links (token, onboarding, scope, expires_at) select $1, $2, $3, now() + $4 * interval '1 day'
        where ${made('1 day')} < $5 and ${made('30 days')} < $6`,
      [token, onboarding, scope, days, most.day, most.month],
    );
    return rowCount === 1;
  });
}

const orderRows = rowsOf('orders', z.object({ number: z.string().nullable(), orderId: z.string(), at: z.string(), state: orderState }));

/** `at`: when it first came. */
export type LastOrder = z.output<typeof orderRows.schema>;

/** The order of a connection that came last; null: there is none. The newest of each state is at the end of an index. */
export function lastOrder(db: Queryable, connectionId: string): Promise<LastOrder | null> {
  return readRow(db, orderRows, {
    text: `select o.number, o.order_id as "orderId", ${isoText('o.created_at')} as at, o.state from unnest($2::text[]) s (state)
      cross join lateral (select * from orders where connection_id = $1 and state = s.state order by id desc limit 1) o order by o.id desc limit 1`,
    values: [connectionId, ORDER_STATES],
  });
}
