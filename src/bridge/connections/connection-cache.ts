import { AnswerCache } from '../../platform/answer-cache.ts';
import type { Connection } from './connection.ts';

export type ConnectionSource = {
  find(id: string): Promise<Connection | null>;
  /** Live ones first, then the newest. */
  findByStore(platform: string, store: string): Promise<Connection[]>;
};

const FRESH_MS = 10_000;
/** A new connection works at once where its change is heard of, and after this time elsewhere. */
const UNKNOWN_MS = 2_000;
const MOST = 10_000;

/** Connections as the receivers know them: up to 10 s old, dropped on changes, and the last known for as long as the database is down. */
export class ConnectionCache {
  readonly #source: ConnectionSource;
  readonly #byId: AnswerCache<Connection | null>;
  readonly #byStore: AnswerCache<Connection[]>;
  /** Ids that nothing has: apart from those that something has, which a flood of made-up ids must not push out. */
  readonly #unknown: AnswerCache<true>;

  constructor(source: ConnectionSource, now: () => number) {
    this.#source = source;
    this.#unknown = new AnswerCache({ freshMs: () => UNKNOWN_MS, size: MOST, now });
    // That there is none is kept in #unknown alone.
    this.#byId = new AnswerCache({ freshMs: (one) => (one === null ? 0 : FRESH_MS), size: MOST, now, lastKnown: true });
    this.#byStore = new AnswerCache({ freshMs: ({ length }) => (length === 0 ? 0 : FRESH_MS), size: MOST, now, lastKnown: true });
  }

  /** Null: no such connection. Throws if it can't be looked up and was never seen. */
  async get(id: string): Promise<Connection | null> {
    if (this.#unknown.known(id) === true) return null;
    const epoch = this.#unknown.epoch;
    const found = await this.#byId.get(id, () => this.#source.find(id));
    if (found === null) this.#unknown.put(id, true, epoch);
    return found;
  }

  /** Past the cache. */
  fresh(id: string): Promise<Connection | null> {
    return this.#byId.fresh(id, () => this.#source.find(id));
  }

  /** Every connection that a store of this name ever had, live ones first. */
  ofStore(platform: string, store: string): Promise<Connection[]> {
    return this.#byStore.get(`${platform} ${store}`, () => this.#source.findByStore(platform, store));
  }

  /** Drops one connection, or all. */
  forget(id?: string): void {
    this.#byId.forget(id);
    this.#byStore.forget();
    this.#unknown.forget(id);
  }
}
