import { LastKnown } from '../../platform/last-known.ts';
import type { Platform } from '../order/order-key.ts';
import type { Connection } from './connection.ts';

export type ConnectionSource = {
  find(id: string): Promise<Connection | null>;
  /** Live ones first, then the newest. */
  findByStore(platform: Platform, store: string): Promise<Connection[]>;
};

/** Connections as the receivers know them: up to 10 s old, told of changes, and the last known for as long as the database is away. */
export class ConnectionCache {
  readonly #byId: LastKnown<Connection>;
  readonly #byStore: LastKnown<Connection[]>;

  constructor(source: ConnectionSource, now: () => number) {
    this.#byId = new LastKnown({ ask: (id) => source.find(id), now });
    this.#byStore = new LastKnown({
      ask: async (key) => {
        const [platform, store] = JSON.parse(key) as [Platform, string];
        const found = await source.findByStore(platform, store);
        return found.length === 0 ? null : found;
      },
      now,
    });
  }

  /** Null: no such connection. Throws if it can't be looked up and was never seen. */
  get(id: string): Promise<Connection | null> {
    return this.#byId.get(id);
  }

  /** Past the cache. */
  fresh(id: string): Promise<Connection | null> {
    return this.#byId.fresh(id);
  }

  /** Every connection that a store of this name ever had, live ones first. */
  async ofStore(platform: Platform, store: string): Promise<Connection[]> {
    return (await this.#byStore.get(JSON.stringify([platform, store]))) ?? [];
  }

  /** Lets go of one connection, or of all. */
  forget(id?: string): void {
    this.#byId.forget(id);
    this.#byStore.forget();
  }
}
