import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { checkCodes } from '../../../src/operations/health/checks.ts';
import type { Level } from '../../../src/operations/health/health-status.ts';
import { readOne, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import type { HealthWorld } from './health-world.ts';

export type CheckCode = keyof typeof checkCodes;

/** How a failed check comes true, and how it ends. Several are true at once, so none may touch what another needs. */
export type HealthCase = {
  level: Level;
  /** The subject by which it is known among others; null: it has none. Absent: any. */
  subject?: (world: HealthWorld) => string | null;
  begin(world: HealthWorld): unknown;
  end(world: HealthWorld): unknown;
  /** What commands are given. */
  env?: Record<string, string>;
  /** True: no command can be made to see it in a test. */
  onlyServer?: true;
};

const HOUR = 3_600_000;
/** What a service or a store answered, which may repeat a buyer. */
export const ANSWERED = '404 nothing here';
const ids = rowsOf('compliance.api_keys', z.object({ id: z.string() }));
/** The connections of cases, by their keys. */
const made = new Map<string, string>();
export const sql = ({ bridge }: HealthWorld, text: string, values: unknown[] = []) => bridge.pool.query(text, values);

export function pauseCase(scope: { callType: 'records' | 'receipts'; ofShop: boolean }, level: Level): HealthCase {
  const where = ({ corner: { connection } }: HealthWorld) => ({
    ...{ destinationId: connection.destinationId, shopId: scope.ofShop ? connection.shopId : null, callType: scope.callType },
  });
  return {
    level,
    subject: ({ corner: { connection } }) => (scope.ofShop ? connection.shopId : connection.destinationId),
    begin: async (world) => {
      const code = scope.ofShop ? 'compliance.misconfigured' : 'compliance.unreachable';
      await world.bridge.app.core.destinations.pause({ ...where(world), code, detail: ANSWERED }, () => HOUR);
    },
    end: (world) => world.bridge.app.core.destinations.resume(where(world)),
  };
}

/** A connection that exists as long as the case. */
export function connectionCase(key: CheckCode, spoil: (world: HealthWorld, id: string) => Promise<unknown>): HealthCase {
  return {
    level: key === 'webhooks.silent' ? 'attention' : 'failing',
    subject: () => made.get(key) ?? '',
    begin: async (world) => {
      const shopId = key === 'shop.unknown' ? randomUUID() : await world.newShop();
      const { connection } = await world.bridge.connect({ name: key, shopId });
      made.set(key, connection.id);
      await spoil(world, connection.id);
    },
    end: ({ bridge }) => bridge.app.core.connections.close(made.get(key) ?? ''),
  };
}

const month = (ago: number) => `date_trunc('month', now() at time zone 'Europe/Sofia')::date - interval '${ago} months'`;
/** SQL of a file of a month (SQL) of the shop $1: that there is one. */
export function fileOf(of: string): string {
  return `insert into compliance.audit_files (id, shop_id, month, version, created_at, cut_at, header, sha256, bytes, sums, findings, summary)
    values (gen_random_uuid(), $1, ${of}, 1, now(), now(), '{}', '', 0, '{}', '[]', '{}')`;
}

export function monthCase(ago: number, attempt: string | null, level: Level): HealthCase {
  return {
    level,
    begin: async (world) => {
      if (attempt === null) await sql(world, fileOf(month(ago)), [world.idle]);
      await sql(
        world,
        `insert into compliance.audit_months (shop_id, month, state, attempt, scheduled_at, attempted_at) values ($1, ${month(ago)}, $2, $3, now(), now())`,
        [world.idle, attempt === null ? 'generated' : 'open', attempt],
      );
    },
    end: async (world) => {
      await sql(world, `delete from compliance.audit_months where shop_id = $1 and month = ${month(ago)}`, [world.idle]);
      await sql(world, `delete from compliance.audit_files where shop_id = $1 and month = ${month(ago)}`, [world.idle]);
    },
  };
}

export function deliveryCase(outcome: 'review' | 'quarantined', code: string | null): HealthCase {
  const id = randomUUID();
  return {
    level: 'attention',
    subject: ({ woo }) => (outcome === 'quarantined' ? `${woo.connection.id} staging.example` : code),
    begin: (world) =>
      sql(
        world,
        `insert into deliveries (id, connection_id, topic, store, arrived_at, outcome, code) values ($1, $2, 'order.updated', 'staging.example', now(), $3, $4)`,
        [...[id, world.woo.connection.id], ...[outcome, code]],
      ),
    end: (world) => sql(world, `update deliveries set outcome = 'replayed' where id = $1`, [id]),
  };
}

/** Columns of the woo connection's row in a table, as they are while it is true, and otherwise. */
export function rowCase(table: 'store_syncs' | 'watches' | 'traffic', begin: string, end: string): HealthCase {
  return {
    level: 'attention',
    subject: ({ woo }) => woo.connection.id,
    begin: async (world) => {
      await sql(world, `insert into ${table} (connection_id) values ($1) on conflict do nothing`, [world.woo.connection.id]);
      await sql(world, `update ${table} set ${begin} where connection_id = $1`, [world.woo.connection.id]);
    },
    end: (world) => sql(world, `update ${table} set ${end} where connection_id = $1`, [world.woo.connection.id]),
  };
}

/** Something that the compliance service can't be told of an order that `record` makes. */
export function outboxJobCase(kind: 'forget-buyer' | 'delivered', record: (world: HealthWorld, id: string) => Promise<{ id: number }>): HealthCase {
  return {
    level: 'attention',
    subject: ({ corner }) => corner.connection.destinationId,
    begin: async (world) => {
      const { id } = await record(world, 'e1');
      const text = `insert into jobs (kind, key, due_at, error) values ($1, $2, now() + interval '1 day', $3)`;
      await sql(world, text, [kind, String(id), ANSWERED]);
    },
    end: (world) => sql(world, 'delete from jobs where kind = $1', [kind]),
  };
}

/** A key of our own service that a connected store calls with, and that somebody rotated without telling the store. */
export function endingKeyCase(): HealthCase {
  let id: string;
  return {
    level: 'attention',
    subject: () => id,
    begin: async ({ bridge, corner }) => {
      const text = `update compliance.api_keys k set ends_at = now() + interval '20 hours' from destinations d
        where d.id = $1 and encode(k.key_hash, 'hex') = d.key_digest returning k.id`;
      ({ id } = await readOne(bridge.pool, ids, { text, values: [corner.connection.destinationId] }));
    },
    end: (world) => sql(world, 'update compliance.api_keys set ends_at = null where id = $1', [id]),
  };
}
