import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '../../bridge/connections/connection.ts';
import { BRIDGE_AUDIT_LOG, bridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import { ageOf, type Mark, type RecentEvent, type RecentEvents, type RecentPause, readRecentEvents } from '../../bridge/ledger/recent-events.ts';
import { READ_TOPIC } from '../../bridge/reconciliation/read-page.ts';
import { ownValue } from '../../contract/own-value.ts';
import { hasAuditLog } from '../../platform/audit-log/audit-log.ts';
import { errorWords } from '../../platform/error-words.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { SERVICE_AUDIT_LOG, serviceActs } from '../../service/audit-log/service-acts.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { isInstant } from '../day-range.ts';
import { namedSubject, namesInActs } from './list-activity.ts';

type Deps = { pool: Pool; connections: FindConnection & { list(): Promise<Connection[]> } };

/** `connection` null: of all. `since` (ISO instant) null: from now on. */
type TailOptions = { connection: string | null; since: string | null; everyMs?: number; signal: AbortSignal };

/** One event. `of`: delivery, refusal, step, sync, act or pause. `webhookId`: of a delivery or refusal, as its page has it; `orderRef`: the ledger's id of its order. */
export type TailedEvent = {
  at: string;
  of: RecentEvent['of'] | 'pause';
  webhookId: string | null;
  connectionId: string | null;
  orderRef: number | null;
  store: string | null;
  orderId: string | null;
  number: string | null;
  words: string;
};

/** An event; or that the database does not answer, or does again. */
export type Tailed = KeyedEvent | Interrupted;
type Interrupted = { lost: string } | { back: true };

/** An event and its key, which is the same whenever it is read. */
export type KeyedEvent = { key: string; event: TailedEvent };

/** What one look found, the oldest first, and how far it saw: who goes on from there misses nothing. */
type Batch = { events: KeyedEvent[]; mark: Mark };

const EVERY_MS = 1_000;
/** Longer than a row can come up again. */
const REMEMBERED_MS = 300_000;

/** What happens, until the signal aborts: each event once. It reads the ledger once a second, and goes on when the database was away. */
export async function* tail(deps: Deps, asked: TailOptions): AsyncGenerator<Tailed> {
  for await (const event of tailFrom(deps, { ...asked, mark: null })) {
    if ('events' in event) yield* event.events;
    else yield event;
  }
}

/** The same by looks, each with its mark, also if it found nothing. `mark`: of an earlier look, from which it goes on; null: from `since`. */
export async function* tailFrom(
  deps: Deps,
  { connection, since, mark, everyMs = EVERY_MS, signal }: TailOptions & { mark: Mark | null },
): AsyncGenerator<Batch | Interrupted> {
  const connectionId = connection === null ? null : (await knownConnection(deps.connections, connection)).id;
  const listener = new Listener(deps, { connectionId, mark });
  let isLost = false;
  while (!signal.aborted) {
    const read = await listener.read(since).catch((thrown: unknown) => ({ lost: errorWords(thrown) }));
    if ('lost' in read) {
      if (!isLost) yield read;
    } else {
      if (isLost) yield { back: true };
      yield read;
    }
    isLost = 'lost' in read;
    await pause(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

/** What happened since an instant (ISO), and the pauses that began since and last. */
export async function eventsSince(deps: Deps, { connection, since }: { connection: string | null; since: string }): Promise<Batch> {
  const connectionId = connection === null ? null : (await knownConnection(deps.connections, connection)).id;
  const listener = new Listener(deps, { connectionId, mark: null });
  const { events, mark } = await listener.read(since);
  return { events: [...events, ...listener.pausesSince(since)].sort(byTime), mark };
}

function byTime({ event: a }: KeyedEvent, { event: b }: KeyedEvent): number {
  return a.at === b.at ? 0 : a.at < b.at ? -1 : 1;
}

class Listener {
  readonly #deps: Deps;
  readonly #connectionId: string | null;
  readonly #known = new Map<string, number>();
  #mark: Mark | null;
  #pauses: ReadonlyMap<string, RecentPause> | null = null;
  #stores: ReadonlyMap<string, string> = new Map();
  #names: ReadonlyMap<string, string> = new Map();

  constructor(deps: Deps, { connectionId, mark }: { connectionId: string | null; mark: Mark | null }) {
    this.#deps = deps;
    this.#connectionId = connectionId;
    this.#mark = mark;
  }

  async read(since: string | null): Promise<Batch> {
    const { pool } = this.#deps;
    const schemas = [BRIDGE_AUDIT_LOG.schema, ...((await hasAuditLog(pool, SERVICE_AUDIT_LOG)) ? [SERVICE_AUDIT_LOG.schema] : [])];
    const read = await readRecentEvents(pool, { mark: this.#mark, since, connectionId: this.#connectionId, schemas });
    const fresh = read.happened.filter(({ key }) => !this.#known.has(key));
    await this.#nameStores([...fresh.flatMap(({ connectionId }) => connectionId ?? []), ...read.pauses.flatMap(({ connectionIds }) => connectionIds)]);
    await this.#nameSubjects(fresh);
    const events = [...fresh.map((one) => ({ key: one.key, event: this.#event(one) })), ...this.#pausesOf(read)];
    this.#remember(fresh);
    this.#mark = read.mark;
    return { events, mark: read.mark };
  }

  /** A row that was written again within the time that is looked at is the same event. */
  #remember(fresh: readonly RecentEvent[]): void {
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

  /** Of people and shops; one who is erased keeps what the audit log names them. */
  async #nameSubjects(fresh: readonly RecentEvent[]): Promise<void> {
    const isNamed = (one: RecentEvent) => one.of !== 'act' || (one.subject === null && (!one.who.startsWith('person:') || this.#names.has(one.who)));
    if (!fresh.every(isNamed)) this.#names = await namesInActs(this.#deps);
  }

  #event(happened: RecentEvent): TailedEvent {
    const { key, at, of, connectionId, orderRef, orderId, number } = happened;
    const [kind, id = ''] = key.split(' ');
    const webhookId = kind === 'delivery' ? id : kind === 'refusal' ? `r${id}` : null;
    const words = eventWords(happened, this.#names);
    return { at, of, webhookId, connectionId, store: this.#storeOf(connectionId), orderRef, orderId, number, words };
  }

  #storeOf(connectionId: string | null): string | null {
    return connectionId === null ? null : (this.#stores.get(connectionId) ?? null);
  }

  /** Of the last look: pauses that began after an instant (ISO) and last. */
  pausesSince(since: string): KeyedEvent[] {
    return [...(this.#pauses?.values() ?? [])].filter((one) => one.since > since).map((one) => this.#began(one, one.since));
  }

  /** Pauses that began or ended; those that lasted already at the first look, or at the mark from which it goes on, are not events. */
  #pausesOf({ pauses, mark: { at } }: RecentEvents): KeyedEvent[] {
    const mine = pauses.filter(({ connectionIds }) => this.#connectionId === null || connectionIds.includes(this.#connectionId));
    const now = new Map(mine.map((one) => [one.scope, one]));
    const before = this.#pauses ?? new Map(mine.filter(({ isNew }) => !isNew).map((one) => [one.scope, one]));
    this.#pauses = now;
    const began = mine.filter(({ scope }) => !before.has(scope)).map((one) => this.#began(one, at));
    const ended = [...before.values()].filter(({ scope }) => !now.has(scope)).map((one) => this.#ended(one, at));
    return [...began, ...ended];
  }

  #began(one: RecentPause, at: string): KeyedEvent {
    return { key: `pause ${one.scope} ${one.since}`, event: this.#paused(one, { at, words: `paused: ${one.code}` }) };
  }

  #ended(one: RecentPause, at: string): KeyedEvent {
    return { key: `pause ${one.scope} ${one.since} ended`, event: this.#paused(one, { at, words: `works again: ${one.code} is over` }) };
  }

  #paused({ connectionIds, shopId, callType }: RecentPause, { at, words }: Pick<TailedEvent, 'at' | 'words'>): TailedEvent {
    const [only = null] = connectionIds.length === 1 ? connectionIds : [this.#connectionId];
    const stores = connectionIds.map((id) => this.#storeOf(id) ?? id).join(', ');
    const what = shopId === null ? 'compliance service' : `its shop of ${stores === '' ? 'no store' : stores}`;
    const about = { webhookId: null, connectionId: only, store: this.#storeOf(only), orderRef: null, orderId: null, number: null };
    return { at, of: 'pause', ...about, words: `${what}, ${callType} ${words}` };
  }
}

/** What happened in a few words, without buyers. */
function eventWords(happened: RecentEvent, names: ReadonlyMap<string, string>): string {
  switch (happened.of) {
    case 'delivery':
      return deliveryWords(happened);
    case 'refusal':
      return `${webhook(happened)} refused: ${happened.code}`;
    case 'step':
      return stepWords(happened);
    case 'sync':
      return happened.failed ? 'the store could not be read' : `the store was read (${happened.kind}): ${happened.seen} listed, ${happened.handed} handed on`;
    case 'act':
      return actWords(happened, names);
  }
}

type Of<Kind extends RecentEvent['of']> = Extract<RecentEvent, { of: Kind }>;

function deliveryWords({ topic, outcome, code, state }: Of<'delivery'>): string {
  const came = topic === READ_TOPIC ? 'read from the store' : `${webhook({ topic })} accepted`;
  return `${came}: ${outcome}${code === null ? '' : ` as ${code}`}${state === null ? '' : `, the order is ${state}`}`;
}

/** Of some platforms the body alone says what it is about. */
function webhook({ topic }: { topic: string }): string {
  return topic === '' ? 'webhook' : `webhook ${topic}`;
}

const DONE: readonly string[] = ['recorded', 'deleted'];

function stepWords({ kind, outcome, status }: Of<'step'>): string {
  const what = kind === 'receipt' ? kind : `${kind} record`;
  if (outcome === null) return `${what}: submitted`;
  return `${what}: ${DONE.includes(outcome) ? 'done' : outcome}${status === null ? '' : ` (${status})`}`;
}

const asked = /^order\.(needs-review|unconfirmed|review-ended)$/;

function actWords({ key, act, who, subject, after }: Of<'act'>, names: ReadonlyMap<string, string>): string {
  const means = (ownValue(key.startsWith(BRIDGE_AUDIT_LOG.schema) ? bridgeActs : serviceActs, act) ?? act).replace(/\.$/, '');
  const code = asked.test(act) && after !== null && typeof after === 'object' && 'code' in after ? `: ${String(after.code)}` : '';
  return `${means}${code}${subject === null ? '' : ` (${namedSubject(subject, names)})`}, by ${names.get(who) ?? who}`;
}

/** It stands in an address and in a header, which servers and proxies bound; of a ledger with a few writers it has some fifty characters. */
const MOST_CHARACTERS = 2_000;
const WRITTEN = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)\/(\d{1,18}:\d{1,18}:(?:\d{1,18}(?:,\d{1,18})*)?)$/;

/** A mark as a browser keeps it: `INSTANT/SNAPSHOT`. With so many writers that it would be too long, some lines may come twice, and none is left out. */
export function markText({ at, snapshot }: Mark): string {
  const text = `${at}/${snapshot}`;
  if (text.length <= MOST_CHARACTERS) return text;
  const [oldest = ''] = snapshot.split(':');
  return `${at}/${oldest}:${oldest}:`;
}

/** What a browser sent; null: no mark of ours, which PostgreSQL must not see. */
export function markOf(text: string): Mark | null {
  if (text.length > MOST_CHARACTERS) return null;
  const [, at, snapshot] = WRITTEN.exec(text) ?? [];
  if (at === undefined || snapshot === undefined) return null;
  return isInstant(at) && isSnapshot(snapshot) ? { at, snapshot } : null;
}

/** Whether what happened since is looked at still: by the clock of the database, whose the mark is. */
export async function isYoungerThan({ pool }: { pool: Pool }, mark: Mark, mostMs: number): Promise<boolean> {
  const ageMs = await ageOf(pool, mark);
  return ageMs >= 0 && ageMs <= mostMs;
}

/** As `pg_snapshot` demands it: from above zero upwards, and what runs between both ends, rising. */
function isSnapshot(text: string): boolean {
  const [from = 0n, to = 0n, ...running] = text.split(/[:,]/).flatMap((id) => (id === '' ? [] : [BigInt(id)]));
  return from > 0n && from <= to && running.every((id, index) => id >= (running[index - 1] ?? from) && id < to);
}
