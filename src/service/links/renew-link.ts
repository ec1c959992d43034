import { inTransaction } from '../../platform/postgres/postgres.ts';
import { queueMail } from '../mail/shop-mails.ts';
import { writeServiceActs } from '../trail/service-acts.ts';
import { LINK_MAIL } from './link-mail.ts';
import type { LinkDeps, MonthLink } from './month-link.ts';

/** A new link is mailed at most once in so many minutes. */
const PAUSE_MINUTES = 15;

// Of two at once the second waits, and sees that the first one mailed.
const LOCK = `select from compliance.month_links o where (o.shop_id, o.month, o.recipient) = (select l.shop_id, l.month, l.recipient from compliance.month_links l where l.id = $1)
  order by o.id for update`;

/** Mails a new link to the address that this one was mailed to, unless one was mailed just now, or the shop no longer names that address. */
export async function renewLink({ pool, now }: Pick<LinkDeps, 'pool' | 'now'>, { id, shopId, month }: MonthLink): Promise<void> {
  const at = now();
  await inTransaction(pool, async (tx) => {
    await tx.query(LOCK, [id]);
    const { rowCount } = await tx.query(
      `update compliance.month_links l set renewed_at = $2 where id = $1 and not exists (
         select from compliance.month_links o where o.shop_id = l.shop_id and o.month = l.month and o.recipient = l.recipient
           and o.renewed_at > $2::timestamptz - interval '${PAUSE_MINUTES} minutes')`,
      [id, at],
    );
    if (rowCount !== 1) return;
    await queueMail(tx, { kind: LINK_MAIL, ref: { linkId: id }, shopId, dedupKey: `${LINK_MAIL}/${id}/${at.toISOString()}`, now: at });
    await writeServiceActs(tx, [{ who: `link:${id}`, act: 'link.renewed', subject: `${shopId} ${month}` }]);
  });
}
