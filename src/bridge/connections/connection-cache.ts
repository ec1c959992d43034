import { AnswerCache } from '../../platform/answer-cache.ts';
import type { Connection } from './connection.ts';
import { FRESH_MS, KnownById, MOST } from './known-by-id.ts';

export type ConnectionSource = {
  find(id: string): Promise<Connection | null>;
  /** Live ones first, then the newest. */
  findByStore(platform: string, store: string): Promise<Connection[]>;
};

/** Connections as the receivers know them: up to 10 s old, dropped on changes, and the last known for as long as the database is down. */
export class ConnectionCache {
  readonly #source: ConnectionSource;
  readonly #byId: KnownById<Connection>;
  readonly #byStore: AnswerCache<Connection[]>;

  constructor(source: ConnectionSource, now: () => number) {
    this.#source = source;
    this.#byId = new KnownById(source, now);
    this.#byStore = new AnswerCache({ freshMs: ({ length }) => (length === 0 ? 0 : FRESH_MS), size: MOST, now, lastKnown: true });
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
  ofStore(platform: string, store: string): Promise<Connection[]> {
    return this.#byStore.get(`${platform} ${store}`, () => this.#source.findByStore(platform, store));
  }

  /** Drops one connection, or all. */
  forget(id?: string): void {
    this.#byId.forget(id);
    this.#byStore.forget();
  }
}
