import { randomBytes } from 'node:crypto';
import type { Pool, Queryable } from '../../platform/postgres/postgres.ts';
import type { Sealer } from '../../platform/seal.ts';
import type { Connection, LiveSecret } from '../connections/connection.ts';
import { connectionSettings, type SettingsInput } from '../connections/connection-settings.ts';
import type { StoreAccess } from '../storefronts/contract.ts';

/** Sent on every change of a connection, so that caches in other processes let go of it. */
export const CONNECTIONS_CHANNEL = 'orderbridge_connections';

export type NewConnection = {
  platform: string;
  name: string;
  secret: string;
  shopId: string;
  destinationId: string;
  settings: SettingsInput;
  access: StoreAccess | null;
  /** Null: a delivery tells, or an earlier connection. */
  store: string | null;
  /** Nobody but us names this store: a store that comes back keeps its earlier name. */
  keepsEarlierName: boolean;
};

type Row = {
  id: string;
  platform: string;
  name: string;
  store: string | null;
  shop_id: string;
  destination_id: string;
  secrets: string;
  store_access: string | null;
  settings: SettingsInput;
  record_from: string;
  warnings: Record<string, string>;
  created_at: string;
  closed_at: string | null;
};

/** Connections in PostgreSQL; secrets are sealed before they get there. */
export class ConnectionStore {
  readonly #pool: Pool;
  readonly #sealer: Sealer;

  constructor(pool: Pool, sealer: Sealer) {
    this.#pool = pool;
    this.#sealer = sealer;
  }

  /** Null if the shop already has a live connection: its id is in `taken`. */
  async create(input: NewConnection): Promise<{ connection: Connection } | { taken: string }> {
    const id = `c_${randomBytes(12).toString('hex')}`;
    const secrets: LiveSecret[] = [{ secret: input.secret, until: null }];
    const { rows } = await this.#pool.query<Row>(
      // A store that comes back goes on where it was: its orders keep the earlier start, and, where only we named it, the earlier name.
      `insert into connections (id, platform, name, store, shop_id, destination_id, secrets, store_access, settings, record_from)
       values ($1, $2, $3,
         coalesce($4, (select store from connections where $11 and shop_id = $5 and platform = $2 and store is not null order by created_at limit 1)),
         $5, $6, $7, $8, $9, coalesce($10::timestamptz,
         (select min(record_from) from connections where shop_id = $5 and platform = $2), now()))
       on conflict (shop_id) where closed_at is null do nothing returning *`,
      [
        id,
        input.platform,
        input.name,
        input.store,
        input.shopId,
        input.destinationId,
        this.#sealed(secrets),
        this.#sealed(input.access),
        input.settings,
        input.settings.recordFrom ?? null,
        input.keepsEarlierName,
      ],
    );
    if (rows[0] !== undefined) return { connection: await this.#changed(rows[0]) };
    const taken = await this.#pool.query<{ id: string }>('select id from connections where shop_id = $1 and closed_at is null', [input.shopId]);
    return { taken: taken.rows[0]?.id ?? 'unknown' };
  }

  async find(id: string): Promise<Connection | null> {
    const { rows } = await this.#pool.query<Row>('select * from connections where id = $1', [id]);
    return rows[0] === undefined ? null : this.#read(rows[0]);
  }

  /** Every connection of a store that its platform names: live ones first, then the newest. */
  async findByStore(platform: string, store: string): Promise<Connection[]> {
    const { rows } = await this.#pool.query<Row>(
      'select * from connections where platform = $1 and lower(coalesce(store, name)) = lower($2) order by closed_at is not null, created_at desc limit 20',
      [platform, store],
    );
    return rows.map((row) => this.#read(row));
  }

  async list(): Promise<Connection[]> {
    const { rows } = await this.#pool.query<Row>('select * from connections order by created_at');
    return rows.map((row) => this.#read(row));
  }

  async close(id: string): Promise<Connection | null> {
    return this.#update('update connections set closed_at = coalesce(closed_at, now()) where id = $1 returning *', [id]);
  }

  async changeSettings(id: string, settings: SettingsInput): Promise<Connection | null> {
    return this.#update('update connections set settings = $2, record_from = coalesce($3::timestamptz, record_from) where id = $1 returning *', [
      id,
      settings,
      settings.recordFrom ?? null,
    ]);
  }

  async changeSecrets(id: string, secrets: LiveSecret[]): Promise<Connection | null> {
    return this.#update('update connections set secrets = $2 where id = $1 returning *', [id, this.#sealed(secrets)]);
  }

  /** Pins the store's name at its first delivery; answers the one that holds. */
  async pinStore(id: string, store: string): Promise<string> {
    const connection = await this.#update('update connections set store = coalesce(store, $2) where id = $1 returning *', [id, store]);
    return connection?.store ?? store;
  }

  /** Keeps one warning per kind, for `orderbridge connections`. */
  async warn(id: string, kind: string, words: string): Promise<void> {
    await this.#pool.query(
      `update connections set warnings = warnings || jsonb_build_object($2::text, $3::text) where id = $1 and warnings ->> $2 is distinct from $3`,
      [id, kind, words],
    );
  }

  /** What a warning of this kind told is over. */
  async endWarning(id: string, kind: string): Promise<void> {
    await this.#pool.query('update connections set warnings = warnings - $2 where id = $1 and warnings ? $2', [id, kind]);
  }

  async #update(sql: string, values: unknown[]): Promise<Connection | null> {
    const { rows } = await this.#pool.query<Row>(sql, values);
    return rows[0] === undefined ? null : this.#changed(rows[0]);
  }

  async #changed(row: Row): Promise<Connection> {
    await notify(this.#pool, row.id);
    return this.#read(row);
  }

  #sealed(value: LiveSecret[] | StoreAccess | null): string | null {
    return value === null ? null : this.#sealer.seal(JSON.stringify(value));
  }

  #read(row: Row): Connection {
    return {
      id: row.id,
      platform: row.platform,
      name: row.name,
      store: row.store,
      shopId: row.shop_id,
      destinationId: row.destination_id,
      secrets: JSON.parse(this.#sealer.open(row.secrets)) as LiveSecret[],
      access: row.store_access === null ? null : (JSON.parse(this.#sealer.open(row.store_access)) as StoreAccess),
      settings: connectionSettings.parse(row.settings),
      recordFrom: row.record_from,
      warnings: row.warnings,
      createdAt: row.created_at,
      closedAt: row.closed_at,
    };
  }
}

async function notify(db: Queryable, id: string): Promise<void> {
  await db.query('select pg_notify($1, $2)', [CONNECTIONS_CHANNEL, id]);
}
