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
  /** Answered 429, and when the last of them was. */
  throttled: number;
  throttledAt: string | null;
};

/** One refused webhook. `client`: the sender's address. `counts`: it looks like the platform's, see `counts`. */
export type Refusal = { at: string; code: string; topic: string; client: string | null; counts: boolean };

/**
 * One answer to a webhook of a known connection; `code` null: it was accepted. `isPlatforms`: its headers are such as the platform sends. `isPing`: it
 * only tries the address, unsigned.
 */
export type Answered = { connectionId: string; at: string; topic: string; code: string | null; client: string | null; isPlatforms: boolean; isPing?: boolean };

/** In place of the topic, which a ping does not name. */
export const PING_TOPIC = 'ping';

/** Refusals of a connection that are kept. Once there are so many, those that don't count have the places of `MOST_STRANGERS`. */
export const MOST_REFUSALS = 50;
export const MOST_STRANGERS = 10;
/** Topics of a connection that are kept; platforms have some twenty. */
export const MOST_TOPICS = 50;
const LONGEST = 100;

export function trafficOf({ connectionId, at, topic: given, code, client, isPlatforms, isPing = false }: Answered): Traffic {
  const topic = isPing ? PING_TOPIC : given.slice(0, LONGEST);
  const isThrottled = code === 'delivery.throttled';
  // Unsigned requests of strangers say nothing of the store, and one that was only to come slower comes again.
  const counts = code !== null && isPlatforms && !isThrottled;
  return {
    connectionId,
    // Anybody can send a ping: it says nothing of what is refused.
    acceptedAt: code === null && !isPing ? at : null,
    topics: new Map(code === null ? [[topic, at]] : []),
    refusedInARow: counts ? 1 : 0,
    refusedAt: counts ? at : null,
    refusedCode: counts ? code : null,
    refusals: code === null ? [] : [{ at, code, topic, client: client?.slice(0, LONGEST) ?? null, counts }],
    throttled: isThrottled ? 1 : 0,
    throttledAt: isThrottled ? at : null,
  };
}

/** Adds what came later. What is kept of one connection is bounded, whatever comes. */
export function addTraffic(into: Traffic, later: Traffic): void {
  const { acceptedAt, topics, refusedAt, refusedCode, refusals, throttledAt } = later;
  if (acceptedAt !== null) into.refusedInARow = 0;
  into.refusedInARow += later.refusedInARow;
  into.throttled += later.throttled;
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
