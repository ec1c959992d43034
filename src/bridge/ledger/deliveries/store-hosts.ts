import { z } from 'zod';
import { type Authorship, authorOf } from '../../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { StoreHost } from '../../connections/connection.ts';
import type { UnknownHost } from '../../delivery/record-deliveries.ts';
import { READ_TOPIC } from '../../reconciliation/read-page.ts';
import { writeBridgeActs } from '../bridge-acts.ts';
import { CONNECTIONS_CHANNEL } from '../connection-row.ts';
import { jsonText } from '../json-columns.ts';
import { DELIVERY_OF_JSON, deliveryColumns } from '../orders/record-store.ts';

const ownership = z.enum(['quarantined', 'ours', 'not-ours']);
const hostRows = rowsOf('connection_hosts', z.object({ host: z.string(), ownership, dismissed: z.int() }));
const storeRow = rowsOf('connections', z.object({ store: z.string().nullable() }));
const knownRow = rowsOf('connections', z.object({ hasOrders: z.boolean() }));

type HostOwnership = StoreHost['ownership'];

/**
 * Whose a delivery is that names a host which its reader did not know as the store's, by what is known at this moment. The first delivery of a
 * connection decides, unless it may be another's; of any other unknown host it is quarantined, and of one that is not the store's it is counted, and
 * nothing is kept. Of a delivery without a body nothing is kept either; if it was read by the store's API, a person is asked all the same.
 */
export async function admitDelivery(pool: Pool, { delivery, host, store, undecided, elsewhere = false }: UnknownHost): Promise<HostOwnership> {
  const { connectionId } = delivery;
  return inTransaction(pool, async (tx) => {
    const { hosts, ...named } = await lockHosts(tx, connectionId);
    const known = hosts.find((one) => one.host === host)?.ownership;
    if (known === 'ours') return known;
    const isOpen = known === undefined && !elsewhere && !hosts.some(({ ownership: one }) => one === 'ours');
    // A name that was typed says nothing until a delivery has come; the reader's may be out of date.
    const isFirst = isOpen && ((undecided && named.store === store) || !(await hasOrders(tx, connectionId)));
    const next = isFirst ? 'ours' : (known ?? 'quarantined');
    if (isFirst) await setOwnership(tx, { connectionId, host, ownership: next });
    else await keepOutside(tx, { delivery, host, isQuarantined: next === 'quarantined' });
    return next;
  });
}

async function keepOutside(
  tx: Queryable,
  { delivery, host, isQuarantined }: Pick<UnknownHost, 'delivery' | 'host'> & { isQuarantined: boolean },
): Promise<void> {
  const isKept = isQuarantined && delivery.body !== null;
  // What was read by the store's API can be read again once a person said whose it is.
  if (isQuarantined && !isKept && delivery.topic !== READ_TOPIC) return;
  await tx.query(SEEN, [delivery.connectionId, host]);
  if (isKept) await tx.query(QUARANTINE, [jsonText({ ...deliveryColumns(tx, delivery), store: host })]);
}

/** `isAllowed` sees the hosts as they are, and may refuse. */
export type Judgement = {
  connectionId: string;
  host: string;
  ownership: 'ours' | 'not-ours';
  said: Authorship;
  isAllowed(hosts: readonly StoreHost[]): boolean;
};

/** Records whose a host is. Returns how many of its deliveries were dismissed before; null: refused. */
export async function judgeHost(pool: Pool, { isAllowed, said, ...judged }: Judgement): Promise<number | null> {
  return inTransaction(pool, async (tx) => {
    const { hosts } = await lockHosts(tx, judged.connectionId);
    if (!isAllowed(hosts)) return null;
    await setOwnership(tx, judged);
    const { connectionId, host: subject, ownership: after } = judged;
    const known = hosts.find(({ host }) => host === subject);
    const parts = { before: known?.ownership ?? null, after };
    await writeBridgeActs(tx, known?.ownership === after ? [] : [{ ...authorOf(said), act: 'host.judged', connectionId, subject, ...parts }]);
    return known?.dismissed ?? 0;
  });
}

// Not `for update`: rows of other tables that refer to the connection must not wait.
async function lockHosts(tx: Queryable, connectionId: string): Promise<{ store: string | null; hosts: StoreHost[] }> {
  const { store } = await readOne(tx, storeRow, { text: 'select store from connections where id = $1 for no key update', values: [connectionId] });
  const text = 'select host, ownership, dismissed from connection_hosts where connection_id = $1';
  return { store, hosts: await readRows(tx, hostRows, { text, values: [connectionId] }) };
}

async function hasOrders(tx: Queryable, connectionId: string): Promise<boolean> {
  const text = 'select exists (select from orders where connection_id = $1) as "hasOrders"';
  return (await readOne(tx, knownRow, { text, values: [connectionId] })).hasOrders;
}

async function setOwnership(
  tx: Queryable,
  { connectionId, host, ownership: next }: { connectionId: string; host: string; ownership: HostOwnership },
): Promise<void> {
  await tx.query(
    `insert into connection_hosts (connection_id, host, ownership) values ($1, $2, $3)
     on conflict (connection_id, host) do update set ownership = excluded.ownership`,
    [connectionId, host, next],
  );
  await tx.query('select pg_notify($1, $2)', [CONNECTIONS_CHANNEL, connectionId]);
}

const SEEN = `insert into connection_hosts (connection_id, host, ownership) values ($1, $2, 'quarantined')
  on conflict (connection_id, host) do update
    set last_at = now(), dismissed = connection_hosts.dismissed + case when connection_hosts.ownership = 'not-ours' then 1 else 0 end`;

// Its store is the host alone: that is what a person decides about.
const QUARANTINE = `insert into deliveries (id, connection_id, topic, platform_delivery_id, store, arrived_at, headers, answer_ms, cut, outcome, code, body)
  select id, connection_id, topic, platform_delivery_id, store, arrived_at, headers, answer_ms, cut, 'quarantined', 'store.other', decode(body, 'base64')
  from jsonb_to_record($1) as x(${DELIVERY_OF_JSON})
  on conflict (id) do nothing`;
