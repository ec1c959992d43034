import { withTimeout } from '../../platform/with-timeout.ts';
import type { KeptHeaders } from './kept-headers.ts';

/** What became of a connection's webhooks since it was last written. Instants are ISO 8601 in UTC with milliseconds. */
export type Traffic = {
  connectionId: string;
  /** The last that was accepted. */
  acceptedAt: string | null;
  /** The last accepted of each topic. */
  topics: Map<string, string>;
  /** Refused since `acceptedAt`, of those that count. */
  refusedInARow: number;
  /** The last that counts, and why it was refused. */
  refusedAt: string | null;
  refusedCode: string | null;
  /** The last ones, the newest at the end. */
  refusals: Refusal[];
  /** All of them that count. */
  refused: number;
  /** Answered 429, and when the last of them was. */
  throttled: number;
  throttledAt: string | null;
  /** Bytes of bodies that came to be kept. */
  kept: number;
};

/** One refused webhook, without its body. `client`: the sender's address. `counts`: it looks like the platform's, see `counts`. `deliveryId`: the platform's. */
type Refusal = { at: string; code: string; topic: string; client: string | null; counts: boolean } & RefusedRequestData;

/** `ms`: until it was answered. */
type RefusedRequestData = { deliveryId: string | null; headers: KeptHeaders; ms: number | null };

/**
 * One answer to a webhook of a known connection; `code` null: it was accepted. `isPlatforms`: its headers are such as the platform sends. `isPing`: it
 * only tries the address, unsigned. `isByModule`: see `Envelope`.
 */
export type AnsweredWebhook = {
  connectionId: string;
  at: string;
  topic: string;
  code: string | null;
  client: string | null;
  isPlatforms: boolean;
  isPing?: boolean;
  isByModule?: boolean;
} & Partial<RefusedRequestData>;

/** In place of the topic, which a ping does not name. */
export const PING_TOPIC = 'ping';

/** Beside the topic of what a module of ours in the store sent. */
export const MODULE_TOPIC = 'module';

/** Refusals of a connection that are kept. Once there are so many, those that don't count have the places of `MOST_STRANGERS`. */
export const MOST_REFUSALS = 50;
export const MOST_STRANGERS = 10;
/** Topics of a connection that are kept; platforms have some twenty. */
export const MOST_TOPICS = 50;
const LONGEST = 100;

export function trafficOf(answered: AnsweredWebhook): Traffic {
  const { connectionId, at, topic: given, code, client, isPlatforms, isPing = false, isByModule = false, ...request } = answered;
  const topic = isPing ? PING_TOPIC : given.slice(0, LONGEST);
  const isThrottled = code === 'delivery.throttled';
  // Unsigned requests of strangers say nothing of the store, and one that was only to come slower comes again.
  const counts = code !== null && isPlatforms && !isThrottled;
  const traffic = noTraffic(connectionId);
  // Anybody can send a ping: it says nothing of what is refused.
  if (code === null && !isPing) traffic.acceptedAt = at;
  if (code === null) for (const each of [topic, ...(isByModule ? [MODULE_TOPIC] : [])]) traffic.topics.set(each, at);
  else traffic.refusals.push({ at, code, topic, client: client?.slice(0, LONGEST) ?? null, counts, ...requestData(request) });
  if (counts) Object.assign(traffic, { refusedInARow: 1, refusedAt: at, refusedCode: code, refused: 1 });
  if (isThrottled) Object.assign(traffic, { throttled: 1, throttledAt: at });
  return traffic;
}

function noTraffic(connectionId: string): Traffic {
  const none = { acceptedAt: null, topics: new Map(), refusedInARow: 0, refusedAt: null, refusedCode: null, refusals: [], refused: 0 };
  return { connectionId, ...none, throttled: 0, throttledAt: null, kept: 0 };
}

function requestData({ deliveryId, headers = {}, ms = null }: Partial<RefusedRequestData>): RefusedRequestData {
  return { deliveryId: deliveryId?.slice(0, LONGEST) ?? null, headers, ms };
}

/** Adds what came later. What is kept of one connection is bounded, whatever comes. */
export function addTraffic(into: Traffic, later: Traffic): void {
  const { acceptedAt, topics, refusedAt, refusedCode, refusals, throttledAt } = later;
  if (acceptedAt !== null) into.refusedInARow = 0;
  into.refusedInARow += later.refusedInARow;
  into.refused += later.refused;
  into.throttled += later.throttled;
  into.kept += later.kept;
  into.acceptedAt = acceptedAt ?? into.acceptedAt;
  into.refusedAt = refusedAt ?? into.refusedAt;
  into.refusedCode = refusedCode ?? into.refusedCode;
  into.throttledAt = throttledAt ?? into.throttledAt;
  for (const [topic, at] of topics) addTopic(into.topics, topic, at);
  for (const refusal of refusals) addRefusal(into.refusals, refusal);
}

