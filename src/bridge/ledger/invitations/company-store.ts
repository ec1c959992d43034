import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { isoText, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { ORDER_STATES } from '../../order/decisions/order-state.ts';
import { orderState } from '../order-columns.ts';
import { sealedParts, withParts } from './sealed-parts.ts';

const parts = rowsOf('onboardings', z.object(sealedParts));
const PARTS = 'o.id, o.email, o.mail_to as "mailTo", o.progress';

/** Another way whose merchant has the company. */
type WayOfCompany = { id: string; email: string | null };

// One that ended before a shop was made has no claim on the company any more.
const OF_COMPANY = `select ${PARTS} from onboardings o where o.company = $1 and o.id <> $2
  and (o.shop_id is not null or (o.revoked_at is null and o.expires_at > now())) order by o.created_at, o.id`;

/** The other ways whose merchants have a company. */
export function waysOfCompany(db: Queryable, { company, except }: { company: string; except: string }): Promise<WayOfCompany[]> {
  return readRows(db, withParts(db, parts), { text: OF_COMPANY, values: [company, except] });
}

/** Of two that want a company at once, the second sees what the first one did. */
export function whileCompanyIsLocked<T>(pool: Pool, company: string, act: (tx: Queryable) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('merchant of company ' || $1, 0))`, [company]);
    return act(tx);
  });
}

/** A way that waits until somebody confirms whose a company is. `isContested`: its mailbox did, and the company is another's. */
type WaitingCompany = { id: string; company: string; at: string; isContested: boolean; hasMailbox: boolean };

const waits = z.object({ company: z.object({ waits: z.object({ company: z.string(), at: z.string() }), contested: z.boolean().catch(false) }) });

/** The longest first. */
export async function waitingCompanies(db: Queryable): Promise<WaitingCompany[]> {
  const open = await readRows(db, withParts(db, parts), {
    text: `select ${PARTS} from onboardings o where o.progress is not null and o.revoked_at is null and o.expires_at > now() order by o.id`,
  });
  const waiting = open.flatMap(({ id, email, mailTo, progress }) => {
    const { success, data } = waits.safeParse(progress);
    return success ? [{ id, ...data.company.waits, isContested: data.company.contested, hasMailbox: (email ?? mailTo) !== null }] : [];
  });
  return waiting.toSorted((one, other) => (one.at < other.at ? -1 : 1)).slice(0, 1000);
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
