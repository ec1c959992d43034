import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sealedPart } from '../../../src/bridge/ledger/invitations/sealed-parts.ts';
import { createStoreCallLedger } from '../../../src/bridge/ledger/sync/store-calls.ts';
import type { OidcConfig } from '../../../src/config/config.ts';
import { Secret } from '../../../src/config/secret.ts';
import { appCases } from './app-cases.ts';
import { orderOf } from './bridge.ts';
import {
  ANSWERED,
  type CheckCode,
  connectionCase,
  deliveryCase,
  endingKeyCase,
  type HealthCase,
  monthCase,
  outboxJobCase,
  pauseCase,
  rowCase,
  sql,
} from './health-case.ts';
import type { HealthWorld } from './health-world.ts';

const host = '127.0.0.1';
const NOBODY = 'http://127.0.0.1:9';
const HOUR = 3_600_000;
const unconfirmed = 'u1';
const WAITING = '00000000-0000-4000-8000-0000000000aa';
const ENDPOINT = '00000000-0000-4000-8000-0000000000ab';
const unmapped = (n: number) =>
  orderOf('p1', { updatedAt: `2026-11-01T1${n}:00:00Z`, payment: { method: n === 0 ? 'shells' : 'stripe', transactionId: 'pi_9' } });
const recorded = async ({ bridge, corner }: HealthWorld, id: string) => {
  await bridge.send(corner, 'order.paid', { order: orderOf(id) });
  return bridge.settled(corner, id, 'recorded');
};

