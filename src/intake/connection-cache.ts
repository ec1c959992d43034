import type { Connection } from '../ledger/connection.ts';

export type ConnectionSource = { find(id: string): Promise<Connection | null> };

type Entry = { connection: Connection; at: number };

const FRESH_MS = 10_000;
const MOST = 10_000;
/** How long a verdict waits for a fresher connection than the one at hand. */
const PATIENCE_MS = 150;

/**
 * Connections as the receivers know them: up to 10 s old, and the last known for as long as the database is away.
 * An id that was never seen is always looked up, so a new connection works at once.
 */
export class ConnectionCache {
  readonly #source: ConnectionSource;
  readonly #now: () => number;
  readonly #known = new Map<string, Entry>();
  readonly #asking = new Map<string, Promise<Connection | null>>();

  constructor(source: ConnectionSource, now: () => number) {
    this.#source = source;
    this.#now = now;
  }

  /** Null: no such connection. Throws if it can't be looked up and was never seen. */
  async get(id: string): Promise<Connection | null> {
    const entry = this.#known.get(id);
    if (entry !== undefined && this.#now() - entry.at < FRESH_MS) return entry.connection;
    if (entry === undefined) return this.#ask(id);
    // The last known is good enough for a verdict in time; it is refreshed behind it.
    const late = new Promise<Connection>((resolve) => setTimeout(() => resolve(entry.connection), PATIENCE_MS).unref());
    return Promise.race([this.#ask(id).catch(() => entry.connection), late]);
  }

  /** Lets go of one connection, or of all. */
  forget(id?: string): void {
    if (id !== undefined) this.#age(id);
    else for (const known of this.#known.keys()) this.#age(known);
  }

  #age(id: string): void {
    const entry = this.#known.get(id);
    if (entry !== undefined) entry.at = 0;
  }

  #ask(id: string): Promise<Connection | null> {
    const running = this.#asking.get(id);
    if (running !== undefined) return running;
    const asking = this.#source
      .find(id)
      .then((connection) => this.#keep(id, connection))
      .finally(() => this.#asking.delete(id));
    this.#asking.set(id, asking);
    return asking;
  }

  #keep(id: string, connection: Connection | null): Connection | null {
    if (connection === null) return null;
    this.#known.delete(id);
    this.#known.set(id, { connection, at: this.#now() });
    const oldest = this.#known.keys().next();
    if (this.#known.size > MOST && oldest.done !== true) this.#known.delete(oldest.value);
    return connection;
  }
}