/** The topic that came longest ago is the first of the map. */
function addTopic(topics: Traffic['topics'], topic: string, at: string): void {
  topics.delete(topic);
  topics.set(topic, at);
  if (topics.size <= MOST_TOPICS) return;
  const [oldest = ''] = topics.keys();
  topics.delete(oldest);
}

function addRefusal(refusals: Refusal[], refusal: Refusal): void {
  refusals.push(refusal);
  if (refusals.length <= MOST_REFUSALS) return;
  const strangers = refusals.filter(({ counts }) => !counts).length;
  const isDropped = strangers > MOST_STRANGERS ? ({ counts }: Refusal) => !counts : ({ counts }: Refusal) => counts;
  refusals.splice(refusals.findIndex(isDropped), 1);
}

type TrafficCountsDeps = {
  /** Returns how many bytes came to be kept of connections on this day, to all processes. */
  write(traffic: Traffic[]): Promise<ReadonlyMap<string, number>>;
  /** So many are kept whole, of one connection and day. */
  keptBytes: number;
  /** What could not be written is written with the next. */
  onFailed(error: unknown): void;
  now(): number;
  /** How often it is written; default: every five seconds. */
  everyMs?: number;
};

const EVERY_MS = 5_000;
const DAY_MS = 86_400_000;
/** A database that hangs for longer is queried again; what it wrote after all is then counted twice. */
const WRITE_MS = 30_000;
/** A stop does not wait longer for a database that hangs. */
const LAST_MS = 1_000;

/**
 * Gathers in memory what became of the webhooks of known connections, and writes it every few seconds and at the end: no delivery waits for it.
 * What is kept of a connection is bounded.
 */
export class TrafficCounts {
  readonly #deps: TrafficCountsDeps;
  readonly #timer: NodeJS.Timeout;
  #traffic = new Map<string, Traffic>();
  /** Of a day of UTC, until what was written says more; the ledger's is one of Sofia, which begins some hours before. */
  readonly #kept = new Map<string, { day: number; bytes: number }>();
  #writing: Promise<void> | null = null;

  constructor(deps: TrafficCountsDeps) {
    this.#deps = deps;
    this.#timer = setInterval(() => void this.flush(), deps.everyMs ?? EVERY_MS).unref();
  }

  add(answered: Omit<AnsweredWebhook, 'at'>): void {
    this.#add(this.#traffic, trafficOf({ ...answered, at: new Date(this.#deps.now()).toISOString() }));
  }

  /** A body of so many bytes is to be kept. False: with it the connection has more of this day than are kept whole. */
  keep(connectionId: string, bytes: number): boolean {
    const traffic = this.#traffic.get(connectionId) ?? noTraffic(connectionId);
    traffic.kept += bytes;
    this.#traffic.set(connectionId, traffic);
    return this.#setKept(connectionId, this.#keptOf(connectionId) + bytes) <= this.#deps.keptBytes;
  }

  #keptOf(connectionId: string): number {
    const known = this.#kept.get(connectionId);
    return known?.day === this.#day() ? known.bytes : 0;
  }

  #setKept(connectionId: string, bytes: number): number {
    this.#kept.set(connectionId, { day: this.#day(), bytes });
    return bytes;
  }

  #day(): number {
    return Math.floor(this.#deps.now() / DAY_MS);
  }

  /** Writes what was gathered, one time after the other. */
  async flush(): Promise<void> {
    if (this.#writing !== null) return this.#writing;
    const written = this.#traffic;
    if (written.size === 0) return;
    this.#traffic = new Map();
    this.#writing = this.#write(written);
    await this.#writing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await withTimeout(LAST_MS, this.#last()).catch(this.#deps.onFailed);
  }

  /** What came during a write that was under way is written, too. */
  async #last(): Promise<void> {
    await this.#writing;
    await this.flush();
  }

  async #write(written: Map<string, Traffic>): Promise<void> {
    try {
      const kept = await withTimeout(WRITE_MS, this.#deps.write([...written.values()]));
      for (const [id, bytes] of kept) this.#setKept(id, bytes + (this.#traffic.get(id)?.kept ?? 0));
    } catch (error) {
      for (const later of this.#traffic.values()) this.#add(written, later);
      this.#traffic = written;
      this.#deps.onFailed(error);
    } finally {
      this.#writing = null;
    }
  }

  #add(traffic: Map<string, Traffic>, one: Traffic): void {
    const before = traffic.get(one.connectionId);
    if (before === undefined) traffic.set(one.connectionId, one);
    else addTraffic(before, one);
  }
}