/** Those that are true together; the others stop a server, or need another time. */
export const healthCases: Partial<Record<CheckCode, HealthCase>> = {
  'orders.need-review': {
    level: 'attention',
    subject: () => 'payment.unmapped',
    begin: async ({ bridge, corner }) => {
      await bridge.send(corner, 'order.paid', { order: unmapped(0) });
      await bridge.settled(corner, 'p1', 'review');
    },
    end: async ({ bridge, corner }) => {
      await bridge.send(corner, 'order.paid', { order: unmapped(1) });
      await bridge.settled(corner, 'p1', 'recorded');
    },
  },
  'orders.unconfirmed': {
    level: 'attention',
    subject: () => null,
    begin: async (world) => {
      await recorded(world, unconfirmed);
      await sql(world, `update orders set state = 'unconfirmed' where order_id = $1`, [unconfirmed]);
    },
    end: (world) => sql(world, `update orders set state = 'recorded' where order_id = $1`, [unconfirmed]),
  },
  'privacy.not-forgotten': outboxJobCase('forget-buyer', recorded),
  'deliveries.not-reported': outboxJobCase('delivered', recorded),
  'shop.unknown': connectionCase('shop.unknown', async () => undefined),
  'key.unknown': connectionCase('key.unknown', async ({ bridge }, id) => {
    const destination = await bridge.app.core.destinations.ensure(null, { apiKey: 'ck_nobody', apiSecret: 'cs_nobody' });
    await bridge.pool.query('update connections set destination_id = $2 where id = $1', [id, destination]);
  }),
  'key.ending': endingKeyCase(),
  'secrets.closed': connectionCase('secrets.closed', ({ bridge }, id) =>
    bridge.pool.query('update connections set secrets = (select store_access from connections where store_access is not null limit 1) where id = $1', [id]),
  ),
  ...appCases,
  'month.late': monthCase(4, null, 'failing'),
  'month.blocked': monthCase(0, JSON.stringify({ kind: 'blocked' }), 'attention'),
  'orders.outstanding': {
    level: 'attention',
    begin: (world) =>
      sql(
        world,
        // More than those in review, and of a month that is not over.
        `insert into compliance.outstanding values ($1, now(), jsonb_build_array(jsonb_build_object('orders', 9, 'month', to_char(now() + interval '1 day', 'YYYY-MM'),
          'currency', 'EUR', 'total', '9.00', 'oldest', now(), 'codes', '{}'::jsonb)))`,
        [world.idle],
      ),
    end: (world) => sql(world, 'delete from compliance.outstanding where shop_id = $1', [world.idle]),
  },
  'company.unconfirmed': {
    level: 'attention',
    subject: () => WAITING,
    begin: (world) => {
      const plain = JSON.stringify({ company: { contested: true, waits: { company: '206770508', at: '2026-11-01T10:00:00Z' } } });
      const progress = sealedPart(world.bridge.pool, { id: WAITING, column: 'progress', plain });
      return sql(world, `insert into onboardings (id, who, expires_at, progress) values ($1, 'cli:test', now() + interval '1 day', $2)`, [WAITING, progress]);
    },
    end: (world) => sql(world, 'update onboardings set revoked_at = now() where id = $1', [WAITING]),
  },
  'mails.refused': {
    level: 'attention',
    subject: ({ idle }) => idle,
    begin: (world) =>
      sql(
        world,
        `insert into compliance.mailboxes (shop_id, mailbox, refused_at) select id, marks[1], now()
          from compliance.shops where id = $1`,
        [world.idle],
      ),
    end: (world) => sql(world, 'update compliance.mailboxes set refused_at = null'),
  },
  'bodies.cut': {
    level: 'attention',
    subject: ({ woo }) => woo.connection.id,
    begin: (world) => sql(world, `insert into counts (span, at, subject, kept) values ('day', now(), $1, 210 * 1024 ^ 2)`, [world.woo.connection.id]),
    end: (world) => sql(world, 'update counts set kept = 0 where subject = $1', [world.woo.connection.id]),
  },
  'numbers.skipped': {
    level: 'attention',
    subject: () => '206770508',
    begin: (world) => sql(world, `insert into compliance.skipped_numbers values ('206770508', 2, 699, 'receiptStartNumber was raised', 'key:one', now())`),
    end: (world) => sql(world, `update compliance.skipped_numbers set at = now() - interval '8 days'`),
  },
  'orders.unread': {
    level: 'attention',
    subject: ({ woo }) => woo.connection.id,
    begin: (world) =>
      sql(world, `insert into unread_orders (connection_id, order_id, number, changed_at) values ($1, 'w9', '#9', '2026-11-01T10:00:00Z')`, [
        world.woo.connection.id,
      ]),
    end: (world) => sql(world, 'delete from unread_orders'),
  },
  'webhooks.need-review': deliveryCase('review', 'payload.unreadable'),
  'hosts.quarantined': deliveryCase('quarantined', null),
  'store.paused': {
    level: 'attention',
    subject: ({ woo }) => woo.connection.id,
    begin: ({ bridge }) => createStoreCallLedger(bridge.pool).pause({ host, connectionId: null, code: 'storefront.unreachable', detail: ANSWERED }, () => HOUR),
    end: ({ bridge, woo }) => createStoreCallLedger(bridge.pool).works({ host, connectionId: woo.connection.id }, true),
  },
  'store.access': {
    level: 'attention',
    subject: ({ woo }) => woo.connection.id,
    begin: async ({ bridge, woo, switches }) => {
      Object.assign(switches, { storeApi: false });
      // A reading was refused before.
      await bridge.app.core.connections.warn(woo.connection.id, 'store-api', ANSWERED);
    },
    end: async ({ bridge, woo, switches, run }) => {
      Object.assign(switches, { storeApi: true });
      await bridge.app.core.connections.endWarning(woo.connection.id, 'store-api');
      await run(['doctor']);
    },
  },
  'store.unread': rowCase('store_syncs', `read_at = now() - interval '2 hours'`, 'read_at = now()'),
  'store.trial': {
    level: 'attention',
    subject: ({ woo }) => woo.connection.id,
    begin: (world) => sql(world, `update connections set trial_since = now() - interval '4 days' where id = $1`, [world.woo.connection.id]),
    end: (world) => sql(world, 'update connections set trial_since = null where id = $1', [world.woo.connection.id]),
  },
  'webhooks.broken': rowCase(
    'watches',
    `problems = '[{"topic": "order.updated", "kind": "disabled", "words": "${ANSWERED}", "repairs": "request"}]'`,
    `problems = '[]'`,
  ),
  'webhooks.refused': rowCase('traffic', `refused_at = now(), refused_code = 'signature.mismatch', refused_in_row = 3`, 'refused_in_row = 0'),
  'webhooks.silent': connectionCase('webhooks.silent', async ({ bridge: { pool } }, id) => {
    await pool.query(
      `insert into deliveries (id, connection_id, topic, arrived_at, outcome)
      select gen_random_uuid(), $1, 'order.paid', now() - n * interval '5 hours', 'merged' from generate_series(20, 100) n`,
      [id],
    );
    await pool.query(`insert into traffic (connection_id, accepted_at) values ($1, now() - interval '100 hours')`, [id]);
  }),
  'mails.failed': {
    level: 'attention',
    begin: (world) =>
      sql(
        world,
        `insert into compliance.mails (id, kind, ref, dedup_key, shop_id, created_at, failed_at) values (gen_random_uuid(), 'receipt', '{}', 'x', $1, now(), now())`,
        [world.idle],
      ),
    end: (world) => sql(world, 'delete from compliance.mails where shop_id = $1', [world.idle]),
  },
  'month.unmailed': {
    level: 'attention',
    subject: () => '2026-10',
    begin: (world) =>
      sql(
        world,
        `insert into compliance.mails (id, kind, ref, dedup_key, shop_id, created_at, failed_at)
         values (gen_random_uuid(), 'audit-reminder', jsonb_build_object('shopId', $1::text, 'month', '2026-10'), 'y', $1::text::uuid, now(), now())`,
        [world.idle],
      ),
    end: (world) => sql(world, 'delete from compliance.mails where shop_id = $1', [world.idle]),
  },
  'mail.down': {
    level: 'attention',
    begin: ({ switches }) => void Object.assign(switches, { mailServer: false }),
    end: ({ switches }) => void Object.assign(switches, { mailServer: true }),
  },
  'orders.ended-currency': {
    level: 'attention',
    subject: () => '2026-11 BGN',
    begin: async (world) => {
      await recorded(world, 'r1');
      await sql(world, `update compliance.orders set currency = 'BGN' where internal_id = 'r1'`);
    },
    end: (world) => sql(world, `update compliance.orders set currency = 'EUR' where internal_id = 'r1'`),
  },
  'rates.missing': {
    level: 'attention',
    begin: (world) => sql(world, `update compliance.orders set accounting_total = null where internal_id = 'r1'`),
    end: (world) => sql(world, `update compliance.orders set accounting_total = 48 where internal_id = 'r1'`),
  },
  // After those that need an order to be recorded.
  'destination.paused': pauseCase({ callType: 'records', ofShop: false }, 'failing'),
  'shop.paused': pauseCase({ callType: 'records', ofShop: true }, 'failing'),
  'receipts.paused': pauseCase({ callType: 'receipts', ofShop: false }, 'attention'),
  'database.restarted': {
    level: 'attention',
    begin: ({ bridge }) => writeFile(join(bridge.app.core.config.dataDir, 'postgres.restarts'), new Date().toISOString()),
    end: ({ bridge }) => rm(join(bridge.app.core.config.dataDir, 'postgres.restarts')),
  },
  'disk.full': {
    level: 'attention',
    onlyServer: true,
    begin: ({ switches }) => void Object.assign(switches, { diskFree: 5 * 1024 ** 2 }),
    end: ({ switches }) => void Object.assign(switches, { diskFree: 500 * 1024 ** 3 }),
  },
  'provider.down': {
    level: 'attention',
    env: { OIDC_ISSUER: NOBODY, OIDC_CLIENT_ID: 'orderbridge', OIDC_CLIENT_SECRET: 'hunter2', OIDC_ROLES: 'owner=ops' },
    begin: ({ bridge }) => {
      const oidc: OidcConfig = { issuer: NOBODY, clientId: 'orderbridge', clientSecret: new Secret('hunter2'), roleClaim: 'groups', roles: [] };
      Object.assign(bridge.app.core.config, { oidc });
    },
    end: ({ bridge }) => void Object.assign(bridge.app.core.config, { oidc: null }),
  },
  'public.silent': {
    level: 'attention',
    begin: ({ switches }) => void Object.assign(switches, { publicAddress: false }),
    end: ({ switches }) => void Object.assign(switches, { publicAddress: true }),
  },
  'queue.paused': {
    level: 'failing',
    subject: () => 'maintenance',
    begin: ({ queues }) => queues.maintenance.pause(),
    end: ({ queues }) => queues.maintenance.resume(),
  },
  'queue.unsafe': {
    level: 'attention',
    begin: ({ admin }) => admin.config('SET', 'maxmemory-policy', 'allkeys-lru'),
    end: ({ admin }) => admin.config('SET', 'maxmemory-policy', 'noeviction'),
  },
  'database.unsafe': {
    level: 'attention',
    subject: () => 'fsync',
    begin: (world) => setFsync(world, 'off'),
    end: (world) => setFsync(world, 'on'),
  },
  'admin.short': {
    level: 'attention',
    env: { ADMIN_TOKEN: 'short' },
    begin: ({ bridge }) => void Object.assign(bridge.app.core.config, { adminToken: new Secret('short') }),
    end: ({ bridge }) => void Object.assign(bridge.app.core.config, { adminToken: null }),
  },
  'events.disabled': {
    level: 'attention',
    subject: () => ENDPOINT,
    begin: (world) =>
      sql(
        world,
        `insert into event_endpoints (id, url, secrets, with_buyers, disabled_at, disabled_as) values ($1, 'https://events.example/', '', false, now(), 'gone')`,
        [ENDPOINT],
      ),
    end: (world) => sql(world, 'delete from event_endpoints'),
  },
  'alerts.broken': {
    level: 'attention',
    subject: () => 'slack',
    begin: (world) => sql(world, `insert into alert_messages (id, channel, kind, body, failed_at) values (gen_random_uuid(), 'slack', 'raised', '{}', now())`),
    end: (world) =>
      sql(
        world,
        `insert into alert_messages (id, channel, kind, body, sent_at) values (gen_random_uuid(), 'slack', 'raised', '{}', now() + interval '1 second')`,
      ),
  },
};

