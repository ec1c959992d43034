import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '../../bridge/connections/connection.ts';
import { BRIDGE_TRAIL } from '../../bridge/ledger/bridge-acts.ts';
import { type Happening, type Happenings, type ListenedPause, type Mark, readHappenings } from '../../bridge/ledger/happenings.ts';
import { errorWords } from '../../platform/error-words.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { hasTrail } from '../../platform/trail/read-acts.ts';
import { SERVICE_TRAIL } from '../../service/trail/service-acts.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { happeningWords } from './happening-words.ts';

type Deps = { pool: Pool; connections: FindConnection & { list(): Promise<Connection[]> } };

/** `connection` null: of all. `since` (ISO instant) null: from now on. */
type Asked = { connection: string | null; since: string | null; everyMs?: number; signal: AbortSignal };

/** One event. `of`: delivery, refusal, step, walk, act or pause. */
export type Heard = {
  at: string;
  of: Happening['of'] | 'pause';
  connectionId: string | null;
  store: string | null;
  orderId: string | null;
  number: string | null;
  words: string;
};

/** An event; or that the database does not answer, or does again. */
export type Listened = { heard: Heard } | { lost: string } | { back: true };

const EVERY_MS = 1_000;
/** Longer than a row can come up again. */
const REMEMBERED_MS = 300_000;

/** What happens, until the signal aborts: each event once. It reads the ledger once a second, and goes on when the database was away. */
export async function* listen(deps: Deps, { connection, since, everyMs = EVERY_MS, signal }: Asked): AsyncGenerator<Listened> {
  const connectionId = connection === null ? null : (await knownConnection(deps.connections, connection)).id;
  const listener = new Listener(deps, connectionId);
  let isLost = false;
  while (!signal.aborted) {
    const read = await listener.read(since).catch((thrown: unknown) => ({ lost: errorWords(thrown) }));
    if ('lost' in read) {
      if (!isLost) yield read;
    } else {
      if (isLost) yield { back: true };
      yield* read.map((heard) => ({ heard }));
    }
    isLost = 'lost' in read;
    await pause(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

/** What happened since an instant (ISO), the oldest first. */
export async function heardSince(deps: Deps, { connection, since }: { connection: string | null; since: string }): Promise<Heard[]> {
  const connectionId = connection === null ? null : (await knownConnection(deps.connections, connection)).id;
  return new Listener(deps, connectionId).read(since);
}

class Listener {
  readonly #deps: Deps;
  readonly #connectionId: string | null;
  readonly #known = new Map<string, number>();
  #mark: Mark | null = null;
  #pauses: ReadonlyMap<string, ListenedPause> | null = null;
  #stores: ReadonlyMap<string, string> = new Map();

  constructor(deps: Deps, connectionId: string | null) {
    this.#deps = deps;
    this.#connectionId = connectionId;
  }

  async read(since: string | null): Promise<Heard[]> {
    const { pool } = this.#deps;
    const schemas = [BRIDGE_TRAIL.schema, ...((await hasTrail(pool, SERVICE_TRAIL)) ? [SERVICE_TRAIL.schema] : [])];
    const read = await readHappenings(pool, { mark: this.#mark, since, connectionId: this.#connectionId, schemas });
    const fresh = read.happened.filter(({ key }) => !this.#known.has(key));
    await this.#nameStores([...fresh.flatMap(({ connectionId }) => connectionId ?? []), ...read.pauses.flatMap(({ connectionIds }) => connectionIds)]);
    const heard = [...fresh.map((one) => this.#heard(one)), ...this.#pausesOf(read)];
    this.#remember(fresh);
    this.#mark = read.mark;
    return heard;
  }

  /** A row that was written again within the time that is looked at is the same event. */
  #remember(fresh: readonly Happening[]): void {
    const now = Date.now();
    for (const { key } of fresh) this.#known.set(key, now);
    for (const [key, at] of this.#known) {
      if (at > now - REMEMBERED_MS) return;
      this.#known.delete(key);
    }
  }

  async #nameStores(ids: readonly string[]): Promise<void> {
    if (ids.every((id) => this.#stores.has(id))) return;
    this.#stores = new Map((await this.#deps.connections.list()).map(({ id, name }) => [id, name]));
  }

  #heard(happened: Happening): Heard {
    const { at, of, connectionId, orderId, number } = happened;
    return { at, of, connectionId, store: this.#storeOf(connectionId), orderId, number, words: happeningWords(happened) };
  }

  #storeOf(connectionId: string | null): string | null {
    return connectionId === null ? null : (this.#stores.get(connectionId) ?? null);
  }

  /** Pauses that began or ended; those that last already are not told. */
  #pausesOf({ pauses, mark: { at } }: Happenings): Heard[] {
    const mine = pauses.filter(({ connectionIds }) => this.#connectionId === null || connectionIds.includes(this.#connectionId));
    const now = new Map(mine.map((one) => [one.scope, one]));
    const before = this.#pauses ?? now;
    this.#pauses = now;
    const began = mine.filter(({ scope }) => !before.has(scope)).map((one) => this.#paused(one, { at, words: `paused: ${one.code}` }));
    const ended = [...before.values()]
      .filter(({ scope }) => !now.has(scope))
      .map((one) => this.#paused(one, { at, words: `works again: ${one.code} is over` }));
    return [...began, ...ended];
  }

  #paused({ connectionIds, shopId, lane, destinationId }: ListenedPause, { at, words }: Pick<Heard, 'at' | 'words'>): Heard {
    const [only = null] = connectionIds.length === 1 ? connectionIds : [this.#connectionId];
    const what = shopId === null ? `destination ${destinationId}` : `shop ${shopId}`;
    return { at, of: 'pause', connectionId: only, store: this.#storeOf(only), orderId: null, number: null, words: `${what}, ${lane} ${words}` };
  }
}
