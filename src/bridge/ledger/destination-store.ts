import { createHash } from 'node:crypto';
import { inTransaction, type Pool } from '../../platform/postgres/postgres.ts';
import type { Sealer } from '../../platform/seal.ts';
import type { Lane, Pause, Scope } from '../delivery/pauses.ts';
import type { FailureCode } from '../order/failure.ts';

export type Credentials = { apiKey: string; apiSecret: string };

/** A compliance API address with one key; `baseUrl` null is the embedded service. */
export type Destination = { id: string; baseUrl: string | null; credentials: Credentials };

type DestinationRow = { id: string; base_url: string | null; credentials: string };
type PauseRow = {
  destination_id: string;
  shop_id: string | null;
  lane: Lane;
  code: FailureCode;
  detail: string;
  failures: number;
  since: string;
  until: string;
};

export class DestinationStore {
  readonly #pool: Pool;
  readonly #sealer: Sealer;

  constructor(pool: Pool, sealer: Sealer) {
    this.#pool = pool;
    this.#sealer = sealer;
  }

  /** The destination of this address and key, made if it is new; a changed secret replaces the old one. */
  async ensure(baseUrl: string | null, credentials: Credentials): Promise<string> {
    const digest = createHash('sha256').update(credentials.apiKey).digest('hex');
    const { rows } = await this.#pool.query<{ id: string }>(
      `insert into destinations (base_url, key_digest, credentials) values ($1, $2, $3)
       on conflict (base_url, key_digest) do update set credentials = excluded.credentials returning id`,
      [baseUrl, digest, this.#sealer.seal(JSON.stringify(credentials))],
    );
    const id = rows[0]?.id;
    if (id === undefined) throw new Error('the destination was not stored');
    return id;
  }

  async find(id: string): Promise<Destination | null> {
    const { rows } = await this.#pool.query<DestinationRow>('select id, base_url, credentials from destinations where id = $1', [id]);
    const row = rows[0];
    return row === undefined ? null : { id: row.id, baseUrl: row.base_url, credentials: JSON.parse(this.#sealer.open(row.credentials)) as Credentials };
  }

  /** The destination of the embedded service; `create` makes its key the first time, once however many processes start together. */
  async ensureEmbedded(create: () => Promise<Credentials>): Promise<string> {
    return inTransaction(this.#pool, async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(hashtext('orderbridge embedded destination'))`);
      const { rows } = await tx.query<{ id: string }>('select id from destinations where base_url is null order by created_at limit 1');
      return rows[0]?.id ?? this.ensure(null, await create());
    });
  }

  /** Has the embedded service ever been used? */
  async hasEmbedded(): Promise<boolean> {
    const { rows } = await this.#pool.query<{ used: boolean }>('select exists (select 1 from destinations where base_url is null) as used');
    return rows[0]?.used ?? false;
  }

  /** Pauses grow: `waitMs` gets the number of failures in a row. A pause that already reaches further stays. */
  async pause(what: Scope & Pick<Pause, 'code' | 'detail'>, waitMs: (failures: number) => number): Promise<Pause> {
    const current = await this.#pool.query<{ failures: number; running: boolean }>(
      'select failures, until > now() as running from pauses where destination_id = $1 and shop_id is not distinct from $2 and lane = $3',
      [what.destinationId, what.shopId, what.lane],
    );
    const before = current.rows[0];
    // Calls that were under way when the pause began say nothing new.
    const failures = before === undefined ? 1 : before.failures + (before.running ? 0 : 1);
    const { rows } = await this.#pool.query<PauseRow>(
      `insert into pauses (destination_id, shop_id, lane, code, detail, failures, until) values ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 ms')
       on conflict (destination_id, shop_id, lane) do update set code = excluded.code, detail = excluded.detail, failures = excluded.failures,
         until = greatest(pauses.until, excluded.until) returning *`,
      [what.destinationId, what.shopId, what.lane, what.code, what.detail, failures, Math.round(waitMs(failures))],
    );
    const row = rows[0];
    if (row === undefined) throw new Error('the pause was not stored');
    return toPause(row);
  }

  /** True if this call ended the pause. */
  async resume({ destinationId, shopId, lane }: Scope): Promise<boolean> {
    const { rowCount } = await this.#pool.query('delete from pauses where destination_id = $1 and shop_id is not distinct from $2 and lane = $3', [
      destinationId,
      shopId,
      lane,
    ]);
    return (rowCount ?? 0) > 0;
  }

  async pauses(): Promise<Pause[]> {
    const { rows } = await this.#pool.query<PauseRow>('select * from pauses order by since');
    return rows.map(toPause);
  }
}

function toPause(row: PauseRow): Pause {
  return {
    destinationId: row.destination_id,
    shopId: row.shop_id,
    lane: row.lane,
    code: row.code,
    detail: row.detail,
    failures: row.failures,
    since: row.since,
    until: row.until,
  };
}