/** Those that some of the others hide. */
export const otherCases: Partial<Record<CheckCode, HealthCase>> = {
  'backlog.old': {
    level: 'attention',
    subject: () => 'orders',
    begin: async (world) => {
      await recorded(world, 'b1');
      // Somebody has it, and does nothing.
      const late = `dirty_since = now() - interval '1 hour', due_at = now() - interval '1 hour', lease_until = now() + interval '1 hour'`;
      await sql(world, `update orders set revision = revision + 1, ${late} where order_id = 'b1'`);
    },
    end: (world) => sql(world, `update orders set revision = revision - 1, lease_until = null, dirty_since = null where order_id = 'b1'`),
  },
  'rates.old': {
    level: 'attention',
    begin: async (world) => {
      await sql(world, `insert into compliance.rate_sheets select d, d + 1 from (select (now() - interval '20 days')::date as d) days`);
      await sql(world, `insert into compliance.exchange_rates values ('USD', (now() - interval '20 days')::date, 'EUR', 1, 1, 'BNB', now())`);
    },
    end: async (world) => {
      await sql(world, 'delete from compliance.exchange_rates');
      await sql(world, 'delete from compliance.rate_sheets');
    },
  },
  'check.failed': {
    level: 'failing',
    subject: () => 'alerts',
    begin: (world) => sql(world, 'alter table alert_messages rename to alert_messages_gone'),
    end: (world) => sql(world, 'alter table alert_messages_gone rename to alert_messages'),
  },
  // The last one, since nothing is recorded then.
  'database.restored': {
    level: 'failing',
    begin: (world) => sql(world, "update jobs.database set stopped = 'copied', since = now()"),
    end: (world) => sql(world, 'update jobs.database set stopped = null, since = null'),
  },
};

/** A store that records at another compliance service, which is down; nothing is sent there yet. */
async function setFsync(world: HealthWorld, to: 'on' | 'off'): Promise<void> {
  await sql(world, `alter system set fsync = ${to}`);
  await sql(world, 'select pg_reload_conf()');
}
